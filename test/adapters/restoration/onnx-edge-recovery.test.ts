import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ModelFile } from '#adapters/restoration/load-model.js';
import { createMemoryEdgeRecovery } from '#adapters/restoration/memory-edge-recovery.js';
import { createOnnxEdgeRecovery, type OnnxEdgeRecoveryOptions } from '#adapters/restoration/onnx-edge-recovery.js';
import { OWN_MODEL } from '#adapters/restoration/own-model.js';
import type { RestoreProblem } from '#application/ports/edge-recovery.js';
import { describeEdgeRecovery, quarters } from '#test/contracts/edge-recovery.js';
import { writeEnlargingModel } from '#test/support/write-onnx.js';

const folder = mkdtempSync(join(tmpdir(), 'burin-restore-'));
const opened: { close(): void }[] = [];

const open = (model: ModelFile | null, over: Partial<OnnxEdgeRecoveryOptions> = {}) => {
  const recovery = createOnnxEdgeRecovery({ model, threads: 2, ...over });
  opened.push(recovery);
  return recovery;
};

const fileOf = (name: string, bytes: Uint8Array | string): ModelFile => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path, sha256: null };
};

after(() => {
  for (const recovery of opened) recovery.close();
  rmSync(folder, { recursive: true });
});

describeEdgeRecovery('The memory twin', () => createMemoryEdgeRecovery());

const doubling = open(fileOf('double.onnx', writeEnlargingModel({ scale: 2 })));
describeEdgeRecovery('A model of scale 2', () => doubling);

const quadrupling = open(fileOf('quadruple.onnx', writeEnlargingModel({ scale: 4 })));
describeEdgeRecovery('A model of scale 4', () => quadrupling);

const own = open(OWN_MODEL);
describeEdgeRecovery('Our own model', () => own);

describe('The ONNX edge recovery', () => {
  const raster = quarters(24, 16);
  const request = { raster, detail: 'med', timeoutMs: 60_000 } as const;

  it('cuts a picture into tiles without a seam', async () => {
    // Noise, larger than a tile of any detail: a pixel that came from a wrong place would show.
    const side = 300;
    const data = Uint8Array.from({ length: side * 20 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7919) % 251));
    const wide = { width: side, height: 20, data };
    for (const detail of ['low', 'med', 'high', 'ultra'] as const) {
      const outcome = await doubling.restore({ ...request, raster: wide, detail });
      if (!outcome.ok) throw new Error(outcome.reason);
      const seen = outcome.raster.data;
      for (let y = 0; y < 40; y++)
        for (let x = 0; x < side * 2; x++) {
          const [to, from] = [(y * side * 2 + x) * 4, ((y >> 1) * side + (x >> 1)) * 4];
          // Colors may be shared among areas, by a few levels.
          expect(Math.abs((seen[to] as number) - (data[from] as number)), `${detail} ${x},${y}`).to.be.below(24);
        }
    }
  });

  it('takes a model only where it is the very one that was named', async () => {
    const bytes = writeEnlargingModel({ scale: 2 });
    const { path } = fileOf('pinned.onnx', bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await open({ path, sha256 }).availability()).to.deep.equal({ state: 'available' });
    const other = open({ path, sha256: sha256.replace(/./g, '0') });
    expect(await other.restore(request)).to.include({ ok: false, problem: 'corrupt-model' });
  });

  it('takes a model that was exchanged', async () => {
    const file = fileOf('exchanged.onnx', 'not yet');
    const recovery = open(file);
    expect((await recovery.availability()).state).to.equal('unavailable');
    fileOf('exchanged.onnx', writeEnlargingModel({ scale: 2 }));
    expect((await recovery.availability()).state).to.equal('available');
    rmSync(file.path);
    expect((await recovery.availability()).state).to.equal('unavailable');
  });

  it('ships a model that is the one it was', async () => {
    expect(await own.availability()).to.deep.equal({ state: 'available' });
  });

  const cases: readonly [string, () => ReturnType<typeof open>, RestoreProblem, RegExp][] = [
    ['is switched off', () => open(null), 'no-model', /switched off/],
    ['is missing', () => open({ path: join(folder, 'none.onnx'), sha256: null }), 'no-model', /no restoring model/],
    ['is a folder', () => open({ path: folder, sha256: null }), 'no-model', /no restoring model/],
    [
      'is corrupt',
      () => open(fileOf('cut.onnx', writeEnlargingModel({ scale: 2 }).slice(0, 60))),
      'corrupt-model',
      /read/,
    ],
    ['is no model', () => open(fileOf('text.onnx', 'this is no model at all')), 'corrupt-model', /cannot be read/],
    ['is empty', () => open(fileOf('empty.onnx', '')), 'corrupt-model', /cannot be read/],
    ['trebles', () => open(fileOf('three.onnx', writeEnlargingModel({ scale: 3 }))), 'wrong-shape', /1x3xHxW/],
    [
      'is of one channel',
      () => open(fileOf('gray.onnx', writeEnlargingModel({ scale: 2, channels: 1 }))),
      'wrong-shape',
      /1x3xHxW/,
    ],
    [
      'takes one size only',
      () => open(fileOf('fixed.onnx', writeEnlargingModel({ scale: 2, sides: [64, 64] }))),
      'wrong-shape',
      /1x3xHxW/,
    ],
    [
      'has no onnxruntime',
      () => open(OWN_MODEL, { runtime: 'onnxruntime-that-is-not-there' }),
      'no-runtime',
      /onnxruntime-that-is-not-there is not installed/,
    ],
    ['may hold next to nothing', () => open(OWN_MODEL, { memoryBytes: 1024 * 1024 }), 'failed', /more than 1 MB/],
  ];
  for (const [what, make, problem, reason] of cases) {
    it(`says so where the model ${what}, and does not fail`, async () => {
      const recovery = make();
      const outcome = await recovery.restore(request);
      expect(outcome).to.include({ ok: false, problem });
      expect(outcome.ok || outcome.reason).to.match(reason);
      expect(outcome.ok || outcome.reason).not.to.include(folder);
      // What memory a picture takes is known only then.
      if (problem === 'failed') return;
      const available = await recovery.availability();
      expect(available.state).to.equal('unavailable');
      expect(available)
        .to.have.property('reason')
        .that.matches(/^[A-Z].*\.$/);
      expect(available).to.have.property('reason').that.does.not.include(folder);
    });
  }

  it('leaves large pictures to the tracer', async () => {
    const recovery = open(OWN_MODEL, { maxPixels: 24 * 16 - 1 });
    expect(await recovery.restore(request)).to.include({ ok: false, problem: 'too-large' });
  });

  it('gives up by its own limit, whatever the request allows', async () => {
    const recovery = open(OWN_MODEL, { limitMs: 0 });
    const outcome = await recovery.restore({ ...request, timeoutMs: Number.POSITIVE_INFINITY });
    expect(outcome).to.include({ ok: false, problem: 'timed-out' });
  });

  it('is told of no end while it waits behind others', async () => {
    const recovery = open(fileOf('waiting.onnx', writeEnlargingModel({ scale: 2 })));
    const first = recovery.restore(request);
    const aborting = new AbortController();
    const second = recovery.restore(request, aborting.signal);
    const third = recovery.restore(request);
    aborting.abort();
    const error = await second.catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'CANCELLED');
    expect([(await first).ok, (await third).ok]).to.deep.equal([true, true]);
  });
});
