import { expect } from 'chai';
import sharp from 'sharp';
import { createMemoryEdgeRecovery } from '#adapters/restoration/memory-edge-recovery.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import { compareTraces, isBelieved } from '#adapters/tracing/restored-trace.js';
import type { EdgeRecovery, RestoreOutcome } from '#application/ports/edge-recovery.js';
import { RESTORE_PROBLEMS } from '#application/ports/edge-recovery.js';
import type { Raster, TraceRequest, TraceStage } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import type { ExplicitSettings } from '#domain/presets/settings.js';
import { TIERS } from '#domain/tiers/tier.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { circle, star } from '#test/support/outlines.js';
import { enlarge, layer, paint, SPRITE_COLORS, SPRITE_ROWS, sprite } from '#test/support/pictures.js';

const LAYERS = (scale: number) => [
  layer(0xe63946, circle(30 * scale, 24 * scale, 15 * scale)),
  layer(0x1d3557, star(64 * scale, 40 * scale, 24 * scale, 9 * scale, 9)),
  layer(0xf4a261, star(24 * scale, 54 * scale, 14 * scale, 5 * scale, 7)),
  layer(0x2a9d8f, circle(64 * scale, 40 * scale, 6 * scale)),
];
const clean = paint(96, 72, 0xffffff, LAYERS(1));
/** What a perfect restorer would make of it. */
const twice = paint(192, 144, 0xffffff, LAYERS(2));

/** As a careless program would save it. */
async function asJpeg({ width, height, data }: Raster, quality: number): Promise<Raster> {
  const file = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten()
    .jpeg({ quality })
    .toBuffer();
  return { width, height, data: await sharp(file).ensureAlpha().raw().toBuffer() };
}

const never: EdgeRecovery = {
  availability: async () => ({ state: 'available' }),
  restore: () => Promise.reject(new Error('nobody asked for this')),
};
const perfect = createMemoryEdgeRecovery(() => ({ ok: true, raster: twice }));

const request = (raster: Raster, explicit: ExplicitSettings, more: Partial<TraceRequest> = {}): TraceRequest => ({
  picture: { kind: 'raster', raster },
  settings: resolveSettings(explicit),
  tier: TIERS.balanced_crisp,
  fidelity: false,
  timeoutMs: 60_000,
  ...more,
});
const tracerWith = (edgeRecovery: EdgeRecovery) => createPlanarTracer({ decoder: {} as never, edgeRecovery });

