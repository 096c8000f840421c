import { expect } from 'chai';
import fc from 'fast-check';
import type { ReportedSetting } from '#application/use-cases/vectorize-answer.js';
import { PRESETS } from '#domain/presets/catalogue.js';
import { PRESET_IDS, type SettingName, settingNames } from '#domain/presets/settings.js';
import { createTestService } from '#test/support/http-service.js';
import { convertForm } from '#test/support/multipart.js';
import { SEED } from '#test/support/properties.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';
import { sampleValues } from '#test/support/setting-samples.js';

/** A value as a form sends it, and as it is told back. */
const colorText = (color: number) => `#${color.toString(16).padStart(6, '0')}`;
const isColors = (name: SettingName) => name === 'fixed_palette';
const sent = (name: SettingName, value: unknown): string =>
  Array.isArray(value) ? (isColors(name) ? value.map(colorText) : value).join(',') : String(value);
const told = (name: SettingName, value: unknown): unknown =>
  isColors(name) ? (value as number[]).map(colorText) : value;

/** Every tracing parameter with every sample, but for those that choose something else than how to trace. */
const SAMPLES = settingNames('tracing').flatMap((name) =>
  name === 'preset' || name === 'engine' ? [] : sampleValues(name).map((value) => ({ name, value })),
);

describe('settings over HTTP', () => {
  const { convert } = createTestService();
  const picture = toPpm(discRaster(4));
  const settingsOf = async (settings: Record<string, string>): Promise<Record<string, ReportedSetting>> => {
    const answer = await convert(convertForm(picture, settings));
    expect(answer.statusCode, answer.body).to.equal(200);
    return answer.json().qualityDiagnostics.settings;
  };
  /** What makes a choice of its own beside it possible at all. */
  const companions = (name: SettingName, value: unknown): Record<string, string> =>
    name === 'palette_count_mode' && value === 'manual' ? { palette_count: '8' } : {};

  it('tell of every parameter, in every preset, its value and who chose it', async () => {
    for (const preset of PRESET_IDS) {
      const settings = await settingsOf({ preset });
      expect(Object.keys(settings)).to.have.members([...settingNames('tracing')]);
      expect(settings.preset).to.deep.equal({ value: preset, origin: 'explicit' });
      for (const [name, value] of Object.entries(PRESETS[preset].settings))
        expect(settings[name], `${preset} ${name}`).to.deep.equal({ value, origin: 'preset' });
      const origins = new Set(Object.values(settings).map(({ origin }) => origin));
      expect(
        [...origins].filter((origin) => !['explicit', 'preset', 'auto', 'default'].includes(origin)),
      ).to.deep.equal([]);
    }
  });

  it('sent explicitly beat every preset, one by one', async () => {
    expect(SAMPLES.length).to.be.greaterThan(50);
    let compared = 0;
    for (const preset of PRESET_IDS)
      for (const { name, value } of SAMPLES) {
        const settings = await settingsOf({ preset, ...companions(name, value), [name]: sent(name, value) });
        expect(settings[name], `${preset} ${name}`).to.deep.equal({ value: told(name, value), origin: 'explicit' });
        compared++;
      }
    expect(compared).to.equal(PRESET_IDS.length * SAMPLES.length);
  });

  it('sent explicitly beat the preset in any pair', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PRESET_IDS),
        fc.constantFrom(...SAMPLES),
        fc.constantFrom(...SAMPLES),
        async (preset, a, b) => {
          fc.pre(a.name !== b.name);
          const form = {
            preset,
            ...companions(a.name, a.value),
            ...companions(b.name, b.value),
            [a.name]: sent(a.name, a.value),
            [b.name]: sent(b.name, b.value),
          };
          const settings = await settingsOf(form);
          for (const { name, value } of [a, b])
            expect(settings[name]).to.deep.equal({ value: told(name, value), origin: 'explicit' });
        },
      ),
      { seed: Number(process.env.BURIN_TEST_SEED ?? SEED), numRuns: 100 },
    ));
});
