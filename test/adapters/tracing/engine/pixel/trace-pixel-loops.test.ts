import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  CLOSE,
  LINE,
  MOVE,
  type PixelLoops,
  type PixelPath,
  traceCells,
  tracePixelLoops,
} from '#adapters/tracing/engine/pixel/trace-pixel-loops.js';
import { enlarge, FISH, LANDSCAPE, type Picture, paint } from './sprites.js';

const SEED = 20261122;

type Loop = readonly (readonly [number, number])[];

/** The path's loops; checks on the way that it is made of moves, alternating straight lines and closes. */
function loopsOf(traced: PixelLoops, path: PixelPath): Loop[] {
  const loops: Loop[] = [];
  let loop: [number, number][] = [];
  let at = path.firstCoord;
  for (let k = path.firstCommand; k < path.firstCommand + path.commandCount; k++) {
    const command = traced.commands[k];
    if (command === CLOSE) {
      expect(loop.length).to.be.at.least(4);
      loop.forEach(([x, y], i) => {
        const [nextX, nextY] = loop[(i + 1) % loop.length] as [number, number];
        const [afterX, afterY] = loop[(i + 2) % loop.length] as [number, number];
        expect((x === nextX) !== (y === nextY), 'a straight line').to.equal(true);
        expect((x === nextX) !== (nextX === afterX) && (y === nextY) !== (nextY === afterY), 'a corner').to.equal(true);
      });
      loops.push(loop);
      loop = [];
      continue;
    }
    expect(command).to.equal(loop.length === 0 ? MOVE : LINE);
    loop.push([traced.coords[at++] as number, traced.coords[at++] as number]);
  }
  expect(loop).to.have.lengthOf(0);
  return loops;
}

/** How often the loops lie to the right of the middle of a pixel: odd inside. */
function countCrossings(loops: readonly Loop[], x: number, y: number): number {
  let crossings = 0;
  for (const loop of loops) {
    loop.forEach(([fromX, fromY], i) => {
      const [toX, toY] = loop[(i + 1) % loop.length] as readonly [number, number];
      if (fromX !== toX || fromX < x + 0.5 || Math.min(fromY, toY) > y + 0.5 || Math.max(fromY, toY) < y + 0.5) return;
      crossings++;
    });
  }
  return crossings;
}

/** Paints path over path and expects the picture; also that nothing shows through. */
function expectExact(traced: PixelLoops, { rgba, width, height }: Picture): void {
  const canvas = new Float64Array(width * height);
  for (const path of traced.paths) {
    expect(path.rgba & 255, 'alpha').to.be.greaterThan(0);
    const loops = loopsOf(traced, path);
    for (let i = 0; i < canvas.length; i++) {
      const crossings = countCrossings(loops, i % width, Math.floor(i / width));
      if (crossings % 2 === 0) continue;
      if ((path.rgba & 255) < 255) expect(canvas[i], 'nothing under what is translucent').to.equal(0);
      canvas[i] = path.rgba;
    }
  }
  const areas = new Map<number, number>();
  for (let i = 0; i < canvas.length; i++) {
    const [r, g, b, a] = rgba.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
    expect(canvas[i]).to.equal(a === 0 ? 0 : ((r << 24) | (g << 16) | (b << 8) | a) >>> 0);
    if (a > 0) areas.set(canvas[i] as number, (areas.get(canvas[i] as number) ?? 0) + 1);
  }
  expect(new Map(traced.paths.map((path) => [path.rgba, path.areaPx]))).to.deep.equal(areas);
  expect(traced.paths).to.have.lengthOf(areas.size);
}

