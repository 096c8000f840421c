/** Colors nearer than so many times the noise, within these levels, are one that noise has been at. */
const NOISE_REACH = 4;
const LEAST_REACH = 2.5;
const MOST_REACH = 36;
const LLOYD_ROUNDS = 3;

/**
 * Measured cells as packed 0xRRGGBBAA, 0 where fully transparent. Where there is `noise` (levels; 0 for none), cells of nearly the
 * same color get their mean: the sprite had one there.
 * @param values premultiplied, one plane of `count` cells after the other: red, green, blue and, of four planes, opacity
 */
export function settleColors(values: Float64Array, count: number, planes: number, noise: number): Uint32Array {
  const settled = noise > 0 ? joinNear(values, count, planes, noise) : values;
  const cells = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const alpha = planes === 4 ? toByte(settled[3 * count + i]) : 255;
    if (alpha === 0) continue;
    const unmultiply = 255 / alpha;
    const [r, g, b] = [0, 1, 2].map((c) => toByte(settled[c * count + i] * unmultiply));
    cells[i] = ((r << 24) | (g << 16) | (b << 8) | alpha) >>> 0;
  }
  return cells;
}

const toByte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

/** Groups cells around the most frequent colors, and gives each its group's mean. */
function joinNear(values: Float64Array, count: number, planes: number, noise: number): Float64Array {
  const reach = Math.min(MOST_REACH, Math.max(LEAST_REACH, noise * NOISE_REACH));
  const bins = new Map<number, { n: number; sums: number[] }>();
  for (let i = 0; i < count; i++) {
    let key = 0;
    for (let c = 0; c < planes; c++) key = key * 32 + (toByte(values[c * count + i]) >> 3);
    const bin = bins.get(key) ?? { n: 0, sums: new Array<number>(planes).fill(0) };
    bin.n++;
    for (let c = 0; c < planes; c++) bin.sums[c] += values[c * count + i];
    bins.set(key, bin);
  }
  const ordered = [...bins].sort((a, b) => b[1].n - a[1].n || a[0] - b[0]).map(([, bin]) => bin);
  const centers: number[][] = [];
  for (const { n, sums } of ordered) {
    const mean = sums.map((sum) => sum / n);
    if (centers.every((center) => distance(center, mean) > reach)) centers.push(mean);
  }
  const groupOf = new Int32Array(count);
  const cell = new Array<number>(planes).fill(0);
  for (let round = 0; round < LLOYD_ROUNDS; round++) {
    const sums = centers.map(() => new Float64Array(planes + 1));
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < planes; c++) cell[c] = values[c * count + i];
      let best = 0;
      for (let k = 1; k < centers.length; k++) {
        if (distance(centers[k], cell) < distance(centers[best], cell)) best = k;
      }
      groupOf[i] = best;
      for (let c = 0; c < planes; c++) sums[best][c] += cell[c];
      sums[best][planes]++;
    }
    centers.forEach((center, k) => {
      if (sums[k][planes] > 0) for (let c = 0; c < planes; c++) center[c] = sums[k][c] / sums[k][planes];
    });
  }
  const joined = new Float64Array(values.length);
  for (let i = 0; i < count; i++) for (let c = 0; c < planes; c++) joined[c * count + i] = centers[groupOf[i]][c];
  return joined;
}

function distance(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return Math.sqrt(sum);
}
