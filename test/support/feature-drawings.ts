import { type Drawing, type DrawingItem, type Geometry, MOVE, type Paint } from '#domain/drawing/drawing.js';
import { type BuilderStep, createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from './drawing-builder.js';
import { createSeededRandom } from './seeded-random.js';

type Builder = ReturnType<typeof createDrawingBuilder>;

export interface FeatureDrawing {
  readonly name: string;
  readonly drawing: Drawing;
  /** What a format without these must say that it lost. */
  readonly needs: readonly ('opacity' | 'clips' | 'gradients' | 'strokes')[];
}

const RAINBOW = [0xff0000, 0xffee00, 0x00aa33, 0x0055ff].map((color, i) => ({ offset: i / 3, color, opacity: 1 }));
const FADE = [
  { offset: 0, color: 0xff3300, opacity: 1 },
  { offset: 0.6, color: 0x3300ff, opacity: 0.5 },
  { offset: 1, color: 0x0000ff, opacity: 0 },
];
const linear = (x1: number, y1: number, x2: number, y2: number, stops = RAINBOW): Paint => ({
  kind: 'linear',
  x1,
  y1,
  x2,
  y2,
  stops,
});

/** A closed blob of `count` cubics around (cx, cy), smooth at its nodes. */
export function blobSteps(cx: number, cy: number, radius: number, count: number, random: () => number): BuilderStep[] {
  const nodes = Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * 2 * Math.PI;
    const reach = radius * (0.85 + 0.3 * random());
    return { x: cx + reach * Math.cos(angle), y: cy + reach * Math.sin(angle) };
  });
  const at = (i: number) => nodes[(i + count) % count]!;
  const steps: BuilderStep[] = [['M', nodes[0]!.x, nodes[0]!.y]];
  for (let i = 0; i < count; i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    steps.push([
      'C',
      from.x + (to.x - before.x) / 6,
      from.y + (to.y - before.y) / 6,
      to.x - (after.x - from.x) / 6,
      to.y - (after.y - from.y) / 6,
      to.x,
      to.y,
    ]);
  }
  return [...steps, ['Z']];
}

/** A logo-like drawing of exactly `count` cubics in `shapes` shapes of a few colors. */
export function logoDrawing(count = 200, shapes = 10, size = 400): Drawing {
  const random = createSeededRandom(7);
  const builder = createDrawingBuilder(size, size);
  const colors = [0xd62828, 0x003049, 0xf77f00];
  const items = Array.from({ length: shapes }, (_, i) => {
    const column = i % 4;
    const row = Math.floor(i / 4);
    const steps = blobSteps((size * (column + 0.5)) / 4, (size * (row + 0.5)) / 4, size / 10, count / shapes, random);
    return shapeOf(builder.path(steps), solid(colors[i % colors.length]!));
  });
  return builder.drawing(items);
}

const one = (
  name: string,
  needs: FeatureDrawing['needs'],
  make: (builder: Builder) => readonly DrawingItem[],
  [width, height]: readonly [number, number] = [80, 60],
): FeatureDrawing => {
  const builder = createDrawingBuilder(width, height);
  const items = make(builder);
  return { name, needs, drawing: builder.drawing(items) };
};

const star = (builder: Builder, evenOdd: boolean): Geometry =>
  builder.path([['M', 40, 4], ['L', 55, 54], ['L', 12, 22], ['L', 68, 22], ['L', 25, 54], ['Z']], evenOdd);
const circle = (cx: number, cy: number, r: number): Geometry => ({ kind: 'circle', cx, cy, r });

