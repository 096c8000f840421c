import { expect } from 'chai';
import { type Drawing, type Paint, shapesOf } from '#domain/drawing/drawing.js';
import { flattenGeometry } from '#domain/drawing/outline-visitors.js';
import { ServiceError } from '#domain/errors.js';
import { dxf } from '#plugins/dxf/index.js';
import { colorIndexOf } from '#plugins/dxf/layers.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { featureDrawings, logoDrawing } from '#test/support/feature-drawings.js';
import { expectedDxf, MM_PER_PX } from './expected-dxf.js';
import { extentsOf, type ReadContour, readDxf } from './read-dxf.js';

const never = new AbortController().signal;
const LEVELS = ['lines_only', 'lines_and_arcs', 'splines'] as const;

async function exported(drawing: Drawing, options: object = {}) {
  const { bytes, ...rest } = await dxf.encode(drawing, dxf.parseOptions(options), never);
  return { ...rest, bytes, ...readDxf(bytes) };
}

/** From a point to the nearest of the contours, which are followed point by point. */
function distanceTo(contours: readonly ReadContour[], x: number, y: number): number {
  let least = Infinity;
  for (const { points } of contours)
    for (const [i, [x0, y0]] of points.entries()) {
      const [x1, y1] = points[(i + 1) % points.length]!;
      const [dx, dy] = [x1 - x0, y1 - y0];
      const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(x0 + along * dx - x, y0 + along * dy - y));
    }
  return least;
}

