import type { Raster } from '#application/ports/tracer.js';
import type { DetailPlan } from './detail-plans.js';
import { flattenAreas } from './flatten-areas.js';
import { CHANNELS, emptyPlanes, type Planes } from './planes.js';
import { refitColors } from './refit-colors.js';
import { countTiles, type OnTile, type RestoringModel, restorePlanes } from './restore-planes.js';

/** Below this opacity a pixel's color is not to be trusted: it is nobody's to see. */
const LEAST_ALPHA = 8;
/** Opacities nearer to an end than this are that end. */
const NEAR_END = 4 / 255;

const isOpaque = (data: Raster['data']): boolean => {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
};

/** The colors as planes; where a pixel cannot be seen, that of the nearest one that can. */
function colorPlanes({ width, height, data }: Raster): Planes {
  const size = width * height;
  const nearest = new Int32Array(size).fill(-1);
  const queue = new Int32Array(size);
  let end = 0;
  for (let i = 0; i < size; i++) {
    if ((data[i * 4 + 3] as number) < LEAST_ALPHA) continue;
    nearest[i] = i;
    queue[end++] = i;
  }
  for (let next = 0; next < end; next++) {
    const i = queue[next] as number;
    const x = i % width;
    for (const [neighbor, inside] of [
      [i - 1, x > 0],
      [i + 1, x < width - 1],
      [i - width, i >= width],
      [i + width, i < size - width],
    ] as const) {
      if (!inside || nearest[neighbor] !== -1) continue;
      nearest[neighbor] = nearest[i] as number;
      queue[end++] = neighbor;
    }
  }
  const planes = emptyPlanes(width, height);
  for (let i = 0; i < size; i++) {
    const from = Math.max(0, nearest[i] as number) * 4;
    for (let channel = 0; channel < CHANNELS; channel++)
      planes.values[channel * size + i] = (data[from + channel] as number) / 255;
  }
  return planes;
}

/** The opacity in all three planes: to the model, a gray picture. */
function alphaPlanes({ width, height, data }: Raster): Planes {
  const size = width * height;
  const planes = emptyPlanes(width, height);
  for (let i = 0; i < size; i++)
    for (let channel = 0; channel < CHANNELS; channel++)
      planes.values[channel * size + i] = (data[i * 4 + 3] as number) / 255;
  return planes;
}

function toRaster(colors: Planes, alpha: Planes | undefined): Raster {
  const { width, height } = colors;
  const size = width * height;
  const data = new Uint8Array(size * 4).fill(255);
  for (let i = 0; i < size; i++) {
    for (let channel = 0; channel < CHANNELS; channel++)
      data[i * 4 + channel] = Math.round((colors.values[channel * size + i] as number) * 255);
    if (alpha === undefined) continue;
    let opacity = 0;
    for (let channel = 0; channel < CHANNELS; channel++) opacity += alpha.values[channel * size + i] as number;
    opacity /= CHANNELS;
    data[i * 4 + 3] = opacity < NEAR_END ? 0 : opacity > 1 - NEAR_END ? 255 : Math.round(opacity * 255);
  }
  return { width, height, data };
}

/** Tiles of the whole work, the opacity's included. */
export const countWork = (raster: Raster, plan: DetailPlan): number =>
  countTiles(raster, plan) * (isOpaque(raster.data) ? 1 : 2);

/**
 * The picture at twice its size: its colors and its opacity each restored on their own, and the colors fitted to the picture's
 * again. Throws what `onTile` throws.
 */
export async function restoreRaster(
  raster: Raster,
  model: RestoringModel,
  plan: DetailPlan,
  onTile: OnTile,
): Promise<Raster> {
  const source = colorPlanes(raster);
  const colors = flattenAreas(refitColors(source, await restorePlanes(source, model, plan, onTile)));
  if (isOpaque(raster.data)) return toRaster(colors, undefined);
  const alpha = await restorePlanes(alphaPlanes(raster), model, plan, onTile);
  return toRaster(colors, alpha);
}
