import { expect } from 'chai';
import fc from 'fast-check';
import { expandPreset, PRESETS, presets, QUALITY_PROFILES, qualityProfiles } from '#domain/presets/catalogue.js';
import { resolveSettings, withDecided } from '#domain/presets/resolve-settings.js';
import {
  DEFAULT_VALUES,
  type ExplicitSettings,
  PRESET_IDS,
  parseSettings,
  QUALITY_PROFILE_IDS,
  SETTING_NAMES,
} from '#domain/presets/settings.js';
import { holds } from '#test/support/properties.js';
import { allSamples } from '#test/support/setting-samples.js';

describe('resolving settings', () => {
  it('lets an explicit value beat the preset, for every preset, parameter and value', () => {
    let cases = 0;
    for (const preset of PRESET_IDS)
      for (const { name, value } of allSamples) {
        if (name === 'preset') continue;
        const needed = name === 'palette_count_mode' && value === 'manual' ? { palette_count: 8 } : {};
        const explicit = { preset, ...needed, [name]: value } as ExplicitSettings;
        const { values, origins } = resolveSettings(explicit);
        expect(values[name], `${preset} ${name}`).to.deep.equal(value);
        expect(origins[name], `${preset} ${name}`).to.equal('explicit');
        cases++;
      }
    expect(cases).to.equal(6 * (allSamples.length - PRESET_IDS.length));
  });

  it('gives every parameter a value and an origin whatever is asked for', () => {
    const anySettings = fc.subarray([...allSamples]).map((samples) => {
      const asked = Object.fromEntries(samples.map(({ name, value }) => [name, value]));
      return { palette_count: 8, ...asked } as ExplicitSettings;
    });
    holds(
      fc.property(anySettings, (explicit) => {
        const { values, origins } = resolveSettings(explicit);
        for (const name of SETTING_NAMES) {
          expect(values[name]).to.not.equal(undefined);
          if (explicit[name] !== undefined) expect(values[name]).to.equal(explicit[name]);
          expect(origins[name] === 'explicit', name).to.equal(explicit[name] !== undefined);
          if (origins[name] === 'default') expect(values[name]).to.equal(DEFAULT_VALUES[name]);
        }
      }),
    );
  });

  it('sets what the preset and the profile it chose say, and no more', () => {
    expect(presets.length).to.equal(6);
    for (const { id } of presets) {
      const { values, origins } = resolveSettings({ preset: id });
      const expansion = expandPreset(id);
      const profile = PRESETS[id].settings.quality_profile;
      expect(expansion).to.deep.equal({ ...(profile && QUALITY_PROFILES[profile].settings), ...PRESETS[id].settings });
      for (const name of SETTING_NAMES) {
        if (name === 'preset') continue;
        expect(origins[name], `${id} ${name}`).to.equal(expansion[name] === undefined ? 'default' : 'preset');
        expect(values[name], `${id} ${name}`).to.deep.equal(expansion[name] ?? DEFAULT_VALUES[name]);
      }
    }
  });

  it('keeps presets and profiles as differences: nothing in them repeats the default', () => {
    const entries = [...presets, ...qualityProfiles];
    expect(entries.length).to.equal(PRESET_IDS.length + QUALITY_PROFILE_IDS.length);
    let differences = 0;
    for (const { id, settings } of entries)
      for (const [name, value] of Object.entries(parseSettings(settings as Record<string, unknown>))) {
        expect(value, `${id} ${name}`).to.not.deep.equal(DEFAULT_VALUES[name as keyof typeof DEFAULT_VALUES]);
        differences++;
      }
    expect(differences).to.be.greaterThan(20);
  });

  it('never lets a preset ask for edge recovery', () => {
    for (const id of PRESET_IDS) expect(resolveSettings({ preset: id }).values.edge_recovery).to.equal('off');
  });

  it('lets a profile that was asked for replace the one of the preset and go before it', () => {
    const { values, origins } = resolveSettings({ preset: 'illustration', quality_profile: 'photo_smooth' });
    expect(values).to.include({
      quality_profile: 'photo_smooth',
      line_fit_tolerance: 'coarse',
      gradients: 'on',
      details_level: 'auto',
    });
    expect(origins).to.include({ quality_profile: 'explicit', line_fit_tolerance: 'preset', details_level: 'default' });
  });

  it('takes a count without a mode as manual, under either name, and an explicit mode as said', () => {
    for (const sent of [{ palette_count: 12 }, { paletteCount: 12 }]) {
      const { values, origins } = resolveSettings(parseSettings(sent));
      expect(values).to.include({ palette_count: 12, palette_count_mode: 'manual' });
      expect(origins).to.include({ palette_count: 'explicit', palette_count_mode: 'auto' });
    }
    expect(resolveSettings({ palette_count: 12, palette_count_mode: 'auto' }).values.palette_count_mode).to.equal(
      'auto',
    );
    expect(resolveSettings({ palette_count: null }).values.palette_count_mode).to.equal('auto');
  });

  it('refuses a manual palette without a count or colors', () => {
    expect(() => resolveSettings({ palette_count_mode: 'manual' })).to.throw('palette_count: is needed');
    expect(resolveSettings({ palette_count_mode: 'manual', fixed_palette: [0] }).values.palette_count).to.equal(null);
  });

  it('leaves fidelity out of the fast tier unless it is asked for', () => {
    const fast = resolveSettings({ quality_tier: 'fast' });
    expect([fast.values.fidelity, fast.origins.fidelity]).to.deep.equal([false, 'auto']);
    const asked = resolveSettings({ quality_tier: 'fast', fidelity: true });
    expect([asked.values.fidelity, asked.origins.fidelity]).to.deep.equal([true, 'explicit']);
    expect(resolveSettings({}).values.fidelity).to.equal(true);
  });
});

describe('what the tracer decided', () => {
  it('fills in what was open and keeps what was asked for or preset', () => {
    const resolved = resolveSettings({ preset: 'photo', details_level: 'auto', simplification: 0.5 });
    const decided = {
      details_level: 'low',
      simplification: 1,
      gradients: 'off',
      palette_count: 9,
      primitives: 'on',
      max_bytes: 5,
    };
    const { values, origins } = withDecided(resolved, decided);
    expect(values).to.include({
      details_level: 'low',
      simplification: 0.5,
      gradients: 'on',
      palette_count: 9,
      primitives: 'off',
    });
    expect(origins).to.include({
      details_level: 'auto',
      simplification: 'explicit',
      gradients: 'preset',
      palette_count: 'auto',
    });
    expect(resolved.values.details_level).to.equal('auto');
  });

  it('refuses a name that is no setting: the tracer is at fault', () => {
    for (const name of ['detail', 'constructor', '__proto__x'])
      expect(() => withDecided(resolveSettings({}), { [name]: 1 })).to.throw(TypeError, name);
  });
});