/** Hand-made drawings, each showing one thing that an export may get wrong. */
export const featureDrawings: readonly FeatureDrawing[] = [
  one('rectangles', [], () => [
    shapeOf(rectOf(0, 0, 80, 60), solid(0xf4f1de)),
    shapeOf(rectOf(10.5, 8.25, 30, 20), solid(0xe07a5f)),
    shapeOf(rectOf(45, 30, 30, 25, 6), solid(0x3d405b)),
  ]),
  one('circles and ellipses', [], () => [
    shapeOf(circle(20, 20, 15), solid(0x118ab2)),
    shapeOf({ kind: 'ellipse', cx: 55, cy: 35, rx: 20, ry: 9, rotation: 30 }, solid(0xef476f)),
  ]),
  one('curves of every kind', [], (builder) => [
    shapeOf(
      builder.path([
        ['M', 5, 30],
        ['C', 5, 5, 30, 5, 35, 20],
        ['Q', 40, 35, 50, 20],
        ['A', 14, 9, 20, 0, 1, 72, 34],
        ['L', 60, 55],
        ['L', 12, 50],
        ['Z'],
      ]),
      solid(0x2a9d8f),
    ),
  ]),
  one('a star, non-zero', [], (builder) => [shapeOf(star(builder, false), solid(0xffb703))]),
  one('a star, even-odd', [], (builder) => [shapeOf(star(builder, true), solid(0xfb8500))]),
  one('a ring', [], (builder) => [
    shapeOf(
      builder.path([
        ...([['M', 60, 30], ['A', 20, 20, 0, 0, 1, 20, 30], ['A', 20, 20, 0, 0, 1, 60, 30], ['Z']] as const),
        ...([['M', 50, 30], ['A', 10, 10, 0, 0, 0, 30, 30], ['A', 10, 10, 0, 0, 0, 50, 30], ['Z']] as const),
      ]),
      solid(0x073b4c),
    ),
  ]),
  one('large arcs', [], (builder) => [
    shapeOf(builder.path([['M', 30, 20], ['A', 18, 18, 0, 1, 1, 30, 40], ['L', 36, 30], ['Z']]), solid(0x6a4c93)),
  ]),
  one('strokes with every join', ['strokes'], (builder) =>
    (['miter', 'round', 'bevel'] as const).map((join, i) =>
      shapeOf(
        builder.path([
          ['M', 8 + 24 * i, 50],
          ['L', 18 + 24 * i, 10],
          ['L', 28 + 24 * i, 50],
        ]),
        null,
        strokeOf(solid(0x1d3557), 5, { join, miterLimit: 10 }),
      ),
    ),
  ),
  one('strokes with every cap', ['strokes'], (builder) =>
    (['butt', 'round', 'square'] as const).map((cap, i) =>
      shapeOf(
        builder.path([
          ['M', 15, 14 + 16 * i],
          ['L', 65, 14 + 16 * i],
        ]),
        null,
        strokeOf(solid(0xe63946), 8, { cap }),
      ),
    ),
  ),
  one('dashes', ['strokes'], (builder) => [
    shapeOf(
      builder.path([
        ['M', 5, 10],
        ['C', 30, 70, 50, -20, 75, 50],
      ]),
      null,
      strokeOf(solid(0x457b9d), 3, { dashes: [8, 3, 1, 3], dashOffset: 2, cap: 'butt' }),
    ),
  ]),
  one('fill and stroke', ['strokes'], () => [
    shapeOf(rectOf(15, 12, 50, 36, 8), solid(0xa8dadc), strokeOf(solid(0x1d3557), 4)),
  ]),
  one('a miter limit', ['strokes'], (builder) => [
    shapeOf(
      builder.path([['M', 10, 50], ['L', 20, 10], ['L', 30, 50], ['Z']]),
      null,
      strokeOf(solid(0x000000), 4, { miterLimit: 2 }),
    ),
    shapeOf(
      builder.path([['M', 50, 50], ['L', 60, 14], ['L', 70, 50], ['Z']]),
      null,
      strokeOf(solid(0x000000), 4, { miterLimit: 12 }),
    ),
  ]),
  one('a linear gradient', ['gradients'], () => [shapeOf(rectOf(5, 5, 70, 50), linear(15, 10, 65, 50))]),
  one('a linear gradient of two colors', ['gradients'], () => [
    shapeOf(
      circle(40, 30, 26),
      linear(14, 30, 66, 30, [
        { offset: 0, color: 0x000000, opacity: 1 },
        { offset: 1, color: 0xffffff, opacity: 1 },
      ]),
    ),
  ]),
  one('stops inside the ends', ['gradients'], () => [
    shapeOf(
      rectOf(0, 0, 80, 60),
      linear(0, 0, 80, 0, [
        { offset: 0.25, color: 0xff0000, opacity: 1 },
        { offset: 0.5, color: 0x00ff00, opacity: 1 },
        { offset: 0.75, color: 0x0000ff, opacity: 1 },
      ]),
    ),
  ]),
  one('a radial gradient', ['gradients'], () => [
    shapeOf(rectOf(5, 5, 70, 50), { kind: 'radial', cx: 40, cy: 30, r: 30, fx: 40, fy: 30, stops: RAINBOW }),
  ]),
  one('a radial gradient with a focus', ['gradients'], () => [
    shapeOf(circle(40, 30, 28), { kind: 'radial', cx: 40, cy: 30, r: 28, fx: 30, fy: 20, stops: RAINBOW }),
  ]),
  one('an elliptic gradient', ['gradients'], () => [
    shapeOf(rectOf(5, 5, 70, 50), {
      kind: 'radial',
      cx: 0,
      cy: 0,
      r: 1,
      fx: 0,
      fy: 0,
      matrix: [30, 10, -8, 16, 40, 30],
      stops: RAINBOW,
    }),
  ]),
  one('a turned ellipse with a gradient', ['gradients'], () => [
    shapeOf({ kind: 'ellipse', cx: 40, cy: 30, rx: 30, ry: 14, rotation: 35 }, linear(15, 10, 65, 50)),
  ]),
  one('a gradient stroke', ['gradients', 'strokes'], (builder) => [
    shapeOf(
      builder.path([
        ['M', 10, 50],
        ['C', 20, 0, 60, 0, 70, 50],
      ]),
      null,
      strokeOf(linear(10, 0, 70, 0), 9, { cap: 'round' }),
    ),
  ]),
  one('a gradient that fades', ['gradients', 'opacity'], () => [
    shapeOf(rectOf(5, 5, 70, 50), linear(5, 0, 75, 0, FADE)),
  ]),
  one('translucent on nothing', ['opacity'], () => [shapeOf(circle(40, 30, 25), solid(0xd00000, 0.4))]),
  one('a translucent group', ['opacity'], () => [
    {
      kind: 'group',
      opacity: 0.5,
      clip: null,
      items: [shapeOf(rectOf(10, 10, 25, 40), solid(0x00ff00)), shapeOf(rectOf(45, 10, 25, 40), solid(0x0000ff))],
    },
  ]),
  one('a round clip', ['clips'], () => [
    {
      kind: 'group',
      opacity: 1,
      clip: [circle(40, 30, 22)],
      items: [
        shapeOf(rectOf(0, 0, 80, 30), solid(0xff006e)),
        shapeOf(rectOf(0, 30, 80, 30), solid(0x3a86ff)),
        shapeOf(circle(40, 30, 8), solid(0xffbe0b)),
      ],
    },
  ]),
  one('a clip of several outlines', ['clips'], (builder) => [
    {
      kind: 'group',
      opacity: 1,
      clip: [circle(25, 30, 18), star(builder, false)],
      items: [shapeOf(rectOf(0, 10, 80, 45), solid(0x8338ec))],
    },
  ]),
  one('clips within clips', ['clips'], () => [
    {
      kind: 'group',
      opacity: 1,
      clip: [rectOf(10, 10, 60, 40)],
      items: [
        {
          kind: 'group',
          opacity: 1,
          clip: [circle(15, 15, 20)],
          items: [shapeOf(rectOf(0, 0, 80, 60), solid(0x06d6a0))],
        },
      ],
    },
  ]),
  one('a clipped gradient', ['clips', 'gradients'], (builder) => [
    {
      kind: 'group',
      opacity: 1,
      clip: [star(builder, true)],
      items: [shapeOf(rectOf(0, 0, 80, 60), linear(0, 0, 80, 60))],
    },
  ]),
  one('what stands over the canvas', [], () => [
    shapeOf(circle(0, 0, 30), solid(0x9b5de5)),
    shapeOf(circle(80, 60, 30), solid(0xf15bb5)),
  ]),
  one('neighbors that touch', [], () =>
    Array.from({ length: 8 }, (_, i) => shapeOf(rectOf(10 * i, 0, 10, 60), solid(0x102030 + i * 0x181008))),
  ),
  one('a sliver and a dot', [], (builder) => [
    shapeOf(builder.path([['M', 5, 5], ['L', 75, 5.4], ['L', 75, 5.8], ['Z']]), solid(0x000000)),
    shapeOf(circle(40, 40, 0.6), solid(0xff0000)),
  ]),
  one(
    'a tall and narrow canvas',
    [],
    () => [shapeOf({ kind: 'ellipse', cx: 5, cy: 100, rx: 4, ry: 90, rotation: 0 }, solid(0x2b9348))],
    [10, 200],
  ),
  one('sizes that are not whole', [], () => [shapeOf(rectOf(1.25, 1.25, 30, 20.5), solid(0x5f0f40))], [33.5, 23.5]),
  { name: 'a logo of 200 curves', needs: [], drawing: logoDrawing() },
];

/** How many contours a drawing's paths have. */
export const contoursOf = ({ commands }: Drawing): number => commands.filter((command) => command === MOVE).length;
