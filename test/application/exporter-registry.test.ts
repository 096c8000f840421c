import { expect } from 'chai';
import { createExporterRegistry } from '#application/exporter-registry.js';
import type { Exporter } from '#application/ports/exporter.js';
import { ServiceError } from '#domain/errors.js';
import { exporters } from '#plugins/index.js';

const fake = (id: string): Exporter => ({
  format: { id, label: id, mediaType: 'text/plain', extension: id, plan: 'anonymous', features: [] },
  rows: {},
  optionsSchema: {},
  parseOptions: () => ({}),
  availability: async () => ({ state: 'available' }),
  encode: async () => ({ bytes: new Uint8Array(), warnings: [] }),
});

describe('the exporter registry', () => {
  it('finds each exporter by its id and keeps their order', () => {
    const list = [fake('one'), fake('two')];
    const registry = createExporterRegistry(list);
    expect(registry.get('two')).to.equal(list[1]);
    expect(registry.all).to.deep.equal(list);
  });

  it('refuses to be built with one id twice', () => {
    expect(() => createExporterRegistry([fake('one'), fake('two'), fake('one')])).to.throw(RangeError, '"one"');
  });

  it('answers an unknown format with the list of those there are', () => {
    const registry = createExporterRegistry([fake('one'), fake('two')]);
    const refusal = (() => {
      try {
        return registry.get('three');
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).to.be.instanceOf(ServiceError);
    expect((refusal as ServiceError).code).to.equal('UNSUPPORTED_FORMAT');
    expect((refusal as ServiceError).message).to.match(/"three".*one, two/);
    for (const name of ['constructor', '__proto__', '']) expect(() => registry.get(name)).to.throw(ServiceError);
  });

  it('can be built from the plugins', () => {
    expect(createExporterRegistry(exporters).get('svg').format.extension).to.equal('svg');
  });
});
