import { expect } from 'chai';
import { createExporterRegistry } from '#application/exporter-registry.js';
import { createReportCapabilities } from '#application/use-cases/report-capabilities.js';
import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { SETTINGS, settingNames } from '#domain/presets/settings.js';
import { TIER_IDS, TIERS } from '#domain/tiers/tier.js';
import { exporters as builtIn } from '#plugins/index.js';
import { createDrawingBuilder } from '#test/support/drawing-builder.js';
import { measure } from '#test/support/measure-exporter.js';

const exporters = createExporterRegistry([...builtIn, measure]);
const report = createReportCapabilities({
  exporters,
  engines: async () => [{ id: 'planar', state: 'available', version: '1.2.3', license: 'MIT' }],
  edgeRecovery: async () => [{ id: 'pixel_exact', state: 'available' }],
  inputFormats: [{ id: 'png', mediaType: 'image/png' }],
  limits: { maxUploadBytes: 5 },
});

const never = new AbortController().signal;

describe('the capabilities', () => {
  it('list every format that is registered, one of the tests among them', async () => {
    const { exportFormats } = await report();
    expect(exportFormats.map(({ id }) => id)).to.deep.equal(exporters.all.map(({ format }) => format.id));
    expect(exportFormats.at(-1)).to.deep.equal({
      id: 'measure',
      label: 'Measure',
      mediaType: 'text/x-measure',
      extension: 'measure',
      plan: 'anonymous',
      features: ['size'],
      availability: { state: 'available' },
      options: ['scale', 'unit', 'title'],
    });
  });

  it('show for each option and format what the format itself takes and refuses', async () => {
    const { exportOptions } = await report();
    expect(exportOptions.map(({ name }) => name)).to.deep.equal(EXPORT_OPTION_NAMES);
    let taken = 0;
    let refused = 0;
    for (const { name, formats } of exportOptions) {
      expect(Object.keys(formats)).to.deep.equal(exporters.all.map(({ format }) => format.id));
      for (const exporter of exporters.all) {
        const cell = formats[exporter.format.id];
        if (cell === null) {
          expect(() => exporter.parseOptions({ [name]: 1 })).to.throw(`${exporter.format.id} cannot honour ${name}`);
          refused++;
          continue;
        }
        const parsed = exporter.parseOptions({ [name]: cell!.default }) as Record<string, unknown>;
        expect(parsed).to.deep.equal(exporter.parseOptions({}));
        if (cell!.max !== undefined)
          expect(() => exporter.parseOptions({ [name]: cell!.max! + 1 })).to.throw(`from ${cell!.min} to ${cell!.max}`);
        for (const value of cell!.values ?? []) {
          const schema = (exporter.optionsSchema as { properties: Record<string, { enum: string[] }> }).properties;
          expect(schema[name]!.enum).to.include(value);
        }
        taken++;
      }
    }
    expect(taken).to.be.above(40);
    expect(refused).to.be.above(40);
  });

  it("show a format's own defaults and values", async () => {
    const { exportOptions } = await report();
    const cellOf = (option: string, format: string) =>
      exportOptions.find(({ name }) => name === option)!.formats[format];
    expect(cellOf('unit', 'dxf')).to.deep.equal({ type: 'enum', default: 'mm', values: ['mm', 'cm', 'in'] });
    expect(cellOf('unit', 'measure')).to.deep.equal({ type: 'enum', default: 'px', values: ['px', 'mm'] });
    expect(cellOf('precision', 'eps')).to.deep.equal({ type: 'integer', default: 3, min: 0, max: 4 });
    expect(cellOf('background', 'svg')).to.deep.equal({ type: 'color', default: 'none' });
    expect(cellOf('svg_version', 'eps')).to.equal(null);
  });

  it('expand presets, and list tiers, engines, recovery and limits as they stand', async () => {
    const { presets, qualityTiers, engines, edgeRecovery, limits, inputFormats, parameters, qualityProfiles } =
      await report();
    expect(presets.map(({ id }) => id)).to.deep.equal(SETTINGS.preset.values);
    expect(presets.find(({ id }) => id === 'logo')!.settings).to.deep.equal({
      quality_profile: 'sharp_text_logo',
      tiny_path_area: 2,
    });
    expect(qualityProfiles.map(({ id }) => id)).to.deep.equal(SETTINGS.quality_profile.values);
    expect(qualityTiers.map(({ id, credits }) => [id, credits])).to.deep.equal(
      TIER_IDS.map((id) => [id, TIERS[id].credits]),
    );
    expect(qualityTiers[0]).to.include({ runLimitSeconds: 10, waitLimitSeconds: 10, maxWaiting: 64 });
    expect(engines).to.deep.equal([
      { id: 'planar', state: 'available', version: '1.2.3', license: 'MIT' },
      { id: 'potrace', state: 'unavailable', reason: 'It is not installed here.', version: null, license: null },
    ]);
    expect(edgeRecovery.map(({ id, state }) => [id, state])).to.deep.equal([
      ['real_esrgan', 'unavailable'],
      ['pixel_exact', 'available'],
    ]);
    expect(limits).to.include({ maxUploadBytes: 5, maxZipItems: 20, maxBatchFiles: 10 });
    expect(inputFormats).to.deep.equal([{ id: 'png', mediaType: 'image/png' }]);
    expect(Object.keys(parameters)).to.include.members([...settingNames()]);
  });

  it('is plain JSON', async () => {
    const capabilities = await report();
    expect(JSON.parse(JSON.stringify(capabilities))).to.deep.equal(capabilities);
  });

  it('lists a format that works', async () => {
    const { bytes } = await exporters
      .get('measure')
      .encode(createDrawingBuilder(3, 4).drawing(), measure.parseOptions({}), never);
    expect(new TextDecoder().decode(bytes)).to.equal('drawing: 3 x 4 px');
  });
});
