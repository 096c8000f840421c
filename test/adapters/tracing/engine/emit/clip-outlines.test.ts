import { expect } from 'chai';
import { OutlineClipper } from '#adapters/tracing/engine/emit/clip-outlines.js';
import { ARC, CLOSE, CUBIC, LINE, MOVE, OutlineBuffer } from '#adapters/tracing/engine/emit/outline-buffer.js';

const WIDTH = 100;
const HEIGHT = 80;

/** A path cut off at the border of a picture of 100 x 80 px: its commands and numbers, these rounded to thousandths. */
function clipped(commands: readonly number[], coords: readonly number[], left = 0, top = 0) {
  const out = new OutlineBuffer();
  new OutlineClipper(WIDTH, HEIGHT, out).clip(commands, coords, 0, commands.length, 0, left, top);
  const found = out.finish();
  return { commands: [...found.commands], coords: [...found.coords].map((value) => Math.round(value * 1000) / 1000) };
}

const polygon = (...coords: readonly number[]) => {
  const lines = coords.slice(2).flatMap((_, k) => (k % 2 === 0 ? [LINE] : []));
  return clipped([MOVE, ...lines, CLOSE], coords);
};

describe('OutlineClipper', () => {
  it('leaves what lies in the picture as it is, but for its place', () => {
    const commands = [MOVE, LINE, CUBIC, ARC, CLOSE];
    const coords = [10, 10, 40, 10, 50, 10, 60, 20, 60, 30, 8, 8, 0, 0, 1, 30, 60];
    expect(clipped(commands, coords)).to.deep.equal({ commands, coords });
    const moved = [8, 7, 38, 7, 48, 7, 58, 17, 58, 27, 8, 8, 0, 0, 1, 28, 57];
    expect(clipped(commands, coords, 2, 3)).to.deep.equal({ commands, coords: moved });
  });

  it('ends lines where they cross a side of the picture', () => {
    expect(polygon(20, 40, 60, 40, 50, 90, 30, 90).coords).to.deep.equal([20, 40, 60, 40, 52, 80, 28, 80]);
    // The tip of a triangle becomes a line along the border.
    expect(polygon(40, 40, 60, 40, 50, 90).coords).to.deep.equal([40, 40, 60, 40, 52, 80, 48, 80]);
    // And where it begins there.
    expect(polygon(50, 90, 40, 40, 60, 40).coords).to.deep.equal([48, 80, 40, 40, 60, 40, 52, 80]);
  });

  it('has the corner of the picture in what reaches around it', () => {
    const { coords } = polygon(80, 60, 130, 60, 130, 120, 80, 120);
    expect(coords).to.deep.equal([80, 60, 100, 60, 100, 80, 80, 80]);
  });

  it('drops what lies beyond, and keeps the other contours of the path', () => {
    const square = [10, 10, 30, 10, 30, 30, 10, 30];
    const beyond = [110, 10, 130, 10, 130, 30, 110, 30];
    const commands = [MOVE, LINE, LINE, LINE, CLOSE];
    expect(clipped([...commands, ...commands], [...beyond, ...square])).to.deep.equal({ commands, coords: square });
    expect(clipped(commands, beyond)).to.deep.equal({ commands: [], coords: [] });
  });

  it('brings what is hardly beyond to the border, without a vertex more', () => {
    expect(polygon(40, 40, 60, 40, 50, 80.01).coords).to.deep.equal([40, 40, 60, 40, 50, 80]);
  });

  it('keeps the bulge of arcs whose ends it brings to the border', () => {
    // Half a circle half a pixel wider than the picture on either side, and as high as it was.
    const { commands, coords } = clipped([MOVE, ARC, CLOSE], [-0.5, 20, 50.5, 50.5, 0, 0, 0, 100.5, 20]);
    expect(commands).to.deep.equal([MOVE, ARC, CLOSE]);
    expect(coords.slice(0, 2)).to.deep.equal([0, 20]);
    expect(coords.slice(-2)).to.deep.equal([100, 20]);
    const [radius, height] = [coords[2]!, 50.5];
    expect(radius).to.be.closeTo((height ** 2 + 50 ** 2) / (2 * height), 0.001);
    expect(coords[3]).to.equal(radius);
  });

  it('brings the ends of open paths to the border', () => {
    expect(clipped([MOVE, LINE], [-2, 10, 50, 90])).to.deep.equal({ commands: [MOVE, LINE], coords: [0, 10, 50, 80] });
  });
});
