import { toChannels, toHexColor } from '#domain/color.js';
import type { Paint, Rgb } from '#domain/drawing/drawing.js';

/** A layer of the file: its name, and the color that its entities have. */
export interface Layer {
  readonly name: string;
  readonly color: Rgb;
}

/** The one color of a paint; the mean of a gradient's stops. */
export function colorOf(paint: Paint): Rgb {
  if (paint.kind === 'solid') return paint.color;
  const mean = (c: 0 | 1 | 2) =>
    Math.round(paint.stops.reduce((sum, { color }) => sum + toChannels(color)[c], 0) / Math.max(1, paint.stops.length));
  return (mean(0) << 16) | (mean(1) << 8) | mean(2);
}

/** Names of at most 31 capitals, digits and hyphens are what R12 readers take. */
export const layerNameOf = (color: Rgb): string => `C-${toHexColor(color).slice(1).toUpperCase()}`;

const FIRST_COLORS: readonly Rgb[] = [
  0xff0000, 0xffff00, 0x00ff00, 0x00ffff, 0x0000ff, 0xff00ff, 0xffffff, 0x808080, 0xc0c0c0,
];
const GRAYS: readonly Rgb[] = [0x333333, 0x5b5b5b, 0x848484, 0xadadad, 0xd6d6d6, 0xffffff];
/** How bright the five pairs of each hue are; the second of a pair is half as strong. */
const LEVELS = [255, 165, 127, 76, 38];
const FIRST_HUE = 10;
const HUES = 24;
const FIRST_GRAY = 250;

function hueChannel(hue: number, c: number): number {
  // How far the hue is from the channel's own, in sixths of the circle.
  const distance = Math.abs((((hue / HUES) * 6 - 2 * c + 9) % 6) - 3);
  return Math.max(0, Math.min(1, 2 - distance));
}

/** AutoCAD's 255 indexed colors, from index 1 on. */
const PALETTE: readonly Rgb[] = [
  ...FIRST_COLORS,
  ...Array.from({ length: HUES * 10 }, (_, i) => {
    const level = LEVELS[Math.floor((i % 10) / 2)]!;
    const channel = (c: number) => {
      const full = hueChannel(Math.floor(i / 10), c);
      return Math.floor(level * (i % 2 === 0 ? full : (1 + full) / 2));
    };
    return (channel(0) << 16) | (channel(1) << 8) | channel(2);
  }),
  ...GRAYS,
];

if (PALETTE.length !== FIRST_GRAY + GRAYS.length - 1 || FIRST_COLORS.length !== FIRST_HUE - 1)
  throw new RangeError('the palette of indexed colors has a wrong length');

/** The indexed color (1..255) that is nearest to a color. */
export function colorIndexOf(color: Rgb): number {
  const wanted = toChannels(color);
  let best = 7;
  let bestSq = Number.POSITIVE_INFINITY;
  for (const [i, candidate] of PALETTE.entries()) {
    const channels = toChannels(candidate);
    const distanceSq = channels.reduce((sum, value, c) => sum + (value - wanted[c]!) ** 2, 0);
    if (distanceSq < bestSq) {
      bestSq = distanceSq;
      best = i + 1;
    }
  }
  // Black is 7 in CAD: readers draw it in the color that shows on their ground.
  return color === 0 ? 7 : best;
}
