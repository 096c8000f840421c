import { expect } from 'chai';
import { toEngineSettings } from '#adapters/tracing/to-engine-settings.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import {
  type ExplicitSettings,
  PRESET_IDS,
  QUALITY_PROFILE_IDS,
  type QualityProfileId,
} from '#domain/presets/settings.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { allSamples } from '#test/support/setting-samples.js';

const engine = (explicit: ExplicitSettings = {}, tier: TierId = 'balanced_crisp') =>
  toEngineSettings(resolveSettings(explicit).values, tier);

/** Holds values to rise, or to stay, along a row of settings. */
function expectRising(values: readonly number[], strictly = true) {
  expect(values.length).to.be.greaterThan(2);
  for (let k = 1; k < values.length; k++)
    if (strictly) expect(values[k]).to.be.greaterThan(values[k - 1]!);
    else expect(values[k]).to.be.at.least(values[k - 1]!);
}

describe('what the engine reads of the settings', () => {
  it('is at the defaults what the engine tests run with, which draw pictures in their own pixels', () => {
    expect(engine()).to.deep.equal({ ...ENGINE, finerFrom: 6 });
  });

  it('asks for finer pictures sooner the more exact the tier is, and never in fast', () => {
    const from = TIER_IDS.map((tier) => engine({}, tier).finerFrom);
    expect(from[0]).to.equal(Infinity);
    expectRising([...from].reverse());
  });

  it('grows simpler with simplification, in every respect', () => {
    const steps = [0, 0.1, 0.25, 0.5, 0.75, 1].map((simplification) => engine({ simplification }));
    expectRising(steps.map(({ tolerancePx }) => tolerancePx));
    expectRising(steps.map(({ cornerPx }) => cornerPx));
    expectRising(steps.map(({ segmentPrice }) => segmentPrice));
    expectRising(steps.map(({ photoLambda }) => photoLambda));
  });

  it('grows more exact from coarse to super fine, and from low to high detail', () => {
    const fits = (['super_fine', 'fine', 'medium', 'coarse'] as const).map((line_fit_tolerance) =>
      engine({ line_fit_tolerance }),
    );
    expectRising(fits.map(({ tolerancePx }) => tolerancePx));
    expectRising(fits.map(({ segmentPrice }) => segmentPrice));
    const details = (['high', 'medium', 'low'] as const).map((details_level) => engine({ details_level }));
    expectRising(details.map(({ photoLambda }) => photoLambda));
    expectRising(details.map(({ mergeDistance }) => mergeDistance));
    expectRising(details.map(({ minAreaPx }) => minAreaPx));
    const auto = engine({ details_level: 'auto' });
    for (const name of ['photoLambda', 'mergeDistance', 'minAreaPx'] as const)
      expect(auto[name]).to.be.within(details[0]![name], details[2]![name]);
  });

  it('cleans more the more it is asked to, and drops areas as small as asked for', () => {
    const steps = ([0, 1, 2, 3, 4] as const).map((artifact_cleanup) => engine({ artifact_cleanup }));
    expectRising(
      steps.map(({ minAreaPx }) => minAreaPx),
      false,
    );
    expect(steps.map(({ cleanup }) => cleanup)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(engine({ tiny_path_area: 300 }).minAreaPx).to.equal(300);
    expect(engine({ tiny_path_area: 300 }).minDetailAreaPx).to.equal(300);
    expect(engine({ tiny_path_area: 300 }).minDotAreaPx).to.equal(300);
    expect(engine({ tiny_path_area: 1 }).minAreaPx).to.equal(engine().minAreaPx);
    expect(engine().noiseAreaPx).to.equal(engine().minAreaPx);
    expect(engine({ tiny_path_area: 300 }).noiseAreaPx).to.equal(engine().noiseAreaPx);
    expect(engine({ artifact_cleanup: 0 }).noiseAreaPx).to.equal(0);
  });

  it('refines more rounds the higher the tier', () => {
    expectRising(TIER_IDS.map((tier) => engine({}, tier).refineRounds));
    // What the fast tier saves is splitting, and settling what was split.
    const [fast, balanced, high] = TIER_IDS.map((tier) => engine({}, tier).settleRounds);
    expect(fast).to.be.within(balanced!, 2 * balanced!);
    expect(balanced).to.be.lessThan(high!);
    expectRising(TIER_IDS.map((tier) => -engine({}, tier).splitPrice));
  });

  it('keeps corners sharper for text and rounder for photographs', () => {
    const corner = (quality_profile: QualityProfileId) => engine({ quality_profile, simplification: 0.25 }).cornerPx;
    expect(corner('sharp_text_logo')).to.be.lessThan(corner('auto'));
    expect(corner('photo_smooth')).to.be.greaterThan(corner('auto'));
  });

  it('counts colors only where a number of them is asked for', () => {
    expect(engine().colorCount).to.equal(0);
    expect(engine({ palette_count: 12 }).colorCount).to.equal(12);
    expect(engine({ palette_count: 12, palette_count_mode: 'auto' }).colorCount).to.equal(0);
    expect(engine({ fixed_palette: [0xff0000, 0] }).fixedPalette).to.deep.equal([0xff0000, 0]);
    expect(engine({ preserve_exact_colors: true }).mergeDistance).to.equal(0);
  });

  it('passes on what has one meaning', () => {
    expect(engine({ shape_stacking: 'cutouts' }).stacking).to.equal('cutouts');
    expect(engine({ primitives: 'off' }).primitives).to.equal(false);
    expect(engine({ background: 'remove' }).removeBackground).to.equal(true);
    expect(engine({ preprocess_sharpen: true }).sharpen).to.equal(true);
    expect(engine({ curves: ['line', 'arc'] }).straightOnly).to.equal(true);
    expect(engine({ curves: ['cubic'] }).straightOnly).to.equal(false);
    for (const color_mode of ['color', 'grayscale', 'bw', 'outline'] as const)
      expect(engine({ color_mode }).colorMode).to.equal(color_mode);
    const looks = (['off', 'real_esrgan', 'pixel_exact', 'auto'] as const).map(
      (edge_recovery) => engine({ edge_recovery }).recoverPixelGrid,
    );
    expect(looks).to.deep.equal([false, false, true, true]);
  });

  it('chooses who segments by the preset', () => {
    const frontends = Object.fromEntries(PRESET_IDS.map((preset) => [preset, engine({ preset }).frontend]));
    expect(frontends).to.include({ auto: 'auto', logo: 'flat', photo: 'photo', pixel_art: 'pixel' });
  });

  it('is finite and in range for every value of every parameter, preset and profile', () => {
    let cases = 0;
    const asked: ExplicitSettings[] = [
      ...allSamples.map(({ name, value }) => ({ palette_count: 8, [name]: value }) as ExplicitSettings),
      ...PRESET_IDS.map((preset) => ({ preset })),
      ...QUALITY_PROFILE_IDS.map((quality_profile) => ({ quality_profile })),
    ];
    for (const explicit of asked)
      for (const tier of TIER_IDS) {
        const settings = engine(explicit, tier);
        for (const name of [
          'tolerancePx',
          'cornerPx',
          'segmentPrice',
          'refineRounds',
          'settleRounds',
          'minAreaPx',
          'minDetailAreaPx',
          'minDotAreaPx',
          'photoLambda',
        ] as const)
          expect(settings[name], name).to.be.within(0.05, 1e6);
        expect(settings.mergeDistance).to.be.within(0, 0.1);
        cases++;
      }
    expect(cases).to.equal(asked.length * 3);
  });
});
