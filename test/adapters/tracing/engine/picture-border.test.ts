import { expect } from 'chai';
import { COORDS_PER_COMMAND } from '#adapters/tracing/engine/emit/outline-buffer.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { EngineDrawing, EngineShape } from '#adapters/tracing/engine/types.js';
import type { Raster } from '#application/ports/tracer.js';
import { signedAreaOf } from '#domain/drawing/area.js';
import { boundsOfGeometry } from '#domain/drawing/bounds.js';
import { PLAIN_DOCUMENT, writeSvg } from '#domain/exports/svg-document.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { circle, rectangle, ring } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { psnrOfPixels } from '#test/support/psnr.js';
import { renderSvg } from '#test/support/render-svg.js';

const WIDTH = 96;
const HEIGHT = 64;
const ended = (ground: number | null, end: number) =>
  paint(WIDTH, HEIGHT, ground, [
    layer(0xc81e28, rectangle(0, 0, 40, end)),
    layer(0x145ac8, rectangle(40, 0, 56, end)),
    layer(0xfad228, circle(60, 30, 15)),
  ]);

const draw = (picture: Raster, stacking: 'stacked' | 'cutouts') =>
  trace(picture, { ...ENGINE, stacking }, () => {}).drawing;

/** The points that a path goes through. */
function pointsOf({ commands, coords }: EngineDrawing, { geometry }: EngineShape): [number, number][] {
  if (geometry.kind !== 'path') return [];
  const { firstCommand, commandCount, firstCoord } = geometry;
  const points: [number, number][] = [];
  let at = firstCoord;
  for (let k = firstCommand; k < firstCommand + commandCount; k++) {
    const count = COORDS_PER_COMMAND[commands[k]!]!;
    at += count;
    if (count > 0) points.push([coords[at - 2]!, coords[at - 1]!]);
  }
  return points;
}

/** How far down a shape goes, px; of a path, the points it goes through. */
function lowest(drawing: EngineDrawing, shape: EngineShape): number {
  const { geometry } = shape;
  if (geometry.kind === 'rect') return geometry.y + geometry.height;
  if (geometry.kind !== 'path') return geometry.cy;
  return Math.max(0, ...pointsOf(drawing, shape).map(([, y]) => y));
}

const colorOf = ({ fill }: EngineShape) => (fill?.kind === 'solid' ? fill.color : undefined);

