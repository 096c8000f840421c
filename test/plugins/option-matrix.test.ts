import { expect } from 'chai';
import type { Exporter } from '#application/ports/exporter.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { EXPORT_OPTION_NAMES, type ExportOption, exportOptionRow } from '#domain/exports/export-options.js';
import { exporters } from '#plugins/index.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { LOOKS } from './option-looks.js';

const never = new AbortController().signal;

/** Something for every option to act upon: curves, a turned ellipse, a stroke, a fade, an overlap, room around. */
function busyDrawing(): Drawing {
  const builder = createDrawingBuilder(60, 40);
  const stops = [
    { offset: 0, color: 0xff0000, opacity: 1 },
    { offset: 1, color: 0x0000ff, opacity: 1 },
  ];
  return builder.drawing([
    shapeOf(builder.path([['M', 5.125, 5.333], ['C', 20, 0, 30, 25, 10, 30], ['Z']]), solid(0x119955)),
    shapeOf({ kind: 'ellipse', cx: 42, cy: 12, rx: 9, ry: 5, rotation: 30 }, solid(0xaa3311)),
    shapeOf(rectOf(50, 20, 20, 10), { kind: 'linear', x1: 50, y1: 0, x2: 70, y2: 10, stops }),
    shapeOf(
      builder.path([
        ['M', 5, 36],
        ['L', 50, 36],
      ]),
      null,
      strokeOf(solid(0x222222), 2),
    ),
    { kind: 'group', opacity: 0.5, clip: null, items: [shapeOf(rectOf(20, 30, 5, 5), solid(0x00aaff))] },
  ]);
}

function samplesOf(row: ExportOption): readonly unknown[] {
  switch (row.type) {
    case 'enum':
      return row.values.filter((value) => value !== row.default);
    case 'boolean':
      return [!row.default];
    case 'color':
      return ['#00ff80'];
    case 'text':
      return ['Some text'];
    default: {
      const middle = row.type === 'integer' ? Math.floor((row.min + row.max) / 2) : Math.min(row.max, row.min * 2 + 1);
      return [row.min, middle, Math.min(row.max, 120)].filter((value) => value !== row.default);
    }
  }
}

describe('each option of each format', () => {
  let shown = 0;
  let refused = 0;
  for (const exporter of exporters as readonly Exporter[]) {
    const { id } = exporter.format;
    for (const name of EXPORT_OPTION_NAMES) {
      const row = exporter.rows[name];
      if (row === undefined)
        it(`${id} refuses ${name}`, () => {
          const [sample] = samplesOf(exportOptionRow(name));
          expect(() => exporter.parseOptions({ [name]: sample })).to.throw(`${id} cannot honour ${name}`);
          refused++;
        });
      else
        it(`${id} shows what ${name} says`, async () => {
          await LOOKS[name](id, (options) => exporter.encode(busyDrawing(), exporter.parseOptions(options), never));
          shown++;
        });
    }
  }

  after(() => {
    expect(shown).to.be.above(60);
    expect(refused).to.be.above(60);
  });
});
