import { expect } from 'chai';
import { publishedNames, SETTING_NAMES, settingNames, toJsonSchema } from '#domain/presets/settings.js';

describe('the JSON schema of the settings', () => {
  it('has one property for every published name and allows no other', () => {
    const names = SETTING_NAMES.flatMap((name) => publishedNames(name).map((published) => published.name));
    const schema = toJsonSchema();
    expect(Object.keys(schema.properties)).to.deep.equal(names);
    expect(schema).to.include({ type: 'object', additionalProperties: false });
    for (const property of Object.values(schema.properties)) expect(property.description).to.match(/\.$/);
  });

  it('leaves request parameters out of the tracing scope', () => {
    const names = Object.keys(toJsonSchema({ scope: 'tracing' }).properties);
    expect(names).to.include('paletteCount');
    expect(names).to.not.include.members(['output', 'dry_run']);
    expect(names.length).to.equal(settingNames('tracing').length + 1);
  });

  it('gives ranges, values and defaults from the table', () => {
    const { properties } = toJsonSchema();
    expect(properties.palette_count).to.include({ type: 'integer', minimum: 2, maximum: 64 });
    expect(properties.palette_count).to.not.have.property('default');
    expect(properties.paletteCount).to.include({ type: 'integer', minimum: 2, maximum: 128 });
    expect(properties.simplification).to.include({ type: 'number', minimum: 0, maximum: 1, default: 0.25 });
    expect(properties.output).to.deep.include({ enum: ['svg', 'json'], default: 'json' });
    expect(properties.curves).to.deep.include({ type: 'array', uniqueItems: true });
    expect(properties.fixed_palette).to.deep.include({ type: 'array', maxItems: 256 });
  });

  it('writes lists as text for forms', () => {
    const { properties } = toJsonSchema({ form: true });
    expect(properties.curves).to.include({ type: 'string', default: 'line,arc,quadratic,cubic' });
    expect(properties.fixed_palette).to.include({ type: 'string' });
  });
});
