import { expect } from 'chai';
import { placeNodes } from '#adapters/tracing/engine/fit/junctions.js';
import { partsOfLetters, partsOfPicture } from '#test/support/engine-parts.js';
import { ellipse, rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

describe('the nodes', () => {
  it('lie where three edges meet, not on the lattice', () => {
    let scenes = 0;
    for (const [x, y] of [
      [31.4, 30.7],
      [32.25, 31.1],
      [30.85, 32.6],
    ] as const) {
      const raster = paint(64, 64, 0xe63946, [
        layer(0x1d3557, [x, y, x + 40, y - 36, 110, -40, 110, 110, x + 4, 110]),
        layer(0xf4c430, [x, y, x + 80, y + 18, 110, 110, -60, 110, x - 60, y + 60]),
      ]);
      const { map, nodes } = partsOfPicture(raster);
      const inner = [...map.nodes.keys()].filter((n) => {
        const v = map.nodes[n]!;
        return v % 65 > 5 && v % 65 < 60 && v > 65 * 5 && v < 65 * 60;
      });
      expect(inner.length).to.equal(1);
      expect(nodes[2 * inner[0]!]).to.be.closeTo(x, 0.25);
      expect(nodes[2 * inner[0]! + 1]).to.be.closeTo(y, 0.25);
      scenes++;
    }
    expect(scenes).to.equal(3);
  });

  it('lie where an edge ends on the side of a box, not on the line of the side around the corner', () => {
    let scenes = 0;
    for (const below of [1.6, 1.9, 2.2, 2.5, 2.8, 3.1]) {
      // How far down the hill is at the left side of the box.
      const y = 52 - 19 * Math.sqrt(1 - (4.5 / 36) ** 2);
      const { map, nodes } = partsOfPicture(
        paint(64, 48, 0x8ecae6, [
          layer(0x2a9d8f, ellipse(20, 52, 36, 19)),
          layer(0xe63946, rectangle(24.5, y + below - 15, 15, 15)),
        ]),
      );
      const n = [...map.nodes].findIndex((v) => v % 65 > 0 && v % 65 < 30);
      expect(nodes[2 * n], `${below}`).to.be.closeTo(24.5, 0.3);
      expect(nodes[2 * n + 1], `${below}`).to.be.closeTo(y, 0.3);
      scenes++;
    }
    expect(scenes).to.be.above(5);
  });

  it('on the border stay on it, and slide along it to the edge', () => {
    const raster = paint(40, 40, 0xffffff, [layer(0x000000, [20.3, -5, 60, -5, 60, 60, 20.3, 60])]);
    const { map, nodes } = partsOfPicture(raster);
    expect(map.nodes.length).to.equal(2);
    expect([nodes[1], nodes[3]]).to.deep.equal([0, 40]);
    expect(nodes[0]).to.be.closeTo(20.3, 0.05);
    expect(nodes[2]).to.be.closeTo(20.3, 0.05);
  });

  it('on the border follow their only edge, however far that is from the lattice', () => {
    const raster = paint(40, 40, 0xffffff, [layer(0x000000, [20.3, -5, 60, -5, 60, 60, 20.3, 60])]);
    const { map, samples } = partsOfPicture(raster);
    const nodes = placeNodes(map, { ...samples, x: samples.x.map((x) => x + 1) }, false);
    expect(map.nodes.length).to.equal(2);
    expect([nodes[1], nodes[3]]).to.deep.equal([0, 40]);
    expect(nodes[0]).to.be.closeTo(21.3, 0.05);
    expect(nodes[2]).to.be.closeTo(21.3, 0.05);
  });

  it('stay on the lattice where too few samples say anything', () => {
    const { map, nodes } = partsOfLetters(['ab', 'cd']);
    const positions = [...map.nodes].map((v, n) => [nodes[2 * n]! - (v % 3), nodes[2 * n + 1]! - Math.floor(v / 3)]);
    expect(positions.length).to.equal(5);
    for (const [dx, dy] of positions) expect(Math.hypot(dx!, dy!)).to.be.at.most(1e-9);
  });

  it('are not believed far from the lattice', () => {
    const { map, samples } = partsOfPicture(
      paint(40, 40, 0xffffff, [
        layer(0x000000, [20, -5, 60, -5, 60, 60, 20, 60]),
        layer(0xff0000, [20, 20, 60, 20, 60, 60, 20, 60]),
      ]),
    );
    // Samples moved three px to the right and down: the lines meet far from where the cracks do.
    const moved = { ...samples, x: samples.x.map((x) => x + 3), y: samples.y.map((y) => y + 3) };
    const nodes = placeNodes(map, moved);
    const inner = [...map.nodes].findIndex((v) => v % 41 === 20 && Math.floor(v / 41) === 20);
    expect([nodes[2 * inner], nodes[2 * inner + 1]]).to.deep.equal([20, 20]);
  });
});
