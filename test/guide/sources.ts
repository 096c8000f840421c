import type { Raster } from '#application/ports/tracer.js';
import {
  bar,
  circle,
  ellipse,
  lettering,
  rectangle,
  ring,
  roundedRectangle,
  spiral,
  star,
  turned,
} from '#test/support/outlines.js';
import {
  enlarge,
  jpegDamaged,
  layer,
  paint,
  pixelwise,
  SPRITE_COLORS,
  SPRITE_ROWS,
  sprite,
} from '#test/support/pictures.js';

const SIDE = 128;

const logo = (): Raster =>
  paint(SIDE, SIDE, 0xffffff, [
    layer(0x14506e, ...ring(64, 50, 42, 30)),
    layer(0xe8542f, star(64, 50, 24, 10, 5)),
    layer(0x14506e, ...lettering(14, 100, 22)),
  ]);

const illustration = (): Raster => {
  const scene = paint(SIDE, SIDE, null, [
    layer(0xf7c948, circle(98, 30, 15)),
    layer(0x3f7d58, ellipse(30, 118, 60, 34)),
    layer(0x2c5e43, ellipse(104, 124, 56, 30)),
    layer(0x8a4b2d, rectangle(50, 70, 40, 34)),
    layer(0xb5482f, turned(rectangle(46, 44, 36, 36), 45, 64, 66)),
    layer(0x8a4b2d, rectangle(50, 74, 40, 30)),
    layer(0xf4e3b2, roundedRectangle(57, 80, 11, 12, 2)),
    layer(0x4a2a1a, roundedRectangle(74, 82, 10, 22, 3)),
  ]);
  // A sky that grows lighter downwards.
  return pixelwise(SIDE, SIDE, (x, y) => {
    const at = (y * SIDE + x) * 4;
    const alpha = scene.data[at + 3]! / 255;
    const sky = [70 + y * 0.9, 140 + y * 0.6, 205 + y * 0.25];
    const mixed = sky.map((value, c) => Math.round(scene.data[at + c]! * alpha + value * (1 - alpha)));
    return [mixed[0]!, mixed[1]!, mixed[2]!, 255];
  });
};

/** A number from -1 to 1 for each place of a grid, as if by chance. */
const byChance = (x: number, y: number): number => ((x * 7919 + y * 104729 + x * y * 31) % 1021) / 510 - 1;

/** Mottles as cloth and clay have them, -1 to 1, so many px wide. */
const mottles = (x: number, y: number, side: number): number => {
  const [u, v] = [x / side, y / side];
  const [column, row] = [Math.floor(u), Math.floor(v)];
  const [right, down] = [u - column, v - row];
  const above = byChance(column, row) * (1 - right) + byChance(column + 1, row) * right;
  const below = byChance(column, row + 1) * (1 - right) + byChance(column + 1, row + 1) * right;
  return above * (1 - down) + below * down;
};

/** Soft light on two balls of clay: many tones, few edges, and nothing even. */
const photo = (): Raster => {
  const balls = [
    { x: 46, y: 58, r: 34, color: [204, 84, 62] },
    { x: 88, y: 82, r: 24, color: [66, 120, 176] },
  ];
  const pixels = pixelwise(SIDE, SIDE, (x, y) => {
    let color = [222 - y * 0.6, 214 - y * 0.62, 200 - y * 0.6];
    for (const { x: cx, y: cy, r, color: own } of balls) {
      const [dx, dy] = [(x + 0.5 - cx) / r, (y + 0.5 - cy) / r];
      const inside = Math.min(1, Math.max(0, (1 - Math.hypot(dx, dy)) * r));
      const light = 0.45 + 0.75 * Math.max(0, 1 - Math.hypot(dx + 0.4, dy + 0.45) / 1.5);
      color = color.map((value, c) => value * (1 - inside) + Math.min(255, own[c]! * light) * inside);
    }
    const texture = 9 * mottles(x, y, 7) + 6 * mottles(x, y, 3) + 3 * byChance(x, y) * (1 + mottles(x, y, 11));
    const [red, green, blue] = color.map((value) => Math.min(255, Math.max(0, Math.round(value + texture))));
    return [red!, green!, blue!, 255];
  });
  return pixels;
};

const plan = (): Raster =>
  paint(SIDE, SIDE, 0xffffff, [
    layer(0x101010, ...ring(64, 64, 44, 41.5)),
    layer(0x101010, ...ring(64, 64, 18, 15.5)),
    layer(0x101010, bar(8, 64, 120, 64, 1.6)),
    layer(0x101010, bar(64, 8, 64, 120, 1.6)),
    layer(0x101010, bar(20, 108, 52, 76, 2.2)),
    layer(0x101010, spiral(98, 26, 1.6, 9, 2)),
  ]);

const pixels = (): Raster => enlarge(sprite(SPRITE_ROWS, SPRITE_COLORS), 8);

/** The pictures of the guide by name; drawn by us. */
export const drawSources = async (): Promise<Readonly<Record<SourceName, Raster>>> => ({
  logo: logo(),
  illustration: illustration(),
  photo: photo(),
  pixel_art: pixels(),
  technical_drawing: plan(),
  damaged: await jpegDamaged(logo(), 40),
});

export const SOURCE_NAMES = ['logo', 'illustration', 'photo', 'pixel_art', 'technical_drawing', 'damaged'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];