describe('the DXF document', () => {
  it('has what is painted several times once, and what is painted on something else as often as it is', async () => {
    const fade = (x2: number): Paint => ({
      kind: 'linear',
      x1: 0,
      y1: 0,
      x2,
      y2: 0,
      stops: [
        { offset: 0, color: 0xff8000, opacity: 1 },
        { offset: 1, color: 0xff8000, opacity: 0 },
      ],
    });
    const builder = createDrawingBuilder(40, 40);
    const square = () => builder.path([['M', 4, 4], ['L', 30, 4], ['L', 30, 30], ['L', 4, 30], ['Z']]);
    const [first, again] = [square(), square()];
    const other = builder.path([['M', 4, 4], ['L', 30, 4], ['L', 30, 31], ['L', 4, 30], ['Z']]);
    const layered = [shapeOf(first, solid(0x3060ff)), shapeOf(first, fade(20)), shapeOf(again, fade(30))];
    expect((await exported(builder.drawing(layered))).contours.length).to.equal(1);
    const apart = [...layered, shapeOf(other, fade(20)), shapeOf(again, solid(0x208040))];
    expect((await exported(builder.drawing(apart))).contours.length).to.equal(3);
  });

  for (const compatibility of LEVELS)
    it(`is read by others without loss: closed contours, true size and area (${compatibility})`, async () => {
      let filled = 0;
      for (const { name, drawing } of featureDrawings) {
        const { contours } = await exported(drawing, { compatibility });
        const wanted = expectedDxf(drawing);
        const box = extentsOf(contours);
        const slack = 1e-4 * Math.max(wanted.box.maxX - wanted.box.minX, wanted.box.maxY - wanted.box.minY);
        for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
          expect(box[side]).to.be.closeTo(wanted.box[side], slack, `${name}: ${side}`);
        for (const [layer, area] of wanted.areas) {
          const own = contours.filter((contour) => contour.layer === layer && contour.closed);
          const sum = own.reduce((total, contour) => total + contour.area, 0);
          expect(Math.abs(sum - area.sum)).to.be.at.most(1e-3 * area.absolute + 1e-9, `${name}: ${layer}`);
          filled += own.length;
        }
        const hasStrokes = [...shapesOf(drawing.items)].some(({ stroke }) => stroke !== null);
        if (!hasStrokes) expect(contours.every(({ closed }) => closed)).to.equal(true, name);
      }
      expect(filled).to.be.above(50);
    });

  it('says its unit in the file and in the answer, and has the size that was asked for', async () => {
    const drawing = createDrawingBuilder(96, 48).drawing([shapeOf(rectOf(0, 0, 96, 48), solid(0xff0000))]);
    const cases = [
      [{}, 4, { width: 25.4, height: 12.7, unit: 'mm' }],
      [{ unit: 'in' }, 1, { width: 1, height: 0.5, unit: 'in' }],
      [{ width: 10, unit: 'cm' }, 5, { width: 10, height: 5, unit: 'cm' }],
      [{ width: 100, height: 100, fit: 'stretch' }, 4, { width: 100, height: 100, unit: 'mm' }],
      [{ dpi: 48 }, 4, { width: 50.8, height: 25.4, unit: 'mm' }],
    ] as const;
    for (const compatibility of LEVELS)
      for (const [options, code, size] of cases) {
        const result = await exported(drawing, { ...options, compatibility });
        expect(result.header.$INSUNITS).to.equal(code);
        expect(result.size!.unit).to.equal(size.unit);
        expect(result.size!.width).to.be.closeTo(size.width, 1e-9);
        expect(result.size!.height).to.be.closeTo(size.height, 1e-9);
        const box = extentsOf(result.contours);
        expect(box.minX).to.be.closeTo(0, 1e-6);
        expect(box.minY).to.be.closeTo(0, 1e-6);
        expect(box.maxX).to.be.closeTo(size.width, 1e-6);
        expect(box.maxY).to.be.closeTo(size.height, 1e-6);
      }
  });

  it('points y up', async () => {
    const drawing = createDrawingBuilder(100, 100).drawing([shapeOf(rectOf(0, 0, 100, 10), solid(0x00ff00))]);
    for (const compatibility of LEVELS) {
      const box = extentsOf((await exported(drawing, { compatibility })).contours);
      expect(box.minY).to.be.closeTo(90 * MM_PER_PX, 1e-6);
    }
  });

  it('has a layer for each color, or one', async () => {
    const drawing = createDrawingBuilder(40, 10).drawing([
      shapeOf(rectOf(0, 0, 10, 10), solid(0xff0000)),
      shapeOf(rectOf(10, 0, 10, 10), solid(0x0000ff)),
      shapeOf(rectOf(20, 0, 10, 10), solid(0xff0000)),
    ]);
    for (const compatibility of LEVELS) {
      const { layers, contours } = await exported(drawing, { compatibility });
      expect(layers['C-FF0000']).to.include({ colorIndex: 1 });
      expect(layers['C-0000FF']).to.include({ colorIndex: 5 });
      expect(contours.map(({ layer }) => layer)).to.deep.equal(['C-FF0000', 'C-FF0000', 'C-0000FF']);
      const single = await exported(drawing, { compatibility, layers: 'none' });
      expect(new Set(single.contours.map(({ layer }) => layer))).to.deep.equal(new Set(['0']));
    }
  });

  it('uses lines only, lines and arcs, or splines, as it is asked', async () => {
    const { drawing } = featureDrawings.find(({ name }) => name === 'curves of every kind')!;
    const lines = (await exported(drawing, { compatibility: 'lines_only' })).contours;
    const arcs = (await exported(drawing)).contours;
    const splines = (await exported(drawing, { compatibility: 'splines' })).contours;
    expect(lines.every(({ type, arcs: count }) => type === 'POLYLINE' && count === 0)).to.equal(true);
    expect(arcs.some(({ arcs: count }) => count > 0)).to.equal(true);
    expect(arcs[0]!.segments).to.be.below(lines[0]!.segments);
    expect(splines.map(({ type }) => type)).to.deep.equal(['SPLINE']);
  });

  it('keeps circles and round corners as arcs', async () => {
    const drawing = createDrawingBuilder(100, 100).drawing([
      shapeOf({ kind: 'circle', cx: 30, cy: 30, r: 20 }, solid(0)),
      shapeOf(rectOf(60, 60, 30, 20, 5), solid(0)),
    ]);
    const { contours } = await exported(drawing);
    expect(contours.map(({ segments, arcs }) => [segments, arcs])).to.deep.equal([
      [2, 2],
      [8, 4],
    ]);
    expect(contours.reduce((sum, { area }) => sum + Math.abs(area), 0) / MM_PER_PX ** 2).to.be.closeTo(
      Math.PI * 400 + 600 - (4 - Math.PI) * 25,
      0.05,
    );
  });

  it('fits arcs within the tolerance it is given', async () => {
    const drawing = logoDrawing(24, 2, 120);
    const counts: number[] = [];
    for (const tolerance of [0.5, 0.05, 0.002]) {
      const { contours } = await exported(drawing, { tolerance });
      const segments = contours.reduce((sum, contour) => sum + contour.segments, 0);
      counts.push(segments);
      let worst = 0;
      for (const { geometry } of shapesOf(drawing.items))
        for (const { points } of flattenGeometry(geometry, drawing, 0.02))
          for (let i = 0; i < points.length; i += 2)
            worst = Math.max(
              worst,
              distanceTo(contours, points[i]! * MM_PER_PX, (drawing.height - points[i + 1]!) * MM_PER_PX),
            );
      expect(worst).to.be.at.most(tolerance * 1.02 + 0.0001);
    }
    expect(counts[2]).to.be.above(counts[1]!);
  });

  it('takes at most 600 lines and arcs for a logo of 200 curves at 0.05 mm', async () => {
    const { contours } = await exported(logoDrawing(200));
    const segments = contours.reduce((sum, contour) => sum + contour.segments, 0);
    expect(contours).to.have.length(10);
    expect(segments).to.be.within(200, 600);
  });

  it('keeps contours apart that share corners, and whole where they touch themselves', async () => {
    const builder = createDrawingBuilder(100, 100);
    const bowTie = builder.path([
      ['M', 50, 50],
      ['L', 60, 40],
      ['L', 60, 60],
      ['L', 50, 50],
      ['L', 40, 60],
      ['L', 40, 40],
      ['Z'],
    ]);
    const spike = builder.path([['M', 0, 80], ['L', 10, 80], ['L', 20, 90], ['L', 10, 80], ['L', 5, 95], ['Z']]);
    const drawing = builder.drawing([
      shapeOf(rectOf(0, 0, 10, 10), solid(0xff0000)),
      shapeOf(rectOf(10, 10, 10, 10), solid(0xff0000)),
      shapeOf(rectOf(10, 0, 10, 10), solid(0xff0000)),
      shapeOf(bowTie, solid(0x00ff00)),
      shapeOf(spike, solid(0x0000ff)),
    ]);
    const { contours } = await exported(drawing);
    expect(contours.map(({ layer, segments, closed }) => [layer, segments, closed])).to.deep.equal([
      ['C-FF0000', 4, true],
      ['C-FF0000', 4, true],
      ['C-FF0000', 4, true],
      ['C-00FF00', 6, true],
      ['C-0000FF', 5, true],
    ]);
  });

  it('leaves lines open that are only drawn along, and says what it could not keep', async () => {
    const builder = createDrawingBuilder(50, 50);
    const stops = [
      { offset: 0, color: 0xff0000, opacity: 1 },
      { offset: 1, color: 0x0000ff, opacity: 1 },
    ];
    const drawing = builder.drawing([
      shapeOf(
        builder.path([
          ['M', 0, 0],
          ['L', 40, 0],
          ['L', 40, 40],
        ]),
        null,
        strokeOf(solid(0), 2),
      ),
      shapeOf(rectOf(0, 0, 10, 10), { kind: 'linear', x1: 0, y1: 0, x2: 10, y2: 0, stops }),
      shapeOf(rectOf(20, 20, 10, 10), solid(0x00ff00, 0.5)),
    ]);
    const { contours, warnings } = await exported(drawing);
    expect(contours.map(({ closed }) => closed)).to.deep.equal([false, true, true]);
    expect(warnings.map(({ code }) => code)).to.deep.equal([
      'gradient-as-color',
      'opacity-dropped',
      'stroke-as-centerline',
    ]);
    expect(contours[1]!.layer).to.equal('C-800080');
  });

  it('knows the indexed colors of CAD', () => {
    const known: [number, number][] = [
      [0xff0000, 1],
      [0xffff00, 2],
      [0x00ff00, 3],
      [0x00ffff, 4],
      [0x0000ff, 5],
      [0xff00ff, 6],
      [0x000000, 7],
      [0xffffff, 7],
      [0xff7f00, 30],
      [0x7f0000, 14],
      [0x00a552, 112],
      [0x333333, 250],
    ];
    for (const [color, index] of known) expect(colorIndexOf(color), color.toString(16)).to.equal(index);
  });

  it('refuses what it cannot honour', () => {
    expect(() => dxf.parseOptions({ background: '#fff' })).to.throw(ServiceError, 'dxf cannot honour background');
    expect(() => dxf.parseOptions({ unit: 'px' })).to.throw(ServiceError, 'not one of mm, cm, in');
    expect(() => dxf.parseOptions({ fit: 'overflow' })).to.throw(ServiceError, 'not one of inset, stretch');
  });
});