describe('A picture that is restored before it is traced', () => {
  let damaged: Raster;
  before(async () => {
    damaged = await asJpeg(clean, 30);
  });
  const asked = { edge_recovery: 'real_esrgan' } as const;

  it('is drawn in its own size, by what was restored', async () => {
    const outcome = await tracerWith(perfect).trace(request(damaged, asked, { fidelity: true }));
    expect(outcome).to.include({ edgeRecoveryResolved: 'real_esrgan', edgeRecoveryReason: 'asked for' });
    expect([outcome.drawing.width, outcome.drawing.height]).to.deep.equal([96, 72]);
    expect(outcome.workingSize).to.deep.equal({ width: 192, height: 144 });
    expect(outcome.source).to.include({ width: 96, height: 72 });
    expect(outcome.notes).to.deep.equal([]);
    // Measured against the picture as it came.
    expect(outcome.fidelity?.psnr).to.be.within(20, 60);
  });

  it('reports its stages in order, restoring being one', async () => {
    const seen: [TraceStage, number][] = [];
    const onProgress = (stage: TraceStage, fraction: number) => seen.push([stage, fraction]);
    await tracerWith(perfect).trace(request(damaged, asked, { onProgress }));
    const stages = [...new Set(seen.map(([stage]) => stage))];
    expect(stages).to.deep.equal(['decode', 'recover', 'segment', 'fit', 'write', 'score']);
    const fractions = seen.map(([, fraction]) => fraction);
    expect(fractions).to.deep.equal([...fractions].sort((a, b) => a - b));
    expect(seen.filter(([stage]) => stage === 'recover').length).to.be.greaterThan(2);
  });

  it('is traced directly where the restored one is another picture', async () => {
    const other = createMemoryEdgeRecovery(() => ({ ok: true, raster: paint(192, 144, 0x00ff00, []) }));
    const direct = await tracerWith(never).trace(request(damaged, {}));
    const outcome = await tracerWith(other).trace(request(damaged, asked));
    expect(outcome.edgeRecoveryResolved).to.equal('off');
    expect(outcome.edgeRecoveryReason).to.match(/explains this one no better; traced directly$/);
    expect(outcome.drawing).to.deep.equal(direct.drawing);
    expect(outcome.workingSize).to.deep.equal({ width: 96, height: 72 });
  });

  it('is traced directly where it was not damaged, and says so', async () => {
    const direct = await tracerWith(never).trace(request(clean, {}));
    const outcome = await tracerWith(createMemoryEdgeRecovery()).trace(request(clean, asked));
    expect(outcome.edgeRecoveryReason).to.match(/^no damage was found, and .*; traced directly$/);
    expect(outcome.drawing).to.deep.equal(direct.drawing);
  });

  it('is traced directly where it cannot be restored, for whatever reason', async () => {
    const direct = await tracerWith(never).trace(request(damaged, {}));
    for (const problem of RESTORE_PROBLEMS) {
      const refusing = createMemoryEdgeRecovery(() => ({ ok: false, problem, reason: `because of ${problem}` }));
      const outcome = await tracerWith(refusing).trace(request(damaged, asked));
      expect(outcome.edgeRecoveryResolved).to.equal('off');
      expect(outcome.edgeRecoveryReason).to.equal(`because of ${problem}; traced directly`);
      expect(outcome.drawing).to.deep.equal(direct.drawing);
    }
    const faulty = await tracerWith(never).trace(request(damaged, asked));
    expect(faulty.edgeRecoveryReason).to.equal('the restored picture could not be traced; traced directly');
    expect(faulty.drawing).to.deep.equal(direct.drawing);
    const misshapen = createMemoryEdgeRecovery(() => ({ ok: true, raster: { ...twice, data: new Uint8Array(8) } }));
    expect((await tracerWith(misshapen).trace(request(damaged, asked))).drawing).to.deep.equal(direct.drawing);
  });

  it('is traced directly where restoring takes the time that tracing needs', async () => {
    const given: number[] = [];
    const slow: EdgeRecovery = {
      availability: perfect.availability,
      async restore({ timeoutMs }): Promise<RestoreOutcome> {
        given.push(timeoutMs);
        return { ok: false, problem: 'timed-out', reason: 'restoring took longer than it may' };
      },
    };
    const outcome = await tracerWith(slow).trace(request(damaged, asked, { timeoutMs: 40_000 }));
    expect(outcome.edgeRecoveryReason).to.equal('restoring took longer than it may; traced directly');
    // Time is left to answer in.
    expect(given).to.have.length(1);
    expect(given[0]).to.be.within(1, 30_000);
  });

  it('is given up when the request is cancelled', async () => {
    const aborting = new AbortController();
    const onProgress = (stage: TraceStage) => stage === 'recover' && aborting.abort();
    const stopped = tracerWith(perfect).trace(request(damaged, asked, { onProgress }), aborting.signal);
    expect((await refusalOf(stopped)).code).to.equal('CANCELLED');
    const thrown = tracerWith({
      ...perfect,
      restore: () => Promise.reject(new ServiceError('CANCELLED')),
    }).trace(request(damaged, asked));
    expect((await refusalOf(thrown)).code).to.equal('CANCELLED');
  });

  it('keeps to a budget of nodes', async () => {
    const { drawing } = await tracerWith(perfect).trace(request(damaged, { ...asked, max_nodes: 12 }));
    expect(drawing.commands.length).to.be.at.most(16);
  });
});

