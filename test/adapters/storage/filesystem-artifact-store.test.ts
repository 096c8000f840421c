import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
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

  describe('that several processes keep files in', () => {
    const share = (folder: string, clock = createManualClock(), capBytes = 1000) =>
      createFilesystemArtifactStore({ folder, clock, ids: randomIdSource, capBytes, shared: true });

    describeArtifactStore('a shared folder', (deps) =>
      createFilesystemArtifactStore({ ...deps, folder: newFolder(), shared: true }),
    );

    it('gives what the others put, and nothing that they have removed', async () => {
      const folder = newFolder();
      const [one, other] = [await share(folder), await share(folder)];
      const { basename } = await one.put(svgArtifact({ companion: new Uint8Array([4]) }));
      expect((await contentOf(await other.get(basename, 'logo.svg'))).toString()).to.equal('<svg/>');
      expect([...((await other.companion(basename)) ?? [])]).to.deep.equal([4]);
      expect(await other.get(basename, 'other.svg')).to.equal(undefined);
      expect(await other.get('../../etc/passwd', 'logo.svg')).to.equal(undefined);
      await one.remove(basename);
      expect(await other.get(basename, 'logo.svg')).to.equal(undefined);
      const next = await one.put(svgArtifact());
      await other.remove(next.basename);
      expect(await one.get(next.basename, 'logo.svg')).to.equal(undefined);
    });

    it('counts what the others keep from the next sweep on, and removes it in its time', async () => {
      const folder = newFolder();
      const clock = createManualClock();
      const [one, other] = [await share(folder, clock), await share(folder, clock)];
      const { basename } = await one.put(svgArtifact({ bytes: new Uint8Array(900), lifetimeMs: 5000 }));
      expect(await other.sweep()).to.equal(0);
      expect((await refusalOf(other.put(svgArtifact({ bytes: new Uint8Array(200) })))).code).to.equal('STORAGE_FULL');
      await one.remove(basename);
      await other.put(svgArtifact({ bytes: new Uint8Array(200), lifetimeMs: 5000 }));
      clock.advance(5000);
      expect(await one.sweep()).to.equal(1);
      expect(await readdir(folder)).to.deep.equal([]);
      expect(await other.sweep()).to.equal(0);
    });

    it('lets the others finish what they write', async () => {
      const folder = newFolder();
      await share(folder);
      const unfinished = join(folder, `.unfinished-${'x'.repeat(22)}`);
      await mkdir(unfinished);
      await share(folder);
      expect(await readdir(folder)).to.have.length(1);
      const longAgo = new Date(Date.now() - 2 * 3600_000);
      await utimes(unfinished, longAgo, longAgo);
      await share(folder);
      expect(await readdir(folder)).to.deep.equal([]);
    });
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
