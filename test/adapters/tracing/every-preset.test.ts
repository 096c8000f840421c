import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { PRESET_IDS } from '#domain/presets/settings.js';
import { makeLabelledPictures } from '#test/support/labelled-pictures.js';

const ALL = process.env.BURIN_TEST_ALL_CASES === '1';
/** Pictures of each kind, and the tiers: all of them with BURIN_TEST_ALL_CASES=1, in every mode; else each picture with each preset in one of the modes, in turn. */
const EACH = ALL ? 6 : 1;
const TIERS = ALL ? (['fast', 'balanced_crisp', 'high_precision'] as const) : (['fast'] as const);

/** Beside what the preset says: lines as strokes, and boundaries only. */
const MODES = [{}, { stroke_mode: 'centerline' }, { color_mode: 'outline' }] as const;

describe('every preset', function () {
  // Past its tier's own limit a trace is refused, which fails here; this is for all of them together.
  this.timeout(ALL ? 3_600_000 : 240_000);

  it('draws every kind of picture in every tier, and nothing empty', async () => {
    const pictures = await makeLabelledPictures(EACH);
    expect(new Set(pictures.map(({ label }) => label)).size).to.equal(6);
    const drawn = new Map<string, number>();
    for (const [p, { name, label, width, height, data }] of pictures.entries()) {
      for (const [k, preset] of PRESET_IDS.entries()) {
        for (const quality_tier of TIERS) {
          for (const mode of ALL ? MODES : [MODES[(p + k) % MODES.length]]) {
            const settings = { preset, quality_tier, fidelity: false, ...mode };
            const text = `${label} ${name}: ${JSON.stringify(settings)}`;
            const made = await vectorize({ width, height, data }, settings).catch((cause: unknown) => {
              throw new Error(text, { cause });
            });
            expect(made.drawing.items, text).to.not.have.length(0);
            for (const pair of [`${preset} ${name}`, `${preset} ${JSON.stringify(mode)}`])
              drawn.set(pair, (drawn.get(pair) ?? 0) + 1);
          }
        }
      }
    }
    // Every preset with every picture, and in every mode.
    expect(drawn.size).to.equal(PRESET_IDS.length * (pictures.length + MODES.length));
  });
});