describe('The damage gate', () => {
  const same = { gainDb: 0, coarseGainDb: 0, nodesLog2: 0 };

  it('believes nothing that is another picture, whatever was drawn directly', () => {
    const other = { gainDb: -20, coarseGainDb: -20, nodesLog2: -3 };
    for (const type of ['flat_art', 'line_art', 'illustration', 'photo', 'scan', 'pixel_art'] as const)
      for (const damaged of [true, false]) expect(isBelieved(other, type, damaged), type).to.equal(false);
  });

  it('believes what drops noise, and not what adds detail, where the direct drawing has flat areas', () => {
    const dropsNoise = { gainDb: -3, coarseGainDb: 1, nodesLog2: -1.5 };
    const addsDetail = { gainDb: 0.3, coarseGainDb: -1, nodesLog2: 2 };
    for (const type of ['flat_art', 'line_art', 'scan'] as const) {
      expect(isBelieved(dropsNoise, type, true)).to.equal(true);
      expect(isBelieved(addsDetail, type, true)).to.equal(false);
      expect(isBelieved(same, type, true)).to.equal(false);
    }
  });

  it('believes what is as near, where the direct drawing is of noise', () => {
    expect(isBelieved({ ...same, gainDb: -6 }, 'illustration', true)).to.equal(true);
    expect(isBelieved({ ...same, gainDb: -6 }, 'photo', true)).to.equal(true);
  });

  it('holds to the picture where that is not damaged', () => {
    for (const type of ['flat_art', 'illustration'] as const) {
      expect(isBelieved({ gainDb: -0.1, coarseGainDb: 3, nodesLog2: -2 }, type, false)).to.equal(false);
      expect(isBelieved({ gainDb: 0.1, coarseGainDb: 3, nodesLog2: -2 }, type, false)).to.equal(true);
    }
  });

  it('compares both with the picture, as it is and coarsely', () => {
    const of = (radius: number) =>
      tracerWith(never).trace(request(paint(96, 72, 0xffffff, [layer(0, circle(40, 36, radius))]), {}));
    return Promise.all([of(20), of(24)]).then(([right, wrong]) => {
      const source = paint(96, 72, 0xffffff, [layer(0, circle(40, 36, 20))]);
      const comparison = compareTraces(source, wrong.drawing, right.drawing);
      expect(comparison.gainDb).to.be.above(10);
      expect(comparison.coarseGainDb).to.be.above(10);
      const back = compareTraces(source, right.drawing, wrong.drawing);
      expect(back.coarseGainDb).to.equal(-comparison.coarseGainDb);
      expect(back.nodesLog2).to.equal(-comparison.nodesLog2);
      expect(compareTraces(source, right.drawing, right.drawing)).to.deep.equal(same);
    });
  });
});

describe('Recovery left to us', () => {
  const auto = { edge_recovery: 'auto' } as const;

  it('leaves a clean picture as it is, to the byte, and never asks the restorer', async () => {
    for (const raster of [clean, twice]) {
      const plain = await tracerWith(never).trace(request(raster, {}));
      const outcome = await tracerWith(never).trace(request(raster, auto));
      expect(outcome).to.include({ edgeRecoveryResolved: 'off' });
      expect(outcome.edgeRecoveryReason).to.match(/neither small nor damaged; traced directly$/);
      expect(outcome.drawing).to.deep.equal(plain.drawing);
    }
  });

  it('restores what compression has been at, what is blurred and what is small', async () => {
    const { data } = await sharp(clean.data, { raw: { width: 96, height: 72, channels: 4 } })
      .blur(1.2)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pictures: [Raster, RegExp][] = [
      [await asJpeg(clean, 40), /compression/],
      [{ ...clean, data }, /blurred/],
      [paint(40, 40, 0xffffff, [layer(0xe63946, circle(20, 20, 15))]), /small/],
    ];
    for (const [raster, why] of pictures) {
      const seen: Raster[] = [];
      const watching = createMemoryEdgeRecovery((given) => {
        seen.push(given);
        return { ok: false, problem: 'failed', reason: 'only looking' };
      });
      await tracerWith(watching).trace(request(raster, auto));
      expect(seen, String(why)).to.deep.equal([raster]);
    }
    const outcome = await tracerWith(perfect).trace(request(await asJpeg(clean, 30), auto));
    expect(outcome.edgeRecoveryResolved).to.equal('real_esrgan');
    expect(outcome.edgeRecoveryReason).to.match(/compression/);
  });

  it('finds the grid of pixel art first', async () => {
    const art = enlarge(sprite(SPRITE_ROWS, SPRITE_COLORS), 4);
    const outcome = await tracerWith(never).trace(request(art, auto));
    expect(outcome.edgeRecoveryResolved).to.equal('pixel_exact');
  });
});