function toSvg(traced: PixelLoops, width: number, height: number): string {
  const paths = traced.paths.map((path) => {
    const d = loopsOf(traced, path).map((loop) => `M${loop.map(([x, y]) => `${x} ${y}`).join('L')}Z`);
    const color = (path.rgba >>> 8).toString(16).padStart(6, '0');
    return `<path fill="#${color}" fill-opacity="${(path.rgba & 255) / 255}" fill-rule="evenodd" d="${d.join('')}"/>`;
  });
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} shape-rendering="crispEdges">${paths.join('')}</svg>`;
}

/** Renders at a whole scale and compares with the nearest-neighbor enlargement, premultiplied. */
function expectRendered(traced: PixelLoops, { rgba, width, height }: Picture, scale: number): void {
  const { pixels } = new Resvg(toSvg(traced, width, height), { fitTo: { mode: 'zoom', value: scale } }).render();
  expect(pixels).to.have.lengthOf(width * height * scale * scale * 4);
  let wrong = 0;
  for (let i = 0; i < pixels.length; i++) {
    const pixel = i >> 2;
    const x = Math.floor((pixel % (width * scale)) / scale);
    const y = Math.floor(pixel / (width * scale) / scale);
    const alpha = rgba[4 * (y * width + x) + 3] as number;
    const value = (i & 3) === 3 ? alpha : ((rgba[4 * (y * width + x) + (i & 3)] as number) * alpha) / 255;
    if (Math.abs((pixels[i] as number) - value) > (alpha === 255 ? 0 : 1)) wrong++;
  }
  expect(wrong).to.equal(0);
}

const trace = ({ rgba, width, height }: Picture, cell = 1): PixelLoops =>
  tracePixelLoops(rgba, width, height, cell, cell);
const countLines = (traced: PixelLoops): number => traced.commands.filter((command) => command !== MOVE).length;

describe('tracePixelLoops', () => {
  it('gives any small picture back exactly, twice the same', () => {
    let cases = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(2, 3, 5, 40),
        fc.constantFrom(0, 1, 2),
        fc.infiniteStream(fc.nat(1000)),
        (width, height, colors, clearness, stream) => {
          cases++;
          const values = stream[Symbol.iterator]();
          const picture = paint(width, height, () => {
            const color = (values.next().value as number) % colors;
            const alpha = clearness > 0 && color === 0 ? 0 : clearness > 1 && color === 1 ? 100 : 255;
            return [color * 6, 255 - color * 6, (color * 77) & 255, alpha];
          });
          const traced = trace(picture);
          expectExact(traced, picture);
          expect(trace(picture)).to.deep.equal(traced);
        },
      ),
      { seed: SEED, numRuns: 400 },
    );
    expect(cases).to.equal(400);
  });

  it('renders exactly at 1x and 4x', () => {
    const pictures = [enlarge(FISH, 1), enlarge(LANDSCAPE, 1), enlarge(FISH, 3), enlarge(LANDSCAPE, 5)];
    for (const [index, picture] of pictures.entries()) {
      const traced = trace(picture, [1, 1, 3, 5][index] as number);
      expectExact(traced, picture);
      expectRendered(traced, picture, 1);
      expectRendered(traced, picture, 4);
    }
  });

  it('handles cropped grids and cells that are not square', () => {
    const cropped = enlarge(LANDSCAPE, 8, 8, 3, 5);
    expectExact(tracePixelLoops(cropped.rgba, cropped.width, cropped.height, 8, 8, 5, 3), cropped);
    const wide = enlarge(FISH, 4, 2);
    expectExact(tracePixelLoops(wide.rgba, wide.width, wide.height, 4, 2), wide);
  });

  it('needs the same lines whatever the scale, and fewer by letting colors run under later ones', () => {
    const traced = trace(enlarge(LANDSCAPE, 1));
    expect(countLines(trace(enlarge(LANDSCAPE, 8), 8))).to.equal(countLines(traced));
    expect(countLines(traced)).to.be.at.most(90);
    // A backdrop with a frame, a disk and a dot: four rectangles, however they lie in each other.
    const nested = paint(20, 20, (x, y) => {
      const depth = Math.min(x, y, 19 - x, 19 - y);
      return depth < 2 ? [0, 0, 0, 0] : depth < 4 ? [9, 9, 9, 255] : depth < 7 ? [200, 9, 9, 255] : [9, 200, 9, 255];
    });
    expect(countLines(trace(nested))).to.equal(12);
  });

  it('starts an opaque picture with a rectangle of its most frequent color', () => {
    const picture = enlarge(LANDSCAPE, 2);
    const traced = trace(picture, 2);
    const first = traced.paths[0] as PixelPath;
    expect(loopsOf(traced, first)).to.deep.equal([
      [
        [0, 0],
        [24, 0],
        [24, 24],
        [0, 24],
      ],
    ]);
    expect(first.areaPx).to.equal(Math.max(...traced.paths.map((path) => path.areaPx)));
  });

  it('runs straight through where cells touch at a corner', () => {
    const diagonal = paint(3, 3, (x, y) => (x === y ? [255, 0, 0, 255] : [0, 0, 0, 0]));
    const traced = trace(diagonal);
    expectExact(traced, diagonal);
    const loops = loopsOf(traced, traced.paths[0] as PixelPath);
    expect(loops.map((loop) => loop.length)).to.deep.equal([8]);
  });

  it('makes a rectangle and a notch of a shape that returns to a line, unless colors must lie side by side', () => {
    const cup = paint(5, 4, (x, y) => (x % 4 === 0 || y === 3 ? [255, 0, 0, 255] : [0, 0, 0, 0]));
    const traced = trace(cup);
    expectExact(traced, cup);
    expect(loopsOf(traced, traced.paths[0] as PixelPath).map((loop) => loop.length)).to.deep.equal([4, 4]);
    const cells = new Uint32Array(20);
    for (let i = 0; i < 20; i++) cells[i] = (cup.rgba[4 * i + 3] as number) > 0 ? 0xff0000ff : 0;
    const beside = traceCells(cells, Float64Array.of(0, 1, 2, 3, 4, 5), Float64Array.of(0, 1, 2, 3, 4), false);
    expectExact(beside, cup);
    expect(loopsOf(beside, beside.paths[0] as PixelPath).map((loop) => loop.length)).to.deep.equal([8]);
  });

  it('copes with checkerboards, noise, thin pictures and nothing at all', () => {
    const checkerboard = paint(40, 30, (x, y) => ((x + y) % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]));
    expectExact(trace(checkerboard), checkerboard);
    const line = paint(1, 300, (_, y) => (y % 3 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]));
    expectExact(trace(line), line);
    const empty = paint(8, 8, (x) => [x, 0, 0, 0]);
    expect(trace(empty).paths).to.have.lengthOf(0);
    const noise = paint(400, 300, (x, y) => {
      const bits = Math.imul(x * 131 + y * 7919 + 1, 0x9e3779b1) >>> 8;
      return [bits & 192, (bits >> 8) & 192, (bits >> 16) & 192, 255];
    });
    const traced = trace(noise);
    expect(traced.paths.reduce((sum, path) => sum + path.areaPx, 0)).to.equal(400 * 300);
  });

  it('refuses what is no picture or no grid', () => {
    const rgba = new Uint8Array(16);
    expect(() => tracePixelLoops(rgba, 3, 2, 1, 1)).to.throw(RangeError, '3 x 2');
    expect(() => tracePixelLoops(rgba, 2, 2, 0, 1)).to.throw(RangeError, '0 x 1');
    expect(() => tracePixelLoops(rgba, 2, 2, 2, 2, 2, 0)).to.throw(RangeError, 'from 2, 0');
  });
});
