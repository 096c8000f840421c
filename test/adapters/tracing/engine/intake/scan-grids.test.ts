import { expect } from 'chai';
import { type Axis, pickLines } from '#adapters/tracing/engine/intake/enlarging-lines.js';
import { grayChanges } from '#adapters/tracing/engine/intake/line-changes.js';
import { scanGrids } from '#adapters/tracing/engine/intake/scan-grids.js';
import type { Raster } from '#application/ports/tracer.js';
import { enlarged, type Kernel } from '#test/support/enlarged-pictures.js';
import { rectangle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { gaussianBlurred } from '#test/support/soft-pictures.js';

const drawing = paint(240, 180, 0xffffff, [
  layer(0x1d3557, star(70.3, 82.6, 60, 31, 9)),
  layer(0xe63946, star(170.7, 92.2, 55, 24, 7)),
]);

const linesOf = (picture: Raster, axis: Axis = 'rows') => pickLines(picture, axis, grayChanges(picture), true);

describe('scanned grids', () => {
  for (const kernel of ['linear', 'cubic', 'steep-cubic', 'mitchell', 'lanczos'] as const satisfies readonly Kernel[]) {
    it(`have any factor among them, enlarged by ${kernel}`, () => {
      for (const columns of [301, 347, 389, 450, 577]) {
        const large = enlarged(drawing, columns, Math.round((180 * columns) / 240), kernel);
        expect(scanGrids(linesOf(large)), String(columns)).to.include(columns / 240);
      }
    });
  }

  it('have it where it lies half a pixel aside, and of columns', () => {
    const large = enlarged(drawing, 347, 260, 'cubic', 0.5);
    expect(scanGrids(linesOf(large))).to.include(347 / 240);
    expect(scanGrids(linesOf(large, 'columns'))).to.include(260 / 180);
  });

  it('are not looked for along lines of thousands of pixels, which have as many counts of cells', () => {
    const strip = (width: number) =>
      enlarged(paint(width, 16, 0xffffff, [layer(0, star(40, 8, 30, 9, 7))]), width * 1.5, 24, 'cubic');
    expect(scanGrids(linesOf(strip(1300)))).not.to.be.empty;
    expect(scanGrids(linesOf(strip(1400)))).to.deep.equal([]);
  });

  it('are three at most, and none where hardly anything changes', () => {
    expect(scanGrids(linesOf(gaussianBlurred(drawing, 0.8)))).to.have.length.at.most(3);
    const bar = gaussianBlurred(paint(240, 180, 0xffffff, [layer(0, rectangle(60.3, 0, 40, 180))]), 0.8);
    expect(scanGrids(linesOf(bar))).to.deep.equal([]);
    expect(scanGrids(linesOf(paint(12, 12, 0xffffff, [])))).to.deep.equal([]);
  });
});