describe('a picture that ends within its last pixels', () => {
  it('is drawn up to where it ends, in its own colors', () => {
    for (const stacking of ['stacked', 'cutouts'] as const) {
      for (const end of [63.85, 63.55, 63.3]) {
        const drawing = draw(ended(null, end), stacking);
        expect(drawing.items, `${stacking} ${end}`).to.have.length(3);
        expect([drawing.width, drawing.height]).to.deep.equal([WIDTH, HEIGHT]);
        const ends = drawing.items.map((item) => lowest(drawing, item)).sort((a, b) => a - b);
        expect(ends[1], `${stacking} ${end}`).to.be.closeTo(end, 0.01);
        expect(ends[2], `${stacking} ${end}`).to.be.closeTo(end, 0.01);
      }
    }
  });

  it('has paper beneath it where there is paper, and reaches nowhere beyond the picture', () => {
    for (const stacking of ['stacked', 'cutouts'] as const) {
      const drawing = draw(ended(0xffffff, 63.55), stacking);
      const colors = new Set(drawing.items.map(colorOf));
      expect(colors.size, stacking).to.equal(4);
      for (const item of drawing.items) expect(lowest(drawing, item), stacking).to.be.at.most(HEIGHT);
    }
  });

  it('is drawn up to there too where it is of one color, on paper that is seen all around', () => {
    for (const stacking of ['stacked', 'cutouts'] as const) {
      for (const end of [63.8, 63.6, 63.3]) {
        const roof = paint(WIDTH, HEIGHT, 0xffffff, [layer(0x141414, [0, end, 48, 6, WIDTH, end])]);
        const drawing = draw(roof, stacking);
        expect(new Set(drawing.items.map(colorOf)).size, `${stacking} ${end}`).to.equal(2);
        const ends = drawing.items.filter((item) => colorOf(item) === 0x141414).map((item) => lowest(drawing, item));
        expect(ends, `${stacking} ${end}`).to.have.length(1);
        expect(ends[0], `${stacking} ${end}`).to.be.closeTo(end, 0.02);
      }
    }
  });

  // Ways beneath what ends there reach beyond the picture, and the lines that lead to them were bent to its border.
  it('keeps slanted lines straight up to there', () => {
    const flag = (scale: number, end: number) => {
      const polygon = (...points: number[]) => points.map((value) => value * scale);
      return paint(WIDTH * scale, HEIGHT * scale, 0x141414, [
        layer(0xc80000, polygon(77, 0, WIDTH, 0, WIDTH, HEIGHT, 29, HEIGHT)),
        layer(0xffe900, polygon(70.3, 0, 84.8, 0, 36.8, HEIGHT, 22.3, HEIGHT)),
        layer(0xffffff, polygon(0, end, WIDTH, end, WIDTH, HEIGHT, 0, HEIGHT)),
      ]);
    };
    for (const stacking of ['stacked', 'cutouts'] as const) {
      for (const end of [63.85, 63.6]) {
        const drawing = draw(flag(1, end), stacking);
        for (const item of drawing.items) {
          const points = pointsOf(drawing, item);
          for (const [x, y] of points)
            expect(x >= 0 && y >= 0 && x <= WIDTH && y <= HEIGHT, `${x} ${y}`).to.equal(true);
        }
        // Between cutouts a renderer shows what is behind them.
        if (stacking === 'cutouts') continue;
        const shown = renderSvg(writeSvg(drawing, PLAIN_DOCUMENT).text, WIDTH * 4, '#fff').data;
        expect(psnrOfPixels(shown, flag(4, end).data), `${end}`).to.be.at.least(44);
      }
    }
  });

  // A radius of 48.01 with ends 96 apart is half a circle that is 1.4 px too high.
  it('keeps what is round as it is where it is a hundredth of a pixel wider than the picture', () => {
    for (const ground of [null, 0xffffff]) {
      for (const radius of [48.008, 48.014]) {
        const round = paint(96, 96, ground, [layer(0xdd2e44, ...ring(48, 48, radius, 32))]);
        const drawing = draw(round, 'cutouts');
        const shown = drawing.items.filter((item) => colorOf(item) === 0xdd2e44);
        expect(shown, `${ground} ${radius}`).to.have.length(1);
        const bounds = boundsOfGeometry(shown[0]!.geometry, drawing)!;
        for (const side of [bounds.minX, bounds.minY, 96 - bounds.maxX, 96 - bounds.maxY])
          expect(side, `${ground} ${radius}`).to.be.closeTo(0, 0.03);
        expect(Math.abs(signedAreaOf(shown[0]!.geometry, drawing)), `${ground} ${radius}`).to.be.closeTo(
          Math.PI * (48 ** 2 - 32 ** 2),
          6,
        );
      }
    }
  });

  it('keeps a line beneath a panel that is as wide as the picture', () => {
    const panel = paint(WIDTH, HEIGHT, 0xffffff, [
      layer(0x141414, rectangle(0, 12, WIDTH, HEIGHT)),
      layer(0x606060, rectangle(0, HEIGHT - 1, WIDTH, 1)),
    ]);
    expect(new Set(draw(panel, 'cutouts').items.map(colorOf)).has(0x606060)).to.equal(true);
  });

  it('keeps a line that lies along its border', () => {
    const page = paint(WIDTH, HEIGHT, 0xffffff, [
      layer(0x141414, circle(60, 30, 15)),
      layer(0xc8c8c8, rectangle(0, HEIGHT - 1, WIDTH, 1)),
    ]);
    const line = draw(page, 'cutouts').items.find((item) => colorOf(item) === 0xc8c8c8);
    expect(line?.geometry).to.deep.include({ kind: 'rect', x: 0, y: HEIGHT - 1, width: WIDTH, height: 1 });
  });
});
