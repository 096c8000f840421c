import { expect } from 'chai';
import { ContourPixels } from '#adapters/tracing/engine/fit/contour-pixels.js';
import { isLike, pentagram, placeTemplate, templateOf, turnsOf } from '#adapters/tracing/engine/fit/shape-templates.js';
import { SidedContour } from '#adapters/tracing/engine/fit/sided-contour.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { contourMoments } from '#adapters/tracing/engine/shapes/contour-moments.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { type Contour, circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { contoursOf, settledShapes } from './settled-shapes.js';

/** The share of a pentagram's inner corners. */
const INNER = (3 - Math.sqrt(5)) / 2;

/** An area from which the color of small things is known. */
const ONE_COLOR = rectangle(2, 40, 44, 6);

const pentagramAt = (cx: number, cy: number, radius: number, degrees: number) =>
  turned(star(cx, cy, radius, INNER * radius, 5), degrees, cx, cy);

const polygon = (cx: number, cy: number, radius: number, corners: number) =>
  star(cx, cy, radius, radius * Math.cos(Math.PI / corners), corners);

const pointsOf = (outline: Contour) =>
  Array.from({ length: outline.length / 2 }, (_, k) => [outline[2 * k]!, outline[2 * k + 1]!] as const);

const momentsOf = (outline: Contour) => {
  const points = pointsOf(outline);
  return contourMoments(
    Float64Array.from(points, ([x]) => x),
    Float64Array.from(points, ([, y]) => y),
    points.length,
  );
};

function contourOf(outline: Contour): SidedContour {
  const contour = new SidedContour();
  contour.count = outline.length / 2;
  pointsOf(outline).forEach(([x, y], k) => {
    contour.numbers.set([x, y, 0], 3 * k);
  });
  return contour;
}

const cornersOf = ({ numbers, count }: SidedContour) =>
  Array.from({ length: count }, (_, k) => [numbers[3 * k]!, numbers[3 * k + 1]!] as const);

/** How far the farthest of some points is from the nearest of others. */
const farthest = (from: readonly (readonly [number, number])[], others: readonly (readonly [number, number])[]) =>
  Math.max(...from.map(([x, y]) => Math.min(...others.map(([u, v]) => Math.hypot(x - u, y - v)))));

function pixelsOf(outline: Contour) {
  // What is as dark as it must be known to be so.
  const picture = paint(48, 48, 0xffffff, [layer(0x1d3557, outline), layer(0x1d3557, ONE_COLOR)]);
  const { map, regions } = partsOfPicture(picture);
  const chain = [...map.startNode].findIndex((node, c) => node < 0 && map.left[c]! >= 0 && map.right[c]! >= 0);
  const pixels = new ContourPixels();
  expect(pixels.load(map, regions, toWorkingPixels(picture).rgba, chain)).to.equal(true);
  return pixels;
}

describe('a contour as a whole', () => {
  it('is moved, turned and made as large as its pixels have it, and stays what it is', () => {
    const outline = pentagramAt(23.3, 24.6, 3, 23);
    const pixels = pixelsOf(outline);
    const contour = contourOf(pentagramAt(23.6, 24.3, 3.3, 14));
    // As its chain runs.
    if (!pixels.isClockwise) contour.reverse();
    const left = pixels.settle(contour, 0, true);
    expect(Math.sqrt(left / pixels.count)).to.be.lessThan(0.004);
    expect(farthest(cornersOf(contour), pointsOf(outline))).to.be.lessThan(0.03);
    const lengths = cornersOf(contour).map(([x, y], k, all) => {
      const [u, v] = all[(k + 1) % all.length]!;
      return Math.hypot(u - x, v - y);
    });
    for (const length of lengths) expect(length).to.be.closeTo(lengths[0]!, 1e-9);
  });

  it('runs the other way with the same sides', () => {
    const contour = contourOf([10, 10, 20, 10, 24, 18, 12, 20]);
    contour.isArc.set([0, 1, 0, 0]);
    contour.numbers[5] = 0.3;
    const before = contour.polygon();
    contour.reverse();
    expect([...contour.isArc.subarray(0, 4)]).to.deep.equal([0, 0, 1, 0]);
    expect(contour.numbers[8]).to.equal(-0.3);
    const after = contour.polygon();
    const sorted = ({ x, y }: typeof before) => x.map((u, k) => `${u.toFixed(9)} ${y[k]!.toFixed(9)}`).sort();
    expect(sorted(after)).to.deep.equal(sorted(before));
  });

  for (const [name, outline] of [
    ['a star', pentagramAt(23.3, 24.6, 4, 40)],
    ['a bar', turned(rectangle(16, 22, 15, 4), 29, 23, 24)],
    ['a large square', rectangle(12.3, 13.4, 20, 20)],
  ] as const)
    it(`has the moments of ${name} by its pixels`, () => {
      const { moments } = pixelsOf(outline);
      const wanted = momentsOf(outline);
      expect(moments.area).to.be.closeTo(wanted.area, 0.01 * wanted.area);
      expect(Math.hypot(moments.cx - wanted.cx, moments.cy - wanted.cy)).to.be.lessThan(0.02);
      for (const key of ['xx', 'xy', 'yy'] as const)
        expect(moments[key], key).to.be.closeTo(wanted[key], 0.015 * (wanted.xx + wanted.yy));
    });
});

