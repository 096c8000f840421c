import { expect } from 'chai';
import { ContourPixels } from '#adapters/tracing/engine/fit/contour-pixels.js';
import { CurveList, SEGMENT_CUBIC, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { SideGuesses } from '#adapters/tracing/engine/fit/side-guesses.js';
import { SidedContour, type SidePlaces } from '#adapters/tracing/engine/fit/sided-contour.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { MOST_SIDE_CHORDS } from '#adapters/tracing/engine/kernels/kernel-layout.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { type Contour, circle, rectangle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** A side: where it begins, and how far it bulges; undefined for a line. */
type Side = readonly [x: number, y: number, bulge?: number];

function contourOf(sides: readonly Side[]): SidedContour {
  const contour = new SidedContour();
  contour.count = sides.length;
  sides.forEach(([x, y, bulge], k) => {
    contour.numbers.set([x, y, bulge ?? 0], 3 * k);
    contour.isArc[k] = bulge === undefined ? 0 : 1;
  });
  return contour;
}

const cornersOf = ({ numbers, count }: SidedContour) =>
  Array.from({ length: count }, (_, k) => [numbers[3 * k]!, numbers[3 * k + 1]!] as const);

/** The places along a side of a contour. */
function placesOf(contour: SidedContour, k: number): SidePlaces {
  const row = () => new Float64Array(MOST_SIDE_CHORDS + 1);
  const places: SidePlaces = { count: 0, x: row(), y: row(), u: row(), v: row(), du: row(), dv: row(), ex: 0, ey: 0 };
  contour.follow(k, places);
  return places;
}

/** Twice the area that a contour's places enclose, by the shoelace formula: clockwise as seen above 0. */
function twiceArea(contour: SidedContour): number {
  let sum = 0;
  for (let k = 0; k < contour.count; k++) {
    const { x, y, count } = placesOf(contour, k);
    for (let i = 0; i < count; i++) sum += x[i]! * y[i + 1]! - x[i + 1]! * y[i]!;
  }
  return sum;
}

/** The pixels of a picture with one or more contours, and the chain of the first. */
function pixelsOf(...outlines: readonly Contour[]) {
  const picture = paint(
    48,
    48,
    0xffffff,
    outlines.map((outline, k) => layer(k === 0 ? 0x1d3557 : 0xc1121f, outline)),
  );
  const { map, regions } = partsOfPicture(picture);
  const chain = [...map.startNode].findIndex((node, c) => node < 0 && map.left[c]! >= 0 && map.right[c]! >= 0);
  const pixels = new ContourPixels();
  return { pixels, isTaken: pixels.load(map, regions, toWorkingPixels(picture).rgba, chain), map, chain };
}

/** The corners of a polygon, all moved by about so many px, in the order in which its chain runs: counterclockwise where `turned`. */
function moved(outline: Contour, px: number, turned: boolean): SidedContour {
  const corners = Array.from({ length: outline.length / 2 }, (_, k): Side => {
    const angle = 2.4 * k;
    return [outline[2 * k]! + px * Math.cos(angle), outline[2 * k + 1]! + px * Math.sin(angle)];
  });
  return contourOf(turned ? corners.reverse() : corners);
}

describe('a contour of lines and arcs', () => {
  it('encloses what its arcs do, however few chords they are followed by', () => {
    for (const radius of [2, 5, 14]) {
      // Two arcs of a circle, 216 and 144 degrees.
      const [x, y] = [radius * Math.sin(0.4 * Math.PI), radius * Math.cos(0.4 * Math.PI)];
      const disk = contourOf([
        [20 - x, 20 + y, Math.tan(0.3 * Math.PI)],
        [20 + x, 20 + y, Math.tan(0.2 * Math.PI)],
      ]);
      expect(twiceArea(disk)).to.be.closeTo(2 * Math.PI * radius * radius, 1e-9 * radius * radius);
      const { x: xs, y: ys, count } = placesOf(disk, 0);
      for (let i = 0; i <= count; i++) expect(Math.hypot(xs[i]! - 20, ys[i]! - 20)).to.be.closeTo(radius, 0.025);
    }
  });

  it('is the same without a corner that lies on an arc', () => {
    const bulge = Math.tan(Math.PI / 8);
    const quarters = contourOf([
      [10, 20, bulge],
      [20, 10, bulge],
      [30, 20],
    ]);
    quarters.leaveOut(1);
    expect(cornersOf(quarters)).to.deep.equal([
      [10, 20],
      [30, 20],
    ]);
    expect([...quarters.isArc.subarray(0, 2)]).to.deep.equal([1, 0]);
    expect(quarters.numbers[2]).to.be.closeTo(1, 1e-12);
  });

  it('has weak corners where it hardly turns, next to short sides, and between arcs', () => {
    const corners = contourOf([
      [10, 10],
      [20, 10],
      [30, 11],
      [30, 30, 0.2],
      [20, 34, 0.2],
      [10.8, 30],
      [10, 29.4],
    ]);
    const weak = Array.from({ length: corners.count }, (_, k) => k).filter((k) => corners.isWeak(k));
    // At 20, 10 it turns by a tenth; at 20, 34 two arcs meet; the last side is a pixel long.
    expect(weak).to.deep.equal([1, 4, 5, 6]);
  });

  it('is drawn as lines, and arcs as cubics that are no farther off than a hundredth of a pixel', () => {
    const list = new CurveList();
    list.beginChain();
    contourOf([
      [10, 20, 1],
      [30, 20],
    ]).draw(list);
    const { kinds, points } = list.finish();
    expect([...kinds]).to.deep.equal([SEGMENT_CUBIC, SEGMENT_CUBIC, SEGMENT_LINE]);
    for (let k = 0; k < 2; k++) {
      for (let t = 0; t <= 1; t += 0.125) {
        const at = (axis: number) => {
          const [a, b, c, d] = [0, 2, 4, 6].map((i) => points[8 * k + i + axis]!) as [number, number, number, number];
          return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d;
        };
        expect(Math.hypot(at(0) - 20, at(1) - 20)).to.be.closeTo(10, 0.01);
      }
    }
  });

  it('has arcs for what only cuts off its corners, and not for sides as long as the others', () => {
    const cut = contourOf([
      [12, 10],
      [28, 10],
      [30, 12],
      [30, 28],
      [28, 30],
      [12, 30],
      [10, 28],
      [10, 12],
    ]);
    expect(cut.roundCuts(1.2)).to.equal(true);
    expect([...cut.isArc.subarray(0, 8)]).to.deep.equal([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(cut.numbers[5]).to.be.closeTo(Math.tan(Math.PI / 8), 1e-12);
    const octagon = contourOf(
      Array.from({ length: 8 }, (_, k): Side => [20 + 8 * Math.cos(k * 0.785), 20 + 8 * Math.sin(k * 0.785)]),
    );
    expect(octagon.roundCuts(1.2)).to.equal(false);
    expect([...octagon.isArc]).to.not.include(1);
  });

  it('is something round in facets where it has many corners and hardly any is sharp', () => {
    const round = (n: number) =>
      contourOf(
        Array.from({ length: n }, (_, k): Side => {
          const angle = (2 * Math.PI * k) / n;
          return [20 + 6 * Math.cos(angle), 20 + 6 * Math.sin(angle)];
        }),
      );
    expect(round(12).isFaceted).to.equal(true);
    expect(round(8).isFaceted).to.equal(false);
    expect(moved(star(20, 20, 8, 3, 5), 0, false).isFaceted).to.equal(false);
  });
});

describe('the pixels along a small contour', () => {
  for (const [name, outline, off] of [
    ['a star', star(23.3, 24.6, 8, 3.2, 5), 0.4],
    ['a square', rectangle(18.3, 19.6, 9.5, 8.2), 0.6],
    ['a triangle', [16.2, 18.1, 29.7, 24.3, 20.1, 30.4], 0.4],
  ] as const)
    it(`lead the corners of ${name} to where they are`, () => {
      const { pixels, isTaken, map, chain } = pixelsOf(outline);
      expect(isTaken).to.equal(true);
      expect(pixels.count).to.be.greaterThan(40);
      // Outlines run clockwise; so does a chain with what it encloses to its right.
      const turned = map.right[chain] === 0;
      const contour = moved(outline, off, turned);
      const left = Math.sqrt(pixels.settle(contour, 0) / pixels.count);
      expect(left).to.be.lessThan(0.003);
      const wanted = cornersOf(moved(outline, 0, turned));
      cornersOf(contour).forEach(([x, y], k) => {
        expect(Math.hypot(x - wanted[k]![0], y - wanted[k]![1]), `corner ${k}`).to.be.lessThan(0.04);
      });
    });

  it('are painted in as many steps as a side meets pixels, also where it all but runs along their own sides', () => {
    const { pixels, map, chain } = pixelsOf(rectangle(18, 19, 9, 8));
    const turned = map.right[chain] === 0;
    for (const hair of [1e-9, 1e-12, 1e-15, -1e-12]) {
      const corners: Side[] = [
        [18 + hair, 19],
        [27, 19 + hair],
        [27 - hair, 27],
        [18, 27 - hair],
      ];
      expect(pixels.settle(contourOf(turned ? corners.reverse() : corners), 0)).to.be.lessThan(1e-6);
    }
  });

  it('lead a line and an arc to half a disk', () => {
    const whole = circle(24.4, 26.7, 6);
    const half = whole.filter((_, i) => whole[i - (i % 2) + 1]! <= 26.7);
    const { pixels, map, chain } = pixelsOf(half);
    const turned = map.right[chain] === 0;
    const contour = turned
      ? contourOf([
          [18, 26.9],
          [31, 26.2, -0.7],
        ])
      : contourOf([
          [18, 26.9, 0.7],
          [31, 26.2],
        ]);
    expect(Math.sqrt(pixels.settle(contour, 0) / pixels.count)).to.be.lessThan(0.006);
    expect(Math.abs(contour.numbers[turned ? 5 : 2]!)).to.be.closeTo(1, 0.02);
    expect(Math.min(contour.numbers[0]!, contour.numbers[3]!)).to.be.closeTo(18.4, 0.06);
  });

  it('have a place on every crack, near to where the edge passes it', () => {
    const [cx, cy, r] = [24.3, 23.6, 7];
    const { pixels, map, chain } = pixelsOf(circle(cx, cy, r));
    const xs = new Float64Array(100);
    const ys = new Float64Array(100);
    const count = pixels.crossings(map, chain, xs, ys);
    expect(count).to.equal(map.starts[chain + 1]! - map.starts[chain]! - 1);
    for (let i = 0; i < count; i++) {
      expect(Math.abs(Math.hypot(xs[i]! - cx, ys[i]! - cy) - r), `place ${i}`).to.be.lessThan(0.2);
      // Each is next to the one before.
      const before = (i + count - 1) % count;
      expect(Math.hypot(xs[i]! - xs[before]!, ys[i]! - ys[before]!)).to.be.lessThan(1.6);
    }
  });

  it('tell the side that misses most', () => {
    const outline = rectangle(18.3, 19.6, 9.5, 8.2);
    const { pixels, map, chain } = pixelsOf(outline);
    const contour = moved(outline, 0, map.right[chain] === 0);
    // Away from the second corner's sides.
    contour.numbers[0]! += 0.5;
    const [before, behind] = [3, 0];
    expect([before, behind]).to.include(pixels.worstSide(contour));
  });

  it('are left alone where the contour is large, or something else is along much of it', () => {
    expect(pixelsOf(rectangle(4.5, 4.5, 39, 12)).isTaken).to.equal(false);
    expect(pixelsOf(rectangle(10.5, 10.5, 8, 8), rectangle(19.6, 10.5, 8, 8)).isTaken).to.equal(false);
    expect(pixelsOf(rectangle(10.5, 10.5, 8, 8), rectangle(30.6, 10.5, 8, 8)).isTaken).to.equal(true);
  });

  it('are those that nothing else is beside', () => {
    const alone = pixelsOf(rectangle(10.5, 10.5, 8, 8));
    const beside = pixelsOf(rectangle(10.5, 10.5, 8, 8), rectangle(19.6, 15.5, 8, 8));
    expect(beside.isTaken).to.equal(true);
    expect(beside.pixels.count).to.be.within(0.7 * alone.pixels.count, 0.95 * alone.pixels.count);
    const square = moved(rectangle(10.5, 10.5, 8, 8), 0, beside.map.right[beside.chain] === 0);
    expect(Math.sqrt(beside.pixels.settle(square, 0) / beside.pixels.count)).to.be.lessThan(0.004);
  });
});

describe('guesses of a contour by places along it', () => {
  const along = (outline: Contour, apart: number) => {
    const xs: number[] = [];
    const ys: number[] = [];
    for (let i = 0; i < outline.length; i += 2) {
      const [x0, y0] = [outline[i]!, outline[i + 1]!];
      const [x1, y1] = [outline[(i + 2) % outline.length]!, outline[(i + 3) % outline.length]!];
      const places = Math.round(Math.hypot(x1 - x0, y1 - y0) / apart);
      for (let k = 0; k < places; k++) {
        xs.push(x0 + (k / places) * (x1 - x0));
        ys.push(y0 + (k / places) * (y1 - y0));
      }
    }
    return { xs: Float64Array.from(xs), ys: Float64Array.from(ys), count: xs.length };
  };

  it('have the corners of a polygon, from as many sides on as it has', () => {
    const outline = star(20, 20, 8, 3.2, 5);
    const { xs, ys, count } = along(outline, 1);
    const guesses = new SideGuesses();
    guesses.load(xs, ys, count);
    expect(guesses.rms(10, 0)).to.be.lessThan(1e-4);
    expect(guesses.rms(9, 0)).to.be.greaterThan(0.1);
    const contour = new SidedContour();
    expect(guesses.place(10, 0, contour)).to.equal(true);
    expect(contour.count).to.equal(10);
    for (const [x, y] of cornersOf(contour)) {
      const nearest = Math.min(
        ...Array.from({ length: 10 }, (_, k) => Math.hypot(outline[2 * k]! - x, outline[2 * k + 1]! - y)),
      );
      expect(nearest).to.be.lessThan(0.01);
    }
  });

  it('have an arc where places lie on one, counted as two sides', () => {
    const whole = circle(20, 22, 7);
    const places = 24;
    const xs = Float64Array.from({ length: places + 9 }, (_, i) =>
      i <= places ? (whole[2 * (360 + i * 15)] ?? 27) : 27 - (14 * (i - places)) / 9,
    );
    const ys = Float64Array.from({ length: places + 9 }, (_, i) =>
      i <= places ? (whole[2 * (360 + i * 15) + 1] ?? 22) : 22,
    );
    const guesses = new SideGuesses();
    guesses.load(xs, ys, places + 9);
    expect(guesses.rms(3, 1)).to.be.lessThan(0.01);
    expect(guesses.rms(3, 0)).to.be.greaterThan(0.5);
    const contour = new SidedContour();
    expect(guesses.place(3, 1, contour)).to.equal(true);
    expect([...contour.isArc.subarray(0, contour.count)].sort()).to.deep.equal([0, 1]);
    expect(Math.max(...[2, 5].map((i) => Math.abs(contour.numbers[i]!)))).to.be.closeTo(1, 0.1);
  });
});
