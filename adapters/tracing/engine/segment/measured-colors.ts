import { changeRegions, type Regions } from './regions.js';

/** Labels and colors as the picture has them, before they were brought down to the colors asked for. */
export interface FoundColors {
  readonly labels: Int32Array;
  /** Four premultiplied channels per label. */
  readonly channels: Float64Array;
}

/**
 * The regions with the colors their pixels have: of the labels found in a region, the color of the one most of it has, the
 * lower number of equals. Edges are placed by these; the regions' own colors are those that will be painted.
 */
export function withMeasuredColors(regions: Regions, found: FoundColors): Regions {
  const { of, count } = regions;
  const { labels, channels } = found;
  const labelCount = channels.length / 4;
  const pixels = new Map<number, number>();
  for (let i = 0; i < of.length; ) {
    const region = of[i];
    const label = labels[i];
    const from = i;
    while (i < of.length && of[i] === region && labels[i] === label) i++;
    const key = region * labelCount + label;
    pixels.set(key, (pixels.get(key) ?? 0) + i - from);
  }
  const most = new Float64Array(count);
  const mainLabel = new Int32Array(count);
  for (const [key, n] of pixels) {
    const region = Math.floor(key / labelCount);
    const label = key - region * labelCount;
    if (n < most[region] || (n === most[region] && label > mainLabel[region])) continue;
    most[region] = n;
    mainLabel[region] = label;
  }
  const colors = new Float64Array(count * 4);
  for (let r = 0; r < count; r++) {
    for (let c = 0; c < 4; c++) colors[r * 4 + c] = channels[mainLabel[r] * 4 + c];
  }
  return changeRegions(regions, { colors });
}
