import { labDistance, labOf } from './oklab.js';

/** What became of colors of the trace: another color, or null where their shapes were removed. By `#rrggbb`. */
export type ColorEdits = Readonly<Record<string, string | null>>;

/** A color of the drawing as it is shown now. */
export interface Swatch {
  /** `#rrggbb` */
  readonly hex: string;
  /** Share of the picture, 0..1. */
  readonly coverage: number;
  readonly shapes: number;
  /** The colors of the trace that are painted in it. */
  readonly sources: readonly string[];
}

interface TracedColor {
  readonly hex: string;
  readonly coverage: number;
  readonly shapes: number;
}

/** The colors of a trace after the edits, most covering first. */
export function swatchesOf(palette: readonly TracedColor[], edits: ColorEdits): readonly Swatch[] {
  const byHex = new Map<string, Swatch>();
  for (const { hex, coverage, shapes } of palette) {
    const now = edits[hex] === undefined ? hex : edits[hex];
    if (now === null) continue;
    const found = byHex.get(now) ?? { hex: now, coverage: 0, shapes: 0, sources: [] };
    byHex.set(now, {
      hex: now,
      coverage: Math.min(1, found.coverage + coverage),
      shapes: found.shapes + shapes,
      sources: found.sources.includes(hex) ? found.sources : [...found.sources, hex],
    });
  }
  return [...byHex.values()].sort((a, b) => b.coverage - a.coverage || b.shapes - a.shapes);
}

/** Edits that paint everything of one swatch in another color, or remove it. */
export const repaint = (edits: ColorEdits, { sources }: Swatch, to: string | null): ColorEdits => ({
  ...edits,
  ...Object.fromEntries(sources.map((source) => [source, to])),
});

/** What merging would be seen as: the distance, weighted by how much of the picture changes its color. */
const mergePrice = (small: Swatch, large: Swatch) =>
  labDistance(labOf(small.hex), labOf(large.hex)) * Math.sqrt(small.coverage + 1e-6);

/** Merges the colors that are least seen to be merged, each into the more covering one, until `count` are left. */
export function keepCount(palette: readonly TracedColor[], edits: ColorEdits, count: number): ColorEdits {
  let now = edits;
  let swatches = swatchesOf(palette, now);
  while (swatches.length > Math.max(1, count)) {
    let best: { small: Swatch; large: Swatch; price: number } | undefined;
    for (const [i, small] of swatches.entries())
      for (const large of swatches.slice(0, i)) {
        const price = mergePrice(small, large);
        if (best === undefined || price < best.price) best = { small, large, price };
      }
    if (best === undefined) break;
    now = repaint(now, best.small, best.large.hex);
    swatches = swatchesOf(palette, now);
  }
  return now;
}

/** Paints every color in the nearest one of a palette. */
export function usePalette(palette: readonly TracedColor[], edits: ColorEdits, wanted: readonly string[]): ColorEdits {
  let now = edits;
  for (const swatch of swatchesOf(palette, edits)) {
    const lab = labOf(swatch.hex);
    const [nearest] = [...wanted].sort((a, b) => labDistance(labOf(a), lab) - labDistance(labOf(b), lab));
    if (nearest !== undefined) now = repaint(now, swatch, nearest);
  }
  return now;
}

/** The hex colors in any text, `#rrggbb` each, once. */
export function colorsIn(text: string): readonly string[] {
  const found = text.toLowerCase().match(/#?\b(?:[0-9a-f]{6}|[0-9a-f]{3})\b/g) ?? [];
  return [...new Set(found.map((hex) => longHex(hex.startsWith('#') ? hex : `#${hex}`)))];
}

/** `#rrggbb` of `#rgb`. */
export const longHex = (hex: string): string =>
  hex.length === 4 ? `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}` : hex;

const PAINT = /\b(fill|stroke|stop-color)="(#[0-9a-f]{3}(?:[0-9a-f]{3})?)"/g;

/** The drawing with every color that it paints with replaced by what `change` says of its `#rrggbb`. */
export const recolor = (svg: string, change: (hex: string) => string): string =>
  svg.replace(PAINT, (_, name: string, hex: string) => `${name}="${change(longHex(hex))}"`);

/** What the service writes: a group for each paint, its shapes inside, no group within. */
const COLOR_GROUP = /<g id="[^"]*"([^>]*)>[\s\S]*?<\/g>\n?/g;
const STOP = /<stop\b[^>]*\bstop-color="(#[0-9a-f]{3,6})"[^>]*\/>\n?/g;

/** The drawing after the edits. */
export function applyEdits(svg: string, edits: ColorEdits): string {
  const isRemoved = (hex: string | undefined) => hex !== undefined && edits[longHex(hex)] === null;
  const any = Object.entries(edits).some(([from, to]) => from !== to);
  if (!any) return svg;
  let text = svg;
  if (Object.values(edits).includes(null)) {
    text = text.replace(COLOR_GROUP, (group: string, attributes: string) => {
      const fill = /\bfill="(#[0-9a-f]+)"/.exec(attributes)?.[1];
      const stroke = /\bfill="none"/.test(attributes) ? /\bstroke="(#[0-9a-f]+)"/.exec(attributes)?.[1] : undefined;
      return isRemoved(fill) || isRemoved(stroke) ? '' : group;
    });
    text = text.replace(STOP, (stop: string, hex: string) => (isRemoved(hex) ? '' : stop));
  }
  return recolor(text, (hex) => edits[hex] ?? hex);
}

/** The drawing with the shapes of one color as they are, and all others faded to gray: what shows of that color, and where. */
export const isolate = (svg: string, shown: string, isDark: boolean): string =>
  recolor(svg, (hex) => {
    if (hex === shown) return hex;
    const [lightness] = labOf(hex);
    const gray = Math.round((isDark ? 30 : 205) + lightness * 40);
    return `#${gray.toString(16).padStart(2, '0').repeat(3)}`;
  });
