import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { partsOfLetters, partsOfPicture } from '#test/support/engine-parts.js';
import { bar, circle, rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

interface Sample {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

/** Samples of all chains between two regions. */
function edgeSamples(raster: Raster): Sample[] {
  const { map, samples } = partsOfPicture(raster);
  const found: Sample[] = [];
  for (let c = 0; c < map.chainCount; c++) {
    if (map.left[c]! < 0 || map.right[c]! < 0) continue;
    for (let k = samples.starts[c]!; k < samples.starts[c + 1]!; k++)
      found.push({ x: samples.x[k]!, y: samples.y[k]!, weight: samples.weight[k]! });
  }
  return found;
}

const SIZE = 48;

/** The half-plane below a line through (24.3, 23.8 + shift), as one large bar. */
function edgePicture(degrees: number, shift: number, ground: number, ink: number) {
  const angle = (degrees * Math.PI) / 180;
  const dx = Math.cos(angle);
  const dy = Math.sin(angle);
  const cx = 24.3;
  const cy = 23.8 + shift;
  const half = bar(
    cx - 100 * dx - 50 * -dy,
    cy - 100 * dy - 50 * dx,
    cx + 100 * dx - 50 * -dy,
    cy + 100 * dy - 50 * dx,
    100,
  );
  const distance = ({ x, y }: Sample) => (x - cx) * -dy + (y - cy) * dx;
  return { raster: paint(SIZE, SIZE, ground, [layer(ink, half)]), distance };
}

describe('edge samples', () => {
  it('lie within 0.05 px of a straight edge, at every slope and offset', () => {
    let edges = 0;
    let worst = 0;
    for (let degrees = 0; degrees < 360; degrees += 7.5)
      for (const shift of [0, 0.21, 0.5, 0.77]) {
        const { raster, distance } = edgePicture(degrees, shift, 0xf1faee, 0x1d3557);
        const inner = edgeSamples(raster).filter(({ x, y }) => Math.min(x, y, SIZE - x, SIZE - y) > 4);
        expect(inner.length, `${degrees}`).to.be.greaterThan(25);
        for (const sample of inner) {
          const off = Math.abs(distance(sample));
          expect(off, `${degrees} degrees, shifted by ${shift}, at ${sample.x} ${sample.y}`).to.be.at.most(0.05);
          worst = Math.max(worst, off);
          expect(sample.weight).to.equal(1);
        }
        edges++;
      }
    expect(edges).to.equal(48 * 4);
    expect(worst).to.be.greaterThan(0);
  });

  it('around a corner lie on the sides that meet there, also in the pixels that both go through', () => {
    let around = 0;
    for (const dx of [0.1, 0.3, 0.47])
      for (const dy of [0.05, 0.25, 0.44]) {
        const [x0, y0, x1, y1] = [12 + dx, 14 + dy, 30.5 + dx, 27.5 + dy] as const;
        const found = edgeSamples(paint(SIZE, SIZE, 0xffffff, [layer(0, rectangle(x0, y0, x1 - x0, y1 - y0))]));
        expect(found.length).to.be.greaterThan(50);
        for (const { x, y } of found) {
          const inside = Math.min(x - x0, x1 - x, y - y0, y1 - y);
          const outside = Math.hypot(Math.max(x0 - x, 0, x - x1), Math.max(y0 - y, 0, y - y1));
          const name = `${x}, ${y} of ${x0} ${y0} ${x1} ${y1}`;
          expect(outside > 0 ? outside : Math.abs(inside), name).to.be.at.most(0.03);
          if (Math.min(Math.abs(x - x0), Math.abs(x - x1)) < 1 && Math.min(Math.abs(y - y0), Math.abs(y - y1)) < 1)
            around++;
        }
      }
    expect(around).to.be.greaterThan(9 * 4);
  });

  it('find the same edge whichever of its colors is the darker one', () => {
    const mean = (ground: number, ink: number) => {
      const { raster, distance } = edgePicture(17, 0.3, ground, ink);
      const inner = edgeSamples(raster).filter(({ x, y }) => Math.min(x, y, SIZE - x, SIZE - y) > 4);
      return inner.reduce((sum, sample) => sum + distance(sample), 0) / inner.length;
    };
    expect(mean(0xffffff, 0x000000)).to.be.closeTo(0, 0.01);
    expect(mean(0x000000, 0xffffff)).to.be.closeTo(0, 0.01);
    expect(mean(0xe63946, 0x2a9d8f)).to.be.closeTo(0, 0.02);
  });

  it('follow a circle', () => {
    for (const r of [4.3, 9.1, 20.4]) {
      const found = edgeSamples(paint(SIZE, SIZE, 0xffffff, [layer(0x000000, circle(23.7, 24.2, r))]));
      expect(found.length).to.be.greaterThan(r * 4);
      const off = found.map(({ x, y }) => Math.hypot(x - 23.7, y - 24.2) - r);
      expect(Math.sqrt(off.reduce((sum, d) => sum + d * d, 0) / off.length)).to.be.at.most(0.06);
    }
  });

  it('give a thin line both its edges: its width exactly, its middle by the centroid', () => {
    let lines = 0;
    for (const width of [1.1, 1.5, 1.8])
      for (const shift of [0, 0.25, 0.5, 0.8]) {
        // The block gives the ink a flat area to be known by.
        const y = 20.3 + shift;
        const raster = paint(60, 40, 0xffffff, [layer(0x000000, bar(6, y, 54, y, width), rectangle(50, 30, 7, 7))]);
        const inner = edgeSamples(raster).filter(
          (sample) => sample.x > 9 && sample.x < 48 && Math.abs(sample.y - y) < 4,
        );
        const above = inner.filter((sample) => sample.y < y);
        const below = inner.filter((sample) => sample.y > y);
        expect(above.length, `${width} at ${y}`).to.be.greaterThan(30);
        expect(below.length).to.equal(above.length);
        const mean = (samples: readonly Sample[]) =>
          samples.reduce((sum, sample) => sum + sample.y, 0) / samples.length;
        expect(mean(below) - mean(above), `${width} at ${y}`).to.be.closeTo(width, 0.02);
        // Coverage inside a pixel counts at its middle, which moves an axis-parallel line by up to 0.125 px.
        expect((mean(above) + mean(below)) / 2, `${width} at ${y}`).to.be.closeTo(y, 0.126);
        lines++;
      }
    expect(lines).to.equal(12);
  });

  it('of the border of the picture are its corners and nothing between', () => {
    const { map, samples } = partsOfLetters(['aaaa', 'aaaa', 'aaaa']);
    expect(map.chainCount).to.equal(1);
    const points = Array.from({ length: samples.starts[1]! }, (_, k) => [samples.x[k], samples.y[k]]);
    expect(points).to.deep.equal([
      [0, 0],
      [4, 0],
      [4, 3],
      [0, 3],
      [0, 0],
    ]);
  });

  it('of a region of few cracks are the middles of its cracks', () => {
    const { map, samples } = partsOfLetters(['eee', 'eae', 'eee']);
    const c = [...map.left].findIndex((left) => left >= 0);
    expect(samples.starts[c + 1]! - samples.starts[c]!).to.be.at.least(2);
    for (let k = samples.starts[c]!; k < samples.starts[c + 1]!; k++) {
      expect(Math.abs(samples.x[k]! - 1.5)).to.be.at.most(0.51);
      expect(Math.abs(samples.y[k]! - 1.5)).to.be.at.most(0.51);
    }
  });

  it('are there for every chain, finite and near their cracks, where regions share one color too', () => {
    const { map, samples } = partsOfLetters(['ahah', 'haha', 'abab', 'cdcd']);
    for (let c = 0; c < map.chainCount; c++) expect(samples.starts[c + 1]! - samples.starts[c]!).to.be.at.least(1);
    for (const values of [samples.x, samples.y]) for (const v of values) expect(v).to.be.within(-2, 6);
  });

  it('follow an edge to where it touches the border of the picture, on all four sides', () => {
    const R = 30;
    const touching = [
      [32.3, R],
      [32.3, 64 - R],
      [R, 32.3],
      [64 - R, 32.3],
    ] as const;
    for (const [cx, cy] of touching) {
      const raster = paint(64, 64, 0xffffff, [layer(0x2a9d8f, circle(cx, cy, R))]);
      const { map, samples, nodes } = partsOfPicture(raster);
      expect(map.nodes.length).to.equal(2);
      // The last samples are of pixels that the ground covers a little of.
      const onSide = nodes[0] === nodes[2];
      for (let n = 0; n < 2; n++) {
        expect(Math.abs(nodes[2 * n + (onSide ? 1 : 0)]! - 32.3)).to.be.lessThan(2.5);
        expect(Math.abs(samples.slides[n]!)).to.be.greaterThan(2);
      }
      expect(Math.sign(samples.slides[0]!)).to.equal(-Math.sign(samples.slides[1]!));
      for (const { x, y, weight } of edgeSamples(raster)) {
        if (weight > 0.4) expect(Math.abs(Math.hypot(x - cx, y - cy) - R)).to.be.lessThan(0.1);
      }
    }
  });

  it('do not slide along the border where the edge leaves the picture', () => {
    const raster = paint(40, 40, 0xffffff, [layer(0x000000, [10, -5, 60, -5, 60, 60, 30, 60])]);
    const { map, samples } = partsOfPicture(raster);
    expect(map.nodes.length).to.equal(2);
    expect([...samples.slides]).to.deep.equal([0, 0]);
  });
});
