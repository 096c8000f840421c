import { changeRegions, type Regions } from './regions.js';

/**
 * Gives regions smaller than `minAreaPx` to the neighbor whose color is nearest, smallest first, until none is left. A
 * speck is never deleted: its pixels go to somebody.
 */
export function absorbSpecks(regions: Regions, minAreaPx: number): Regions {
  const { width, height, of, count, areaPx, colors } = regions;
  let small = 0;
  for (let r = 0; r < count; r++) if (areaPx[r] < minAreaPx) small++;
  if (small === 0 || small === count) return regions;

  // Boxes of the small ones: the only pixels that are looked at.
  const left = new Int32Array(count).fill(width);
  const right = new Int32Array(count).fill(-1);
  const top = new Int32Array(count).fill(height);
  const bottom = new Int32Array(count).fill(-1);
  const isSmall = new Uint8Array(count);
  for (let r = 0; r < count; r++) if (areaPx[r] < minAreaPx) isSmall[r] = 1;
  for (let y = 0, i = 0; y < height; y++) {
    let large = -1;
    for (let x = 0; x < width; x++, i++) {
      const r = of[i];
      if (r === large) continue;
      if (isSmall[r] === 0) {
        large = r;
        continue;
      }
      if (x < left[r]) left[r] = x;
      if (x > right[r]) right[r] = x;
      if (y < top[r]) top[r] = y;
      bottom[r] = y;
    }
  }
  const areas = areaPx.slice();
  const into = new Int32Array(count);
  for (let r = 0; r < count; r++) into[r] = r;
  const rootOf = (r: number): number => {
    while (into[r] !== r) {
      into[r] = into[into[r]];
      r = into[r];
    }
    return r;
  };
  const queue = new Int32Array(small);
  for (let r = 0, k = 0; r < count; r++) if (areaPx[r] < minAreaPx) queue[k++] = r;
  queue.sort((a, b) => areaPx[a] - areaPx[b] || a - b);
  // A speck absorbed by a speck may still be small; it is met again as the larger one, later in the queue or by a new round.
  for (let again = true; again; ) {
    again = false;
    for (const r of queue) {
      if (into[r] !== r || areas[r] >= minAreaPx) continue;
      const host = nearestNeighbor(r, left, right, top, bottom, regions, rootOf);
      if (host < 0) continue;
      into[r] = host;
      areas[host] += areas[r];
      if (right[host] >= 0 || areas[host] < minAreaPx) {
        left[host] = Math.min(left[host], left[r]);
        right[host] = Math.max(right[host], right[r]);
        top[host] = Math.min(top[host], top[r]);
        bottom[host] = Math.max(bottom[host], bottom[r]);
        if (areas[host] < minAreaPx) again = true;
      }
    }
  }
  const finals = new Int32Array(count).fill(-1);
  let kept = 0;
  for (let r = 0; r < count; r++) {
    const root = rootOf(r);
    if (finals[root] < 0) finals[root] = kept++;
  }
  const newColors = new Float64Array(kept * 4);
  const newAreas = new Int32Array(kept);
  const colorOf = new Int32Array(kept);
  for (let r = 0; r < count; r++) {
    const root = rootOf(r);
    const to = finals[root];
    newAreas[to] += areaPx[r];
    if (root !== r) continue;
    colorOf[to] = regions.colorOf[r];
    for (let c = 0; c < 4; c++) newColors[to * 4 + c] = colors[r * 4 + c];
  }
  const finalOf = new Int32Array(count);
  for (let r = 0; r < count; r++) finalOf[r] = finals[rootOf(r)];
  for (let i = 0; i < of.length; i++) of[i] = finalOf[of[i]];
  return changeRegions(regions, { count: kept, areaPx: newAreas, colors: newColors, colorOf });
}

/** The region touching region `r` (as merged so far) whose color is nearest; -1 if `r` fills the picture. */
function nearestNeighbor(
  r: number,
  left: Int32Array,
  right: Int32Array,
  top: Int32Array,
  bottom: Int32Array,
  regions: Regions,
  rootOf: (r: number) => number,
): number {
  const { width, height, of, colors } = regions;
  let best = -1;
  let least = Infinity;
  for (let y = top[r]; y <= bottom[r]; y++) {
    for (let x = left[r]; x <= right[r]; x++) {
      const i = y * width + x;
      if (rootOf(of[i]) !== r) continue;
      for (let d = 0; d < 4; d++) {
        const u = x + (d === 0 ? 1 : d === 1 ? -1 : 0);
        const v = y + (d === 2 ? 1 : d === 3 ? -1 : 0);
        if (u < 0 || v < 0 || u >= width || v >= height) continue;
        const other = rootOf(of[v * width + u]);
        if (other === r || other === best) continue;
        let distance = 0;
        for (let c = 0; c < 4; c++) distance += (colors[r * 4 + c] - colors[other * 4 + c]) ** 2;
        if (distance < least || (distance === least && other < best)) {
          least = distance;
          best = other;
        }
      }
    }
  }
  return best;
}
