import { expect } from 'chai';
import { solidPaint } from '#adapters/tracing/engine/emit/outline-buffer.js';
import { drawOutlines } from '#adapters/tracing/engine/emit/outlines.js';
import { stackRegions } from '#adapters/tracing/engine/emit/stacking.js';
import { drawStrokes } from '#adapters/tracing/engine/emit/strokes.js';
import type { EngineShape } from '#adapters/tracing/engine/types.js';
import type { Raster } from '#application/ports/tracer.js';
import { ARC, CLOSE, COORDS_PER_COMMAND, CUBIC, LINE, MOVE, visitPath } from '#domain/drawing/drawing.js';
import { type EngineParts, partsOfLetters, partsOfPicture } from '#test/support/engine-parts.js';
import { circle, rectangle, ring, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

function draw({ map, loops, regions, curves }: EngineParts, stacked = true) {
  const stacking = stackRegions(map, loops, regions, new Uint8Array(regions.count), !stacked);
  return drawOutlines(map, loops, regions, stacking, curves, stacked);
}
const drawPicture = (raster: Raster, stacked = true) => draw(partsOfPicture(raster), stacked);

/** Commands of one path shape. */
function commandsOf(outlines: ReturnType<typeof draw>, shape: EngineShape): number[] {
  if (shape.geometry.kind !== 'path') throw new RangeError('not a path');
  const { firstCommand, commandCount } = shape.geometry;
  return [...outlines.commands.subarray(firstCommand, firstCommand + commandCount)];
}

/** Points along one path shape, curves in 16 pieces. */
function pointsOf(outlines: ReturnType<typeof draw>, shape: EngineShape): [number, number][] {
  if (shape.geometry.kind !== 'path') throw new RangeError('not a path');
  const points: [number, number][] = [];
  const add = (x: number, y: number) => points.push([x, y]);
  visitPath({ ...shape.geometry }, outlines, {
    move: add,
    line: add,
    quadratic: () => expect.fail('the engine writes no quadratics'),
    cubic(x1, y1, x2, y2, x, y) {
      const [x0, y0] = points.at(-1)!;
      for (let k = 1; k <= 16; k++) {
        const t = k / 16;
        const u = 1 - t;
        const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        add(k === 16 ? x : a * x0 + b * x1 + c * x2 + d * x, k === 16 ? y : a * y0 + b * y1 + c * y2 + d * y);
      }
    },
    arc: () => expect.fail('there is no circle in this picture'),
    close: () => undefined,
  });
  return points;
}

/** Twice the area of a polygon, positive if it runs clockwise on screen. */
const doubledArea = (points: readonly (readonly [number, number])[]) =>
  points.reduce((sum, [x, y], k) => {
    const [u, v] = points[(k + 1) % points.length]!;
    return sum + x * v - u * y;
  }, 0);

describe('outlines', () => {
  it('lead ways between tones no deeper beneath covers than a few px, and shapes farther', () => {
    const raster = paint(200, 200, 0xffffff, [
      layer(0x2a9d8f, rectangle(20, 20, 160, 160)),
      layer(0xe63946, rectangle(60, 4, 80, 192)),
    ]);
    const parts = partsOfPicture(raster);
    const { map, loops, regions, curves } = parts;
    const stacking = stackRegions(map, loops, regions, new Uint8Array(regions.count), false);
    const numbers = [false, true].map(
      (areTones) => drawOutlines(map, loops, regions, stacking, curves, true, { areTones }).coords,
    );
    expect([...numbers[0]!]).to.not.deep.equal([...numbers[1]!]);
    // Both are the same picture: what is seen keeps its corners.
    for (const coords of numbers)
      for (const corner of [20, 180]) expect([...coords].some((v) => Math.abs(v - corner) < 0.05)).to.equal(true);
  });

  it('write a circle as a circle, at its place', () => {
    const { items } = drawPicture(paint(64, 64, 0xffffff, [layer(0xe63946, circle(31.7, 32.4, 20.3))]));
    expect(items.length).to.equal(2);
    const { geometry } = items[1]!;
    if (geometry.kind !== 'circle') throw new RangeError(`a ${geometry.kind} was written`);
    expect(geometry.cx).to.be.closeTo(31.7, 0.05);
    expect(geometry.cy).to.be.closeTo(32.4, 0.05);
    expect(geometry.r).to.be.closeTo(20.3, 0.05);
  });

  it('write a rectangle on whole pixels as a rectangle', () => {
    const { items } = drawPicture(paint(48, 40, 0xffffff, [layer(0xe63946, rectangle(9, 7, 28, 22))]));
    const { geometry } = items[1]!;
    if (geometry.kind !== 'rect') throw new RangeError(`a ${geometry.kind} was written`);
    const found = [geometry.x, geometry.y, geometry.width, geometry.height];
    [9, 7, 28, 22].forEach((side, k) => {
      expect(found[k]).to.be.closeTo(side, 0.01);
    });
    expect(geometry.radius).to.equal(0);
  });

  it('place the sides of a rectangle between pixels where they are', () => {
    const outlines = drawPicture(paint(48, 40, 0xffffff, [layer(0xe63946, rectangle(9.3, 7.6, 28.2, 22.7))]));
    const shape = outlines.items[1]!;
    const { geometry } = shape;
    const points: readonly (readonly [number, number])[] =
      geometry.kind === 'rect'
        ? [
            [geometry.x, geometry.y],
            [geometry.x + geometry.width, geometry.y + geometry.height],
          ]
        : pointsOf(outlines, shape);
    expect(Math.min(...points.map(([x]) => x))).to.be.closeTo(9.3, 0.12);
    expect(Math.min(...points.map(([, y]) => y))).to.be.closeTo(7.6, 0.12);
    expect(Math.max(...points.map(([x]) => x))).to.be.closeTo(37.5, 0.12);
    expect(Math.max(...points.map(([, y]) => y))).to.be.closeTo(30.3, 0.12);
  });

  it('write the ground as a rectangle of the size of the picture', () => {
    const { items } = drawPicture(paint(48, 40, 0xffffff, []));
    expect(items.map(({ geometry }) => geometry)).to.deep.equal([
      { kind: 'rect', x: 0, y: 0, width: 48, height: 40, radius: 0 },
    ]);
  });

  it('write a turned square as a path of four lines with its corners', () => {
    const square = turned(rectangle(14, 14, 36, 36), 17, 32, 32);
    const outlines = drawPicture(paint(64, 64, 0xffffff, [layer(0x1d3557, square)]));
    const shape = outlines.items[1]!;
    expect(commandsOf(outlines, shape).filter((c) => c === CUBIC).length).to.equal(0);
    const points = pointsOf(outlines, shape);
    for (let k = 0; k < 8; k += 2) {
      const nearest = Math.min(...points.map(([x, y]) => Math.hypot(x - square[k]!, y - square[k + 1]!)));
      expect(nearest).to.be.at.most(0.15);
    }
  });

  it('begin, close and stay inside their ranges', () => {
    const outlines = drawPicture(
      paint(64, 64, null, [layer(0xe63946, ...ring(32, 32, 25, 12)), layer(0x1d3557, rectangle(40, 3, 12, 20))]),
    );
    let paths = 0;
    for (const shape of outlines.items) {
      if (shape.geometry.kind !== 'path') continue;
      paths++;
      const commands = commandsOf(outlines, shape);
      expect(commands[0]).to.equal(MOVE);
      expect(commands.at(-1)).to.equal(CLOSE);
      commands.forEach((command, k) => {
        if (command === MOVE && k > 0) expect(commands[k - 1]).to.equal(CLOSE);
      });
      const { firstCoord } = shape.geometry;
      const length = commands.reduce((sum, command) => sum + COORDS_PER_COMMAND[command]!, 0);
      expect(firstCoord + length).to.be.at.most(outlines.coords.length);
    }
    expect(paths).to.be.greaterThan(0);
  });

  it('cut a hole that is seen through, as arcs where it is a circle, by the even-odd rule', () => {
    const outlines = drawPicture(paint(64, 64, null, [layer(0xe63946, ...ring(32, 32, 25, 12))]));
    expect(outlines.items.length).to.equal(1);
    const shape = outlines.items[0]!;
    expect(shape.geometry.kind === 'path' && shape.geometry.evenOdd).to.equal(true);
    expect(commandsOf(outlines, shape)).to.deep.equal([MOVE, ARC, ARC, CLOSE, MOVE, ARC, ARC, CLOSE]);
    // rx, ry, rotation, large arc, sweep: the hole runs the other way.
    expect(outlines.coords[2 + 4]).to.not.equal(outlines.coords[16 + 2 + 4]);
  });

  it('leave a hole closed that is painted over when stacked, and cut it when not', () => {
    const raster = paint(64, 64, 0xffffff, [layer(0xe63946, circle(32, 32, 20))]);
    expect(drawPicture(raster, true).items[0]!.geometry.kind).to.equal('rect');
    const cut = drawPicture(raster, false).items[0]!.geometry;
    expect(cut.kind === 'path' && cut.evenOdd).to.equal(true);
  });

  it('have neighbors share their edge to the bit when shapes are cut out', () => {
    const raster = paint(64, 64, 0xe63946, [
      layer(0x1d3557, [31.4, -9, 90, -9, 90, 90, 36, 90]),
      layer(0xf4c430, [-9, 40.2, 90, 33.1, 90, 90, -9, 90]),
    ]);
    const outlines = drawPicture(raster, false);
    const seen = new Map<string, number>();
    for (const shape of outlines.items)
      for (const [x, y] of pointsOf(outlines, shape)) seen.set(`${x},${y}`, (seen.get(`${x},${y}`) ?? 0) + 1);
    const inner = [...seen].filter(([key]) => key.split(',').every((v) => Number(v) > 0.01 && Number(v) < 63.99));
    expect(inner.length).to.be.greaterThan(0);
    for (const [key, count] of inner) expect(count, key).to.be.greaterThan(1);
  });

  it('run clockwise around every region when cut out, and enclose its area', () => {
    const parts = partsOfPicture(
      paint(48, 48, 0xffffff, [layer(0x1d3557, turned(rectangle(12, 14, 22, 18), 30, 24, 24))]),
    );
    const outlines = draw(parts, false);
    const shape = outlines.items[1]!;
    expect(doubledArea(pointsOf(outlines, shape)) / 2).to.be.closeTo(22 * 18, 3);
    expect(shape.visibleAreaPx).to.equal(parts.regions.areaPx[1]);
  });

  it('lead a shape beneath its later neighbor: its edge there lies on the other side', () => {
    // Three bands side by side: the first is the ground, the second reaches under the third.
    const rows = Array.from({ length: 30 }, () => `${'c'.repeat(24)}${'a'.repeat(20)}${'b'.repeat(16)}`);
    const parts = partsOfLetters(rows);
    const outlines = draw(parts);
    expect(outlines.items.length).to.equal(3);
    const [ground, under, over] = outlines.items as [EngineShape, EngineShape, EngineShape];
    expect(ground.geometry).to.include({ kind: 'rect', x: 0, y: 0, width: 60, height: 30 });
    expect(ground.visibleAreaPx).to.equal(24 * 30);
    const reach =
      under.geometry.kind === 'rect'
        ? under.geometry.x + under.geometry.width
        : Math.max(...pointsOf(outlines, under).map(([x]) => x));
    expect(reach).to.be.greaterThan(44.3);
    expect(reach).to.be.at.most(60);
    if (over.geometry.kind !== 'rect') throw new RangeError('the visible one should be a rectangle');
    expect(over.geometry.x).to.be.closeTo(44, 1e-6);
    // Cut out, neither reaches beyond the edge.
    for (const shape of draw(parts, false).items) {
      if (shape.geometry.kind !== 'rect') throw new RangeError('should be a rectangle');
      const sides = [shape.geometry.x, shape.geometry.x + shape.geometry.width];
      expect(Math.min(...sides.map((side) => Math.min(Math.abs(side - 24), Math.abs(side - 44))))).to.be.at.most(1e-9);
    }
  });

  it('stay under their cover: no painted pixel of a stacked drawing lies where another color shows', () => {
    const parts = partsOfPicture(
      paint(72, 72, 0xffffff, [
        layer(0xe63946, circle(30, 36, 22)),
        layer(0x1d3557, turned(rectangle(28, 20, 34, 30), 20, 45, 35)),
        layer(0xf4c430, circle(47, 30, 7)),
      ]),
    );
    const outlines = draw(parts);
    const { width, height, of } = parts.regions;
    // By pixel centers that are well inside their region: the last shape that holds the center is the region itself.
    const inside = (points: readonly (readonly [number, number])[], x: number, y: number) =>
      points.reduce((odd, [ax, ay], k) => {
        const [bx, by] = points[(k + 1) % points.length]!;
        return ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !odd : odd;
      }, false);
    const { order, ground } = stackRegions(
      parts.map,
      parts.loops,
      parts.regions,
      new Uint8Array(parts.regions.count),
      false,
    );
    const back = ground.indexOf(1);
    expect(back).to.be.at.least(0);
    let checked = 0;
    for (let y = 3; y < height - 3; y += 2)
      for (let x = 3; x < width - 3; x += 2) {
        const region = of[y * width + x]!;
        const near = [-2, -1, 0, 1, 2].every((dy) =>
          [-2, -1, 0, 1, 2].every((dx) => of[(y + dy) * width + x + dx] === region),
        );
        if (!near) continue;
        let top = back;
        // The ground lies beneath the regions.
        outlines.items.slice(-order.length).forEach((item, k) => {
          const { geometry } = item;
          const holds =
            geometry.kind === 'circle'
              ? Math.hypot(x + 0.5 - geometry.cx, y + 0.5 - geometry.cy) < geometry.r
              : geometry.kind === 'rect'
                ? x >= geometry.x &&
                  y >= geometry.y &&
                  x < geometry.x + geometry.width &&
                  y < geometry.y + geometry.height
                : inside(pointsOf(outlines, item), x + 0.5, y + 0.5);
          if (holds) top = order[k]!;
        });
        expect(top, `${x} ${y}`).to.equal(region);
        checked++;
      }
    expect(checked).to.be.greaterThan(600);
  });
});

describe('paints', () => {
  it('have straight colors and opacity from premultiplied channels', () => {
    const colors = Float64Array.from([100, 50, 25, 128, 255, 0, 0, 255, 0, 0, 0, 0]);
    expect(solidPaint(colors, 0)).to.deep.equal({ kind: 'solid', color: 0xc76432, opacity: 0.502 });
    expect(solidPaint(colors, 1)).to.deep.equal({ kind: 'solid', color: 0xff0000, opacity: 1 });
    expect(solidPaint(colors, 2)).to.deep.equal({ kind: 'solid', color: 0, opacity: 0 });
  });
});

describe('strokes', () => {
  it('draw every boundary between two regions once, in the darker color, and no border', () => {
    const parts = partsOfPicture(
      paint(64, 64, 0xffffff, [
        layer(0xe63946, circle(20, 32, 12)),
        layer(0x1d3557, turned(rectangle(38, 20, 18, 20), 12, 47, 30)),
      ]),
    );
    const { items } = drawStrokes(parts.map, parts.regions, parts.curves);
    expect(items.length).to.equal(2);
    expect(items.map(({ geometry }) => geometry.kind)).to.deep.equal(['path', 'circle'].sort().reverse());
    for (const { fill, stroke } of items) {
      expect(fill).to.equal(null);
      expect(stroke?.width).to.equal(1);
    }
    expect(
      items.map(({ stroke }) => (stroke?.paint.kind === 'solid' ? stroke.paint.color : null)).sort(),
    ).to.deep.equal([0xe63946, 0x1d3557]);
  });

  it('take the color that can be seen where the other side is nothing', () => {
    const parts = partsOfLetters(['....', '.ee.', '.ee.', '....']);
    const { items } = drawStrokes(parts.map, parts.regions, parts.curves);
    expect(items.map(({ stroke }) => stroke?.paint)).to.deep.equal([{ kind: 'solid', color: 0xffffff, opacity: 1 }]);
  });

  it('close what closes and leave open what ends at nodes', () => {
    const parts = partsOfLetters(['aaabbb', 'aaabbb', 'aaabbb', 'cccccc', 'cccccc', 'cccccc']);
    const { items, commands } = drawStrokes(parts.map, parts.regions, parts.curves);
    expect(items.length).to.equal(3);
    expect([...commands].filter((c) => c === CLOSE).length).to.equal(0);
    expect([...commands].filter((c) => c === LINE).length).to.be.at.least(3);
    const blot = partsOfPicture(
      paint(64, 64, 0xffffff, [layer(0x1d3557, turned(rectangle(20, 20, 26, 14), 25, 32, 32))]),
    );
    expect([...drawStrokes(blot.map, blot.regions, blot.curves).commands].at(-1)).to.equal(CLOSE);
  });
});