describe('a template of a shape', () => {
  it('is the shape wherever it lies, and whichever way it ran', () => {
    const outline = turned([10, 10, 30, 12, 26, 20, 14, 19], 17, 20, 15);
    const template = templateOf(contourOf(outline), true);
    const placed = new SidedContour();
    const moments = momentsOf(turned(outline, 63, 20, 15));
    for (const isClockwise of [true, false]) {
      const off = turnsOf(template, moments).map((turn) => {
        placeTemplate(template, moments, turn, isClockwise, placed);
        return farthest(cornersOf(placed), pointsOf(turned(outline, 63, 20, 15)));
      });
      expect(off).to.have.length(2);
      expect(Math.min(...off)).to.be.lessThan(1e-9);
    }
    const other = contourOf(outline);
    other.reverse();
    placeTemplate(templateOf(other, false), momentsOf(outline), 0, true, placed);
    expect(farthest(cornersOf(placed), pointsOf(outline))).to.be.lessThan(1e-9);
  });

  it('of a star is tried at turns within a fifth of a whole one', () => {
    const turns = turnsOf(pentagram(), momentsOf(pentagramAt(20, 20, 5, 11)));
    expect(turns).to.have.length(6);
    for (const turn of turns) expect(turn).to.be.within(0, (2 * Math.PI) / 5);
  });

  it('of a star is not like what is round, square or long', () => {
    const isStar = (outline: Contour) => isLike(pentagram(), momentsOf(outline));
    expect(isStar(pentagramAt(20, 20, 3, 11))).to.equal(true);
    expect(isStar(circle(20, 20, 4))).to.equal(false);
    expect(isStar(rectangle(10, 10, 5, 5))).to.equal(false);
    expect(isStar(rectangle(10, 10, 5, 10))).to.equal(false);
  });
});

/** What small dark outlines become beside an area as dark, from which their color is known. */
function smallShapes(width: number, height: number, outlines: readonly Contour[]) {
  const { map, curves } = settledShapes(width, height + 10, [...outlines, rectangle(2, height, width - 4, 6)]);
  const found = contoursOf(map, curves).filter((numbers) => numbers[1]! < height - 2);
  expect(found).to.have.length(outlines.length);
  return found.map((numbers) =>
    Array.from({ length: numbers.length / 8 }, (_, k) => [numbers[8 * k]!, numbers[8 * k + 1]!] as const),
  );
}

describe('small shapes whose sides are shorter than a pixel or two', () => {
  for (const radius of [2, 2.4, 3, 4])
    it(`are stars of five points, ${radius} px from the middle to each of these`, () => {
      const stars = Array.from({ length: 9 }, (_, k) =>
        pentagramAt(10.2 + (k % 3) * 14.37, 9.7 + Math.floor(k / 3) * 14.71, radius, 8 * k),
      );
      for (const corners of smallShapes(50, 50, stars)) {
        expect(corners).to.have.length(10);
        expect(farthest(corners, stars.flatMap(pointsOf))).to.be.lessThan(0.3);
      }
    });

  it('are no stars where they are dots, squares or triangles', () => {
    const shapes = Array.from({ length: 16 }, (_, k) => {
      const [x, y] = [9.3 + (k % 4) * 12.3, 8.6 + Math.floor(k / 4) * 12.7];
      const radius = 1.7 + 0.15 * k;
      return turned(
        [circle(x, y, radius), polygon(x, y, radius, 4), polygon(x, y, radius + 0.8, 3)][k % 3]!,
        50 * k,
        x,
        y,
      );
    });
    for (const corners of smallShapes(58, 58, shapes)) expect(corners.length).to.be.lessThan(10);
  });

  it('are what others in the picture are seen to be', () => {
    // Seven points: no shape that is known beforehand.
    const seven = (cx: number, cy: number, radius: number, degrees: number) =>
      turned(star(cx, cy, radius, 0.45 * radius, 7), degrees, cx, cy);
    const stars = [
      seven(15, 15, 9, 0),
      seven(40.3, 13.4, 3.6, 0),
      seven(41.7, 36.2, 3.5, 0),
      seven(14.6, 38.1, 3.3, 0),
    ];
    for (const corners of smallShapes(54, 50, stars)) {
      expect(corners).to.have.length(14);
      expect(farthest(corners, stars.flatMap(pointsOf))).to.be.lessThan(0.35);
    }
  });
});
