import { expect } from 'chai';
import { COARSEST } from '#adapters/tracing/engine/budget/coarseness.js';
import { finestThatFits } from '#adapters/tracing/engine/budget/within-budget.js';
import type { Raster } from '#application/ports/tracer.js';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { countSeams } from '#test/support/count-seams.js';
import { circle } from '#test/support/outlines.js';
import {
  layer,
  linearShade,
  noise,
  paint,
  SPRITE_COLORS,
  SPRITE_ROWS,
  sprite,
  testPictures,
} from '#test/support/pictures.js';

const NODES = [4, 9, 30, 90, 10_000];
const BYTES = [256, 420, 1100, 3000, 1_000_000];

const shade = linearShade(0, 0, 90, 60, [250, 90, 20, 1], [30, 40, 160, 1]);
const named = async (...names: string[]) =>
  (await testPictures()).filter(({ name }) => names.includes(name)).map(({ raster }) => raster);

async function pictures(): Promise<readonly Raster[]> {
  return [
    ...(await named('scene', 'lettering', 'translucent on nothing', 'lettering as JPEG')),
    sprite(SPRITE_ROWS, SPRITE_COLORS),
    noise(40, 30, 5),
    paint(96, 64, null, [
      { color: 0, outline: [[0, 0, 96, 0, 96, 64, 0, 64]], shade },
      layer(0xffffff, circle(40, 30, 17)),
    ]),
  ];
}

describe('budgets', () => {
  for (const stacking of ['stacked', 'cutouts'] as const)
    it(`of nodes and of bytes are never exceeded, and a larger one is no worse, ${stacking}`, async () => {
      let drawn = 0;
      for (const [p, raster] of (await pictures()).entries())
        for (const [name, budgets] of [
          ['max_nodes', NODES],
          ['max_bytes', BYTES],
        ] as const) {
          let before = 0;
          for (const budget of budgets) {
            const settings: VectorizeSettings = { [name]: budget, shape_stacking: stacking };
            const { svg, traceStats, qualityDiagnostics } = await vectorize(raster, settings);
            const used = name === 'max_nodes' ? traceStats.nodes : new TextEncoder().encode(svg).length;
            expect(used, `picture ${p}, ${name} ${budget}`).to.be.at.most(budget);
            expect(qualityDiagnostics.notes).to.deep.equal([]);
            const { psnr } = qualityDiagnostics.fidelity!;
            expect(psnr, `picture ${p}, ${name} ${budget}`).to.be.at.least(before - 0.3);
            before = Math.max(before, psnr);
            drawn++;
          }
          // The largest budget is no budget.
          const free = await vectorize(raster, { shape_stacking: stacking });
          expect(before).to.be.closeTo(free.qualityDiagnostics.fidelity!.psnr, 1e-9);
        }
      expect(drawn).to.equal(7 * 10);
    });

  it('that are met leave the drawing as it is', async () => {
    const [raster] = await named('scene');
    const free = await vectorize(raster!, { fidelity: false });
    const met = await vectorize(raster!, {
      fidelity: false,
      max_nodes: free.traceStats.nodes,
      max_bytes: free.traceStats.svgBytes,
    });
    expect(met.svg).to.equal(free.svg);
  });

  it('leave no seams in what is stacked', async () => {
    const [raster] = await named('scene');
    for (const max_nodes of [12, 24, 40]) {
      const { svg } = await vectorize(raster!, { fidelity: false, max_nodes });
      for (const scale of [1, 1.7, 3.7]) expect(countSeams(svg, scale).pixels).to.equal(0);
    }
  });

  it('are searched for by halving: the same answers, the same level, and a larger budget none coarser', () => {
    // Sizes that do not always fall from level to level.
    const sizeAt = (level: number) => Math.max(1, 1000 - 15 * level + 60 * ((level * 7) % 5));
    let last = COARSEST + 1;
    let most = 0;
    for (let budget = 1; budget < 1400; budget += 7) {
      let drawings = 0;
      const found = finestThatFits(
        (level) => {
          drawings++;
          return level;
        },
        (level) => sizeAt(level) <= budget,
      );
      most = Math.max(most, drawings);
      if (found === undefined) continue;
      expect(sizeAt(found)).to.be.at.most(budget);
      expect(found).to.be.at.most(last);
      last = found;
    }
    expect(last).to.equal(0);
    expect(most).to.be.within(2, 8);
  });
});
