import type { Raster } from '#application/ports/tracer.js';
import type { VectorizeSettings } from '#config/main/library.js';
import {
  bar,
  type Contour,
  circle,
  ellipse,
  lettering,
  rectangle,
  ring,
  roundedRectangle,
  star,
  turned,
} from '#test/support/outlines.js';
import {
  checkerboard,
  enlarge,
  jpegDamaged,
  type Layer,
  layer,
  linearShade,
  paint,
  radialShade,
  type Shade,
  SPRITE_COLORS,
  SPRITE_ROWS,
  sprite,
} from '#test/support/pictures.js';

/** What a golden case is made of: written to its folder by `UPDATE_GOLDEN=1`, so that pictures are never edited by hand. */
export interface GoldenInput {
  readonly picture: () => Raster | Promise<Raster>;
  readonly settings?: VectorizeSettings;
  /** The picture went through a lossy encoder, whose bytes may change with its version: the file stands as it is. */
  readonly lossy?: true;
  /** How far the drawing is from the picture on average, levels, where it is farther than usual. */
  readonly meanFromPicture?: number;
}

const WHITE = 0xffffff;
const INK = 0x1d3557;
const RED = 0xe63946;
const YELLOW = 0xf4c430;
const on = (...layers: ReturnType<typeof layer>[]) => paint(64, 64, WHITE, layers);

export const TRUE_CIRCLE = { cx: 31.7, cy: 32.4, r: 20.3 };
export const TRUE_RING = { cx: 32.2, cy: 31.6, outer: 25, inner: 12.4 };
export const TRUE_ELLIPSE = { cx: 32, cy: 31.5, rx: 25, ry: 13, degrees: 25 };
export const TRUE_SQUARE = turned(rectangle(15, 14, 34, 34), 17, 32, 31);
export const TRUE_STAR = star(32, 34, 28, 11.5, 5);
export const TRUE_JUNCTION = { x: 31.4, y: 30.7 };
export const TRUE_ROUNDED = { x: 8.5, y: 12.25, width: 46, height: 38, radius: 9 };
export const TRUE_LINE = turned(bar(8, 26, 58, 26, 1), 17, 33, 26);

/** Two boxes 1.2 px apart. */
export const TRUE_GAP = { left: 8.5, from: 30.8, to: 32, right: 56, top: 12.25, height: 40 };
/** A disc that lies half on red and half on white, in an outline. */
export const TRUE_OUTLINE = { cx: 36.3, cy: 31.7, inner: 20, redFrom: 34.4 };
export const TRUE_TEXT = lettering(5, 6, 12);
export const LINEAR_SHADE = linearShade(14, 20, 52, 46, [255, 92, 20, 1], [40, 20, 190, 1]);
export const TRUE_RADIAL = { cx: 26.5, cy: 25, r: 36 };
export const RADIAL_SHADE = radialShade(
  TRUE_RADIAL.cx,
  TRUE_RADIAL.cy,
  TRUE_RADIAL.r,
  [255, 255, 240, 1],
  [20, 110, 60, 1],
);
export const TRUE_SHADOW = { cx: 40.5, cy: 38, sigma: 11, opacity: 0.6 };
/** Black that fades as a blurred spot does. */
export const SHADOW_SHADE: Shade = (x, y) => {
  const { cx, cy, sigma, opacity } = TRUE_SHADOW;
  return [0, 0, 0, opacity * Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * sigma * sigma))];
};
const shaded = (shade: Shade, ...outline: readonly Contour[]): Layer => ({ color: 0, outline, shade });

const scene = () =>
  paint(64, 48, 0x8ecae6, [
    layer(YELLOW, circle(49, 13, 8)),
    layer(0x2a9d8f, ellipse(20, 50, 34, 17)),
    layer(RED, rectangle(24.5, 20.5, 15, 15)),
  ]);

/** `TRUE_OUTLINE` with an outline so many px wide. */
export function outlinedDisc(outlinePx: number): Raster {
  const { cx, cy, inner, redFrom } = TRUE_OUTLINE;
  return paint(72, 64, WHITE, [
    layer(RED, rectangle(redFrom, 0, 72 - redFrom, 64)),
    layer(0, circle(cx, cy, inner + outlinePx)),
    layer(YELLOW, circle(cx, cy, inner)),
    layer(0, rectangle(4, 4, 8, 8)),
  ]);
}

