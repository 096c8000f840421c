import { expect } from 'chai';
import type { EdgeRecovery, RestoreOutcome, RestoreRequest } from '#application/ports/edge-recovery.js';
import type { Raster } from '#application/ports/tracer.js';
import { refusalOf } from './refusal-of.js';

/** Four even quarters, one of them clear. */
const QUARTERS = [0xe63946ff, 0xffffffff, 0x1d3557ff, 0x00000000] as const;

export function quarters(width: number, height: number, colors: readonly number[] = QUARTERS): Raster {
  const data = new Uint8Array(width * height * 4);
  const view = new DataView(data.buffer);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      view.setUint32((y * width + x) * 4, colors[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] as number);
  return { width, height, data };
}

const rasterOf = (outcome: RestoreOutcome): Raster => {
  if (!outcome.ok) throw new Error(`not restored: ${outcome.problem}, ${outcome.reason}`);
  return outcome.raster;
};

/** What every restorer keeps to; it has all it needs to restore with. */
export function describeEdgeRecovery(name: string, recovery: () => EdgeRecovery) {
  const picture = quarters(40, 28);
  const request = (over: Partial<RestoreRequest> = {}): RestoreRequest => ({
    raster: picture,
    detail: 'med',
    timeoutMs: 60_000,
    ...over,
  });

  describe(`${name} restores`, () => {
    it('says that it can', async () => {
      expect(await recovery().availability()).to.deep.equal({ state: 'available' });
    });

    it('to twice the size, in the colors and with the transparency of the picture, which it leaves alone', async () => {
      const before = picture.data.slice();
      const { width, height, data } = rasterOf(await recovery().restore(request()));
      expect([width, height, data.length]).to.deep.equal([80, 56, 80 * 56 * 4]);
      const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
      expect(at(10, 10)).to.deep.equal([0xe6, 0x39, 0x46, 255]);
      expect(at(70, 10)).to.deep.equal([255, 255, 255, 255]);
      expect(at(10, 50)).to.deep.equal([0x1d, 0x35, 0x57, 255]);
      expect(at(70, 50)[3]).to.equal(0);
      expect(picture.data).to.deep.equal(before);
    });

    it('an opaque picture to an opaque one', async () => {
      const opaque = quarters(33, 17, [0x000000ff, 0xffffffff, 0xff0000ff, 0x0000ffff]);
      const { data } = rasterOf(await recovery().restore(request({ raster: opaque })));
      expect(data.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).to.equal(true);
    });

    it('down to a single pixel', async () => {
      const pixel: Raster = { width: 1, height: 1, data: Uint8Array.of(255, 255, 255, 255) };
      const { width, height, data } = rasterOf(await recovery().restore(request({ raster: pixel })));
      expect([width, height]).to.deep.equal([2, 2]);
      expect(data.every((value) => value > 250)).to.equal(true);
    });

    it('the same picture in the same way, to the byte', async () => {
      const [a, b] = [await recovery().restore(request()), await recovery().restore(request())];
      expect(a).to.deep.equal(b);
    });

    it('in every detail that can be asked for', async () => {
      for (const detail of ['low', 'med', 'high', 'ultra'] as const)
        expect(rasterOf(await recovery().restore(request({ detail }))).width).to.equal(80);
    });

    it('several pictures asked for at once, each for its own caller', async () => {
      const sides = [8, 12, 20];
      const outcomes = await Promise.all(
        sides.map((side) => recovery().restore(request({ raster: quarters(side, side) }))),
      );
      expect(outcomes.map((outcome) => rasterOf(outcome).width)).to.deep.equal([16, 24, 40]);
    });

    it('and says how far it is, before the answer', async () => {
      const seen: number[] = [];
      await recovery().restore(request({ onProgress: (fraction) => seen.push(fraction) }));
      const count = seen.length;
      expect(count).to.be.greaterThan(0);
      expect(seen).to.deep.equal([...seen].sort((a, b) => a - b));
      for (const fraction of seen) expect(fraction).to.be.within(0, 1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(seen).to.have.length(count);
    });

    it('no more once its caller has had enough, and goes on for others', async () => {
      const enough = new Error('enough');
      const stopped = recovery().restore(
        request({
          onProgress: () => {
            throw enough;
          },
        }),
      );
      expect(await stopped.catch((reason: unknown) => reason)).to.equal(enough);
      expect((await recovery().restore(request())).ok).to.equal(true);
    });

    it('nothing for a signal that is aborted, before or at work', async () => {
      expect((await refusalOf(recovery().restore(request(), AbortSignal.abort()))).code).to.equal('CANCELLED');
      const aborting = new AbortController();
      const midway = recovery().restore(request({ onProgress: () => aborting.abort() }), aborting.signal);
      expect((await refusalOf(midway)).code).to.equal('CANCELLED');
      expect((await recovery().restore(request())).ok).to.equal(true);
    });

    it('nothing past its time, and says so without an error', async () => {
      const outcome = await recovery().restore(request({ timeoutMs: 0 }));
      expect(outcome).to.include({ ok: false, problem: 'timed-out' });
      expect((await recovery().restore(request())).ok).to.equal(true);
    });
  });
}
