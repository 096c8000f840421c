import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeWhole } from '#adapters/cli/files.js';

describe('writing a file whole', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets an interrupt wait for the file, then ends as cancelled and listens no longer', async () => {
    const path = join(folder, 'a.svg');
    const before = process.listenerCount('SIGINT');
    const writing = writeWhole(path, 'x'.repeat(100_000));
    expect(process.listenerCount('SIGINT')).to.equal(before + 1);
    process.emit('SIGINT');
    const error = await writing.catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'CANCELLED' });
    expect(readFileSync(path, 'utf8').length).to.equal(100_000);
    expect(readdirSync(folder)).to.deep.equal(['a.svg']);
    expect(process.listenerCount('SIGINT')).to.equal(before);
  });

  it('leaves nothing behind where it cannot write', async () => {
    const error = await writeWhole(join(folder, 'none', 'a.svg'), 'x').catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'OUTPUT_UNWRITABLE', kind: 'storage-full' });
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('writes into a device rather than replacing it', async () => {
    await writeWhole('/dev/null', 'x');
    expect(readdirSync('/dev').filter((name) => name.includes('null') && name.endsWith('.part'))).to.deep.equal([]);
    expect(readFileSync('/dev/null').length).to.equal(0);
  });
});
