import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '#domain/errors.js';
import { parseSettings, publishedNames, SETTING_NAMES, settingNames, settingRow } from '#domain/presets/settings.js';
import { holds } from '#test/support/properties.js';
import { allSamples } from '#test/support/setting-samples.js';

/** The refusal that parsing the input ends in. */
function refusal(input: Record<string, unknown>, scope?: 'tracing') {
  try {
    parseSettings(input, scope);
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError);
    const { code, field, message } = error as ServiceError;
    expect(code).to.equal('INVALID_REQUEST');
    return { field, message };
  }
  throw new Error(`${JSON.stringify(input)} was accepted`);
}

const asFormText = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value.map(String)) : String(value));

describe('parsing settings', () => {
  it('takes every parameter as a native value', () => {
    expect(allSamples.length).to.be.greaterThan(80);
    for (const { name, value } of allSamples)
      expect(parseSettings({ [name]: value }), name).to.deep.equal({ [name]: value });
  });

  it('takes every parameter as text and means the same', () => {
    for (const { name, value } of allSamples) {
      if (settingRow(name).type === 'colors') continue;
      expect(parseSettings({ [name]: asFormText(value) }), name).to.deep.equal(parseSettings({ [name]: value }));
    }
  });

  it('leaves out what is undefined', () => {
    expect(parseSettings({ preset: undefined, simplification: 0 })).to.deep.equal({ simplification: 0 });
  });

  it('takes null as "not limited" where a parameter can be unset, and refuses it elsewhere', () => {
    expect(parseSettings({ palette_count: null, max_nodes: null })).to.deep.equal({
      palette_count: null,
      max_nodes: null,
    });
    expect(refusal({ simplification: null }).field).to.equal('simplification');
  });

  it('reads palettes as comma list, JSON array, array, short and long hex', () => {
    const wanted = { fixed_palette: [0xff0000, 0x00ff7f] };
    for (const fixed_palette of [
      '#f00,00FF7F',
      '["#ff0000", "#00ff7f"]',
      ['f00', '#00ff7f'],
      [0xff0000, 0x00ff7f],
      '#f00, #00ff7f, #f00',
    ])
      expect(parseSettings({ fixed_palette }), String(fixed_palette)).to.deep.equal(wanted);
    for (const bad of ['red', '#12345', '[', '', [], [0x1000000], [-1], Array(257).fill('#000'), 7, '[1.5]', '{}'])
      expect(refusal({ fixed_palette: bad }).field, String(bad)).to.equal('fixed_palette');
  });

  it('puts lists into the order of the table', () => {
    expect(parseSettings({ curves: 'cubic, line,cubic' })).to.deep.equal({ curves: ['line', 'cubic'] });
    expect(refusal({ curves: '' }).message).to.include('line, arc, quadratic, cubic');
    expect(refusal({ curves: 'cubik' }).message).to.include('did you mean cubic?');
  });

  it('gives each published name of the palette count its own range', () => {
    expect(parseSettings({ palette_count: '64' })).to.deep.equal({ palette_count: 64 });
    expect(parseSettings({ paletteCount: '128' })).to.deep.equal({ palette_count: 128 });
    expect(refusal({ palette_count: '65' })).to.deep.include({ field: 'palette_count' });
    expect(refusal({ palette_count: '65' }).message).to.include('from 2 to 64');
    expect(refusal({ paletteCount: 129 }).message).to.include('from 2 to 128');
  });

  it('refuses two names of one parameter that disagree, in either order', () => {
    expect(parseSettings({ paletteCount: 8, palette_count: '8' })).to.deep.equal({ palette_count: 8 });
    expect(refusal({ paletteCount: 64, palette_count: 32 }).message).to.include('paletteCount');
    expect(refusal({ palette_count: 32, paletteCount: 64 }).message).to.include('palette_count');
  });

  it('refuses every number outside its range and names the range', () => {
    const numeric = SETTING_NAMES.flatMap((name) => publishedNames(name)).filter(
      ({ row }) => row.type === 'number' || row.type === 'integer',
    );
    expect(numeric.length).to.equal(7);
    for (const { name, row } of numeric) {
      if (row.type !== 'number' && row.type !== 'integer') continue;
      for (const value of [row.min - 1, row.max + 1, String(row.max + 1), Number.POSITIVE_INFINITY]) {
        const { field, message } = refusal({ [name]: value });
        expect(field).to.equal(name);
        expect(message).to.include(`from ${row.min} to ${row.max}`);
      }
      for (const value of [Number.NaN, '', 'many', '0x10', true, {}, '1 2'])
        expect(refusal({ [name]: value }).field).to.equal(name);
      if (row.type === 'integer') expect(refusal({ [name]: row.min + 0.5 }).message).to.include('whole number');
    }
  });

  it('refuses a value that is not listed, lists them and names the nearest', () => {
    const { field, message } = refusal({ preset: 'phot' });
    expect(field).to.equal('preset');
    expect(message).to.include('auto, logo, illustration, photo, pixel_art, technical_drawing');
    expect(message).to.include('did you mean photo?');
  });

  it('refuses a scalar given twice', () => {
    expect(refusal({ preset: ['logo', 'photo'] }).message).to.include('more than once');
  });

  it('refuses any unknown name and names one that is known', () => {
    const known = SETTING_NAMES.flatMap((name) => publishedNames(name).map((published) => published.name));
    let refused = 0;
    holds(
      fc.property(fc.string({ minLength: 1, maxLength: 80 }), (name) => {
        if (known.includes(name)) return;
        const { message } = refusal(Object.fromEntries([[name, '1']]));
        const nearest = /the nearest known one is (\S+)$/.exec(message)?.[1];
        expect(known).to.include(nearest);
        refused++;
      }),
    );
    expect(refused).to.be.greaterThan(200);
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(refusal(JSON.parse(`{"${name}": 1}`)).message).to.include('unknown parameter');
    expect(refusal({ colorMode: 'bw' }).message).to.include('nearest known one is color_mode');
  });

  it('knows the parameters that only answer requests outside the tracing scope alone', () => {
    expect(parseSettings({ output: 'svg', dry_run: 'true' })).to.deep.equal({ output: 'svg', dry_run: true });
    for (const name of ['output', 'dry_run'])
      expect(refusal({ [name]: 'svg' }, 'tracing').message).to.include('unknown');
    expect(settingNames('tracing')).to.not.include.members(['output', 'dry_run']);
  });

  it('never throws anything but a refusal', () => {
    holds(
      fc.property(fc.constantFrom(...SETTING_NAMES), fc.anything(), (name, value) => {
        try {
          parseSettings({ [name]: value });
        } catch (error) {
          expect(error).to.be.instanceOf(ServiceError);
        }
      }),
      1000,
    );
  });
});
