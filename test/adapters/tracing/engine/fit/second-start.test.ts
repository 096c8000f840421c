import { expect } from 'chai';
import { countCrossings } from '#adapters/tracing/engine/fit/curve-crossings.js';
import { CurveList, SEGMENT_CUBIC, SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { drawSides } from '#adapters/tracing/engine/fit/draw-sides.js';
import { startAgain } from '#adapters/tracing/engine/fit/second-start.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { circle, rectangle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

function sidesOf(places: readonly (readonly [number, number])[], isClosed: boolean, isSmall = false) {
  const list = new CurveList();
  list.beginChain();
  drawSides(list, {
    xs: Float64Array.from(places, ([x]) => x),
    ys: Float64Array.from(places, ([, y]) => y),
    corners: Int32Array.from(places.keys()),
    count: places.length - 1,
    isClosed,
    isSmall,
  });
  return list.finish();
}

/** How much the direction changes where a segment begins, radians. */
function turnAt({ points }: ReturnType<typeof sidesOf>, k: number): number {
  const direction = (p: number, q: number) => Math.atan2(points[q + 1]! - points[p + 1]!, points[q]! - points[p]!);
  return direction(8 * k, 8 * k + 2) - direction(8 * k - 4, 8 * k - 2);
}

describe('the sides of a polygon', () => {
  it('are curves with common tangents where they turn little, and lines between corners', () => {
    const round = sidesOf(
      [
        [0, 0],
        [3, 0.4],
        [5.6, 1.9],
        [7.4, 4.3],
      ],
      false,
    );
    expect([...round.kinds]).to.deep.equal([SEGMENT_CUBIC, SEGMENT_CUBIC, SEGMENT_CUBIC]);
    for (const k of [1, 2]) expect(turnAt(round, k)).to.be.closeTo(0, 1e-9);
    const square = sidesOf(
      [
        [0, 0],
        [5, 0],
        [5, 5],
        [0, 5],
        [0, 0],
      ],
      true,
    );
    expect([...square.kinds]).to.deep.equal([SEGMENT_LINE, SEGMENT_LINE, SEGMENT_LINE, SEGMENT_LINE]);
  });

  it('are lines where they are long, which curves beside them go on from', () => {
    const rounded = sidesOf(
      [
        [0, 0],
        [20, 0],
        [22, 1],
        [23, 3],
        [23, 20],
      ],
      false,
    );
    expect([...rounded.kinds]).to.deep.equal([SEGMENT_LINE, SEGMENT_CUBIC, SEGMENT_CUBIC, SEGMENT_LINE]);
    expect(rounded.points[8 + 3]).to.equal(0);
    expect(rounded.points[16 + 4]).to.equal(23);
  });

  it('of small closed polygons are round', () => {
    const pentagon = Array.from({ length: 6 }, (_, k) => [3 * Math.cos(1.2566 * k), 3 * Math.sin(1.2566 * k)] as const);
    expect(new Set(sidesOf(pentagon, true, true).kinds)).to.deep.equal(new Set([SEGMENT_CUBIC]));
    expect(new Set(sidesOf(pentagon, true).kinds)).to.deep.equal(new Set([SEGMENT_LINE]));
  });
});

describe('crossings of chains', () => {
  it('are counted with themselves and with others, as far as they are marked, and not where they only touch', () => {
    const list = new CurveList();
    list.beginChain();
    list.line(0, 0, 10, 10);
    list.line(10, 10, 10, 0);
    list.line(10, 0, 0, 8);
    list.beginChain();
    list.line(0, 4, 3, 1);
    list.beginChain();
    list.line(10, 10, 20, 20);
    const curves = list.finish();
    const all = new Uint8Array([1, 1, 1]);
    expect([...countCrossings(curves, all, all)]).to.deep.equal([2, 1, 0]);
    expect([...countCrossings(curves, new Uint8Array([0, 1, 0]), new Uint8Array([1, 1, 0]))]).to.deep.equal([0, 1, 0]);
    expect([...countCrossings(curves, new Uint8Array([0, 1, 0]), new Uint8Array([0, 1, 1]))]).to.deep.equal([0, 0, 0]);
  });
});

describe('what begins anew', () => {
  const picture = paint(48, 48, 0xffffff, [
    layer(0x1d3557, star(24.2, 23.7, 14, 6, 5)),
    layer(0xc1121f, rectangle(0, 36.4, 48, 12)),
  ]);
  const { map, regions, curves, nodes } = partsOfPicture(picture);
  const { rgba } = toWorkingPixels(picture);
  const isOpen = (c: number) => map.startNode[c]! >= 0;
  const inside = [...map.left].flatMap((left, c) => (left >= 0 && map.right[c]! >= 0 ? [c] : []));

  it('is what misses by far and is not where its pixels are, and nothing else', () => {
    const none = startAgain(
      map,
      regions,
      rgba,
      { curves, nodePositions: nodes.slice(), costs: new Float64Array(map.chainCount) },
      new Uint8Array(map.chainCount),
    );
    expect(none).to.equal(undefined);
    const c = inside.find((chain) => !isOpen(chain))!;
    const missed = new Float64Array(map.chainCount);
    missed[c] = 1e9;
    // Moved by two px it is far from its pixels.
    const astray = { ...curves, points: curves.points.slice() };
    for (let p = curves.starts[c]! * 8; p < curves.starts[c + 1]! * 8; p++) astray.points[p]! += 2;
    const moved = () => ({ curves: astray, nodePositions: nodes.slice(), costs: missed });
    const begun = startAgain(map, regions, rgba, moved(), new Uint8Array(map.chainCount))!;
    expect([...begun.changed].flatMap((flag, chain) => (flag === 1 ? [chain] : []))).to.deep.equal([c]);
    for (let k = begun.curves.starts[c]!; k < begun.curves.starts[c + 1]!; k++) {
      const [x, y] = [begun.curves.points[8 * k]!, begun.curves.points[8 * k + 1]!];
      const radius = Math.hypot(x - 24.2, y - 23.7);
      expect(radius).to.be.within(5, 15);
    }
    // What was tried is not tried again.
    const tried = Uint8Array.from({ length: map.chainCount }, () => 1);
    expect(startAgain(map, regions, rgba, moved(), tried)).to.equal(undefined);
  });

  it('is no small closed chain, of which too few pixels tell', () => {
    const dot = paint(24, 24, 0xffffff, [layer(0x1d3557, circle(12.3, 11.8, 1.2))]);
    const parts = partsOfPicture(dot);
    const costs = new Float64Array(parts.map.chainCount).fill(1e9);
    const begun = startAgain(
      parts.map,
      parts.regions,
      toWorkingPixels(dot).rgba,
      { curves: parts.curves, nodePositions: parts.nodes.slice(), costs },
      new Uint8Array(parts.map.chainCount),
    );
    expect(begun).to.equal(undefined);
  });
});