export const GOLDEN_INPUTS: Readonly<Record<string, GoldenInput>> = {
  circle: { picture: () => on(layer(RED, circle(TRUE_CIRCLE.cx, TRUE_CIRCLE.cy, TRUE_CIRCLE.r))) },
  ellipse: {
    picture: () => {
      const { cx, cy, rx, ry, degrees } = TRUE_ELLIPSE;
      return on(layer(INK, ellipse(cx, cy, rx, ry, degrees)));
    },
  },
  'rounded-rectangle': {
    picture: () => {
      const { x, y, width, height, radius } = TRUE_ROUNDED;
      return on(layer(0x2a9d8f, roundedRectangle(x, y, width, height, radius)));
    },
  },
  star: { picture: () => on(layer(YELLOW, TRUE_STAR)) },
  'turned-square': { picture: () => on(layer(INK, TRUE_SQUARE)) },
  'ring-on-nothing': {
    picture: () =>
      paint(64, 64, null, [layer(RED, ...ring(TRUE_RING.cx, TRUE_RING.cy, TRUE_RING.outer, TRUE_RING.inner))]),
  },
  'three-colors-meet': {
    picture: () => {
      const { x, y } = TRUE_JUNCTION;
      return paint(64, 64, RED, [
        layer(INK, [x, y, x + 40, y - 36, 110, -40, 110, 110, x + 4, 110]),
        layer(YELLOW, [x, y, x + 80, y + 18, 110, 110, -60, 110, x - 60, y + 60]),
      ]);
    },
  },
  // The block gives the ink a flat area to be known by.
  'thin-line': { picture: () => on(layer(0, TRUE_LINE, rectangle(4, 48, 12, 12))) },
  'thin-gap': {
    picture: () => {
      const { left, top, height, from, to, right } = TRUE_GAP;
      return on(
        layer(INK, rectangle(left, top, from - left, height)),
        layer(INK, rectangle(to, top, right - to, height)),
      );
    },
  },
  'outline-between-colors': { picture: () => outlinedDisc(1.2) },
  checkerboard: { picture: () => checkerboard(40, 40, 5, INK, YELLOW) },
  'text-12': { picture: () => paint(64, 24, WHITE, [layer(INK, ...TRUE_TEXT)]), meanFromPicture: 2.6 },
  lettering: { picture: () => paint(120, 40, WHITE, [layer(INK, ...lettering(6, 8, 24))]) },
  sprite: { picture: () => sprite(SPRITE_ROWS, SPRITE_COLORS) },
  'sprite-x8': { picture: () => enlarge(sprite(SPRITE_ROWS, SPRITE_COLORS), 8), settings: { preset: 'pixel_art' } },
  'translucent-panel': {
    picture: () =>
      paint(64, 48, null, [
        layer(RED, circle(22, 24, 15)),
        { color: INK, opacity: 0.5, outline: [rectangle(26, 10, 30, 28)] },
      ]),
  },
  'linear-gradient': {
    picture: () => on(shaded(LINEAR_SHADE, circle(TRUE_CIRCLE.cx, TRUE_CIRCLE.cy, 24.6))),
  },
  'radial-gradient': {
    picture: () => {
      const { x, y, width, height, radius } = TRUE_ROUNDED;
      return on(shaded(RADIAL_SHADE, roundedRectangle(x, y, width, height, radius)));
    },
  },
  'soft-shadow': {
    picture: () =>
      paint(80, 72, null, [shaded(SHADOW_SHADE, rectangle(0, 0, 80, 72)), layer(YELLOW, circle(37.4, 33.2, 13.6))]),
  },
  'jpeg-damage': { picture: () => jpegDamaged(scene(), 60), lossy: true },
  gray: { picture: scene, settings: { color_mode: 'grayscale' } },
  'black-and-white': { picture: scene, settings: { color_mode: 'bw' } },
  cutouts: { picture: scene, settings: { shape_stacking: 'cutouts' } },
  'fixed-palette': { picture: scene, settings: { fixed_palette: ['#003049', '#fcbf49', '#eae2b7'] } },
};
