import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createFilesystemArtifactStore } from '#adapters/storage/filesystem-artifact-store.js';
import { contentOf, describeArtifactStore, svgArtifact } from '#test/contracts/artifact-store.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { createManualClock } from '#test/support/manual-clock.js';

describe('the file system store', () => {
  let root: string;
  let made = 0;
  const newFolder = () => join(root, `store-${made++}`);
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'burin-files-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  describeArtifactStore('a folder', (deps) => createFilesystemArtifactStore({ ...deps, folder: newFolder() }));

  const open = async (folder: string, clock = createManualClock(), capBytes = 1000) =>
    createFilesystemArtifactStore({ folder, clock, ids: randomIdSource, capBytes });

  it('outlives the process, with its names, its end of life and its fill', async () => {
    const folder = newFolder();
    const clock = createManualClock();
    const { basename } = await (await open(folder, clock)).put(
      svgArtifact({ bytes: new Uint8Array(600), companion: new Uint8Array(300), lifetimeMs: 5000 }),
    );
    const again = await open(folder, clock);
    expect(await contentOf(await again.get(basename, 'logo.svg'))).to.have.length(600);
    expect(await again.companion(basename)).to.have.length(300);
    expect((await refusalOf(again.put(svgArtifact({ bytes: new Uint8Array(101) })))).code).to.equal('STORAGE_FULL');
    clock.advance(5000);
    expect(await again.get(basename, 'logo.svg')).to.equal(undefined);
    expect(await again.sweep()).to.equal(1);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('clears away what a process that died left half written, and touches nothing else', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const whole = await store.put(svgArtifact());
    const cut = await store.put(svgArtifact());
    await truncate(join(folder, cut.basename, 'content'), 3);
    await mkdir(join(folder, `.unfinished-${'x'.repeat(22)}`));
    await writeFile(join(folder, `.unfinished-${'x'.repeat(22)}`, 'content'), '<sv');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const again = await open(folder);
    expect((await readdir(folder)).sort()).to.deep.equal([whole.basename, 'notes.txt'].sort());
    expect(await again.get(cut.basename, 'logo.svg')).to.equal(undefined);
    expect(await contentOf(await again.get(whole.basename, 'logo.svg'))).to.have.length(6);
  });

  it('leaves nothing behind when it cannot write, and counts nothing', async () => {
    const folder = newFolder();
    const taken = randomIdSource.next();
    const store = await createFilesystemArtifactStore({
      folder,
      clock: createManualClock(),
      ids: { next: () => taken },
      capBytes: 10,
    });
    await store.put(svgArtifact({ lifetimeMs: 1 }));
    // The name is taken: moving the finished folder into place fails.
    const outcome = await store.put(svgArtifact({ bytes: new Uint8Array(4) })).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(Error);
    expect(await readdir(folder)).to.deep.equal([taken]);
    expect((await readFile(join(folder, taken, 'content'))).length).to.equal(6);
  });

  it('holds its folder closed to other users of the machine', async () => {
    const folder = newFolder();
    await open(folder);
    const { stat } = await import('node:fs/promises');
    expect((await stat(folder)).mode & 0o077).to.equal(0);
  });
});
