import { expect } from 'chai';
import { exporters } from '#plugins/index.js';
import { describeExporter } from '#test/contracts/exporter.js';

describe('the list of export formats', () => {
  it('is not empty', () => {
    expect(exporters.map(({ format }) => format.id)).to.include('svg');
  });
});

for (const exporter of exporters) describeExporter(exporter);
