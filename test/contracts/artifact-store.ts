import { expect } from 'chai';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import type { ArtifactStore, NewArtifact, StoredArtifact } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { IdSource } from '#application/ports/id-source.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { refusalOf } from './refusal-of.js';

export interface ArtifactStoreDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly capBytes: number;
}

/** All of a stored file's bytes. */
export async function contentOf(artifact: StoredArtifact | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of artifact?.content ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const svgArtifact = (over: Partial<NewArtifact> = {}): NewArtifact => ({
  bytes: new TextEncoder().encode('<svg/>'),
  mediaType: 'image/svg+xml',
  fileName: 'logo.svg',
  lifetimeMs: 1000,
  ...over,
});

/** What every store of produced files keeps to. `make` gives an empty one. */
export function describeArtifactStore(name: string, make: (deps: ArtifactStoreDeps) => Promise<ArtifactStore>) {
  const setUp = async (capBytes = 1_000_000) => {
    const clock = createManualClock();
    return { clock, store: await make({ clock, ids: randomIdSource, capBytes }) };
  };
  const filled = (bytes: number, over: Partial<NewArtifact> = {}) =>
    svgArtifact({ bytes: new Uint8Array(bytes).fill(7), ...over });

  describe(`${name} keeps produced files`, () => {
    it('gives back what was put, under an opaque name', async () => {
      const { store, clock } = await setUp();
      const receipt = await store.put(svgArtifact({ fileName: 'größe 日本.svg' }));
      expect(receipt.basename).to.match(/^[A-Za-z0-9_-]{22}$/);
      expect(receipt).to.include({ fileName: 'größe 日本.svg', sizeBytes: 6, expiresAtMs: clock.wallMs() + 1000 });
      const found = await store.get(receipt.basename, 'größe 日本.svg');
      expect(found).to.include({ ...receipt, mediaType: 'image/svg+xml' });
      expect((await contentOf(found)).toString()).to.equal('<svg/>');
    });

    it('gives it more than once, and is not changed by what the giver does afterwards', async () => {
      const { store } = await setUp();
      const bytes = new Uint8Array([1, 2, 3]);
      const { basename } = await store.put(svgArtifact({ bytes }));
      bytes.fill(9);
      for (let i = 0; i < 2; i++)
        expect([...(await contentOf(await store.get(basename, 'logo.svg')))]).to.deep.equal([1, 2, 3]);
    });

    it('gives names that are all different', async () => {
      const { store } = await setUp();
      const receipts = await Promise.all(Array.from({ length: 50 }, (_, i) => store.put(filled(i + 1))));
      expect(new Set(receipts.map(({ basename }) => basename)).size).to.equal(50);
      for (const [i, { basename }] of receipts.entries())
        expect(await contentOf(await store.get(basename, 'logo.svg'))).to.have.length(i + 1);
    });

    it('keeps the companion apart, for those who know the name', async () => {
      const { store } = await setUp();
      const { basename } = await store.put(svgArtifact({ companion: new Uint8Array([5, 6]) }));
      expect([...((await store.companion(basename)) ?? [])]).to.deep.equal([5, 6]);
      expect((await contentOf(await store.get(basename, 'logo.svg'))).toString()).to.equal('<svg/>');
      const without = await store.put(svgArtifact());
      expect(await store.companion(without.basename)).to.equal(undefined);
      expect(await store.companion('A'.repeat(22))).to.equal(undefined);
    });

    it('removes one before its time, and has room again', async () => {
      const { store } = await setUp(100);
      const [first, second] = [
        await store.put(filled(60, { companion: new Uint8Array(10) })),
        await store.put(filled(30)),
      ];
      await store.remove(first.basename);
      await store.remove(first.basename);
      await store.remove('../x');
      expect(await store.get(first.basename, 'logo.svg')).to.equal(undefined);
      expect(await store.companion(first.basename)).to.equal(undefined);
      expect(await store.get(second.basename, 'logo.svg')).to.not.equal(undefined);
      await store.put(filled(70));
    });

    it('knows no difference between a wrong name, a path and nothing', async () => {
      const { store } = await setUp();
      const { basename } = await store.put(svgArtifact());
      const tries: [string, string][] = [
        [basename, 'other.svg'],
        [basename, 'LOGO.svg'],
        [basename, ''],
        [basename, `../${basename}/logo.svg`],
        ['A'.repeat(22), 'logo.svg'],
        ['', 'logo.svg'],
        [`../${basename}`, 'logo.svg'],
        [`./${basename}`, 'logo.svg'],
        ['../../../../../../etc/passwd', 'passwd'],
        [`${basename}/content`, 'logo.svg'],
        [`${basename}\0`, 'logo.svg'],
        ['__proto__', 'logo.svg'],
        ['x'.repeat(10_000), 'logo.svg'],
      ];
      for (const [given, fileName] of tries) expect(await store.get(given, fileName), given).to.equal(undefined);
    });

    it('forgets a file at the end of its life, companion and all', async () => {
      const { store, clock } = await setUp();
      const { basename } = await store.put(svgArtifact({ lifetimeMs: 1000, companion: new Uint8Array(3) }));
      clock.advance(999);
      expect(await contentOf(await store.get(basename, 'logo.svg'))).to.have.length(6);
      clock.advance(1);
      expect(await store.get(basename, 'logo.svg')).to.equal(undefined);
      expect(await store.companion(basename)).to.equal(undefined);
    });

    it('sweeps away what has expired, and only that', async () => {
      const { store, clock } = await setUp();
      await Promise.all([100, 200, 5000].map((lifetimeMs) => store.put(svgArtifact({ lifetimeMs }))));
      clock.advance(1000);
      expect(await store.sweep()).to.equal(2);
      expect(await store.sweep()).to.equal(0);
    });

    it('goes on giving a file that expires and is swept while it is read', async () => {
      const { store, clock } = await setUp(1_000_000);
      const { basename } = await store.put(filled(300_000));
      const found = await store.get(basename, 'logo.svg');
      clock.advance(2000);
      expect(await store.sweep()).to.equal(1);
      expect(await contentOf(found)).to.have.length(300_000);
    });

    it('is full at its cap, companions counted, and says when to come again', async () => {
      const { store } = await setUp(100);
      await store.put(filled(60, { companion: new Uint8Array(30) }));
      const error = await refusalOf(store.put(filled(11)));
      expect(error.code).to.equal('STORAGE_FULL');
      expect(error.retryAfterSeconds).to.be.greaterThan(0);
      await store.put(filled(10));
    });

    it('sets room aside, and keeps what goes into it whatever its size', async () => {
      const { store } = await setUp(100);
      const [first, second] = [await store.reserve(40), await store.reserve(40)];
      expect((await refusalOf(store.reserve(30))).code).to.equal('STORAGE_FULL');
      expect((await refusalOf(store.put(filled(30)))).code).to.equal('STORAGE_FULL');
      first.release();
      first.release();
      const { basename } = await second.put(filled(90, { companion: new Uint8Array(20) }));
      expect(await contentOf(await store.get(basename, 'logo.svg'))).to.have.length(90);
      expect((await refusalOf(store.reserve(1))).code).to.equal('STORAGE_FULL');
      // What has been given back, or used, is nobody's any more.
      for (const room of [first, second]) {
        const outcome = await room.put(filled(1)).catch((error: unknown) => error);
        expect(outcome).to.be.instanceOf(TypeError);
      }
      second.release();
      await store.remove(basename);
      await store.put(filled(100));
    });

    it('makes room by sweeping before it refuses', async () => {
      const { store, clock } = await setUp(100);
      await store.put(filled(90, { lifetimeMs: 10 }));
      clock.advance(10);
      const { basename } = await store.put(filled(95));
      expect(await contentOf(await store.get(basename, 'logo.svg'))).to.have.length(95);
    });

    it('is not filled past its cap by many at once', async () => {
      const { store } = await setUp(100);
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => store.put(filled(30))));
      const kept = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(kept).to.have.length(3);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason.code).to.equal('STORAGE_FULL');
    });
  });
}
