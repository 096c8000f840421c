import { toChannels } from '#domain/color.js';
import { boundsOfGeometry } from '#domain/drawing/bounds.js';
import type { Drawing, Geometry, Paint, Rgb } from '#domain/drawing/drawing.js';
import { paintAt } from '#domain/drawing/paint-at.js';
import { colorTokens } from './gradients.js';
import { ascii85Lines } from './images.js';
import type { TokenWriter } from './token-writer.js';

/** Samples along each side at most, in level 2 cells, and user units for each. */
const MOST_SAMPLES = 64;
const MOST_CELLS = 40;
const SAMPLE_STEP = 2;
/** What is narrower has no place to fill, user units. */
const LEAST_SIDE = 1e-3;
/** Cells reach over those behind them by this share, so that no seam can show. */
const OVERLAP = 0.5;

/**
 * Fills the clip with paints that lie on each other, as they are seen together: PostScript has no opacity, but functions of the place (level 3), whose samples are
 * in between as smooth as the paints; cells of one color each in level 2.
 */
export function putLayers(
  out: TokenWriter,
  paints: readonly Paint[],
  geometry: Geometry,
  drawing: Drawing,
  beneath: Rgb,
  level: number,
): void {
  const bounds = boundsOfGeometry(geometry, drawing);
  if (bounds === undefined) return;
  const { minX, minY, maxX, maxY } = bounds;
  if (maxX - minX < LEAST_SIDE || maxY - minY < LEAST_SIDE) return;
  const most = level === 2 ? MOST_CELLS : MOST_SAMPLES;
  const across = samplesOver(maxX - minX, most);
  const down = samplesOver(maxY - minY, most);
  const at = (k: number, count: number, from: number, to: number) => from + ((to - from) * k) / (count - 1);
  if (level === 2) {
    const [width, height] = [(maxX - minX) / (across - 1), (maxY - minY) / (down - 1)];
    for (let j = 0; j < down; j++)
      for (let i = 0; i < across; i++) {
        const [x, y] = [at(i, across, minX, maxX), at(j, down, minY, maxY)];
        out.token(`${colorTokens(colorOf(paints, x, y, beneath))} rg`);
        out.put('rectfill', x - width / 2, y - height / 2, width * (1 + OVERLAP), height * (1 + OVERLAP));
      }
    return;
  }
  const samples = new Uint8Array(3 * across * down);
  for (let j = 0; j < down; j++)
    for (let i = 0; i < across; i++)
      samples.set(
        colorOf(paints, at(i, across, minX, maxX), at(j, down, minY, maxY), beneath).map(Math.round),
        3 * (j * across + i),
      );
  const domain = [minX, maxX, minY, maxY].map((value) => value.toFixed(4)).join(' ');
  out.line(`<</ShadingType 1/ColorSpace/DeviceRGB/Domain[${domain}]/Function`);
  out.line(`<</FunctionType 0/Domain[${domain}]/Range[0 1 0 1 0 1]/Size[${across} ${down}]/BitsPerSample 8/DataSource`);
  out.line('<~');
  for (const line of ascii85Lines(samples)) out.line(line);
  out.token('>>>>shfill');
}

const samplesOver = (length: number, most: number): number =>
  Math.max(2, Math.min(most, Math.ceil(length / SAMPLE_STEP) + 1));

/** What is seen of paints on each other at a place, channels 0..255. */
function colorOf(paints: readonly Paint[], x: number, y: number, beneath: Rgb): readonly [number, number, number] {
  let [r, g, b] = toChannels(beneath);
  for (const paint of paints) {
    const [pr, pg, pb, opacity] = paintAt(paint, x, y);
    r += (pr - r) * opacity;
    g += (pg - g) * opacity;
    b += (pb - b) * opacity;
  }
  return [r, g, b];
}
