/** Which cluster each color belongs to, and the clusters' colors. */
export interface ColorClusters {
  readonly count: number;
  readonly of: Int32Array;
  /** Four per cluster. */
  readonly channels: Float64Array;
}

/** More colors than this are first brought together in cubes of the color space. */
const MOST_EXACT = 768;
const LLOYD_ROUNDS = 4;

/**
 * Brings colors (four channels each, with weights) down to `count` clusters: Ward's agglomeration, each step joining the two
 * clusters whose union adds least squared error. A cluster takes the color of its heaviest member, so that no color appears
 * that the picture does not have. Deterministic; ties go to the lower numbers.
 */
export function clusterColors(channels: Float64Array, weights: ArrayLike<number>, count: number): ColorClusters {
  const size = channels.length / 4;
  if (size <= count) {
    const of = new Int32Array(size);
    for (let i = 0; i < size; i++) of[i] = i;
    return { count: size, of, channels };
  }
  const group = size > MOST_EXACT ? coarseGroups(channels) : undefined;
  const groups = group === undefined ? size : 1 + group.reduce((a, b) => Math.max(a, b), -1);
  const weight = new Float64Array(groups);
  const mean = new Float64Array(groups * 4);
  for (let i = 0; i < size; i++) {
    const g = group === undefined ? i : group[i];
    const w = Math.max(1e-9, weights[i]);
    weight[g] += w;
    for (let c = 0; c < 4; c++) mean[g * 4 + c] += w * channels[i * 4 + c];
  }
  for (let g = 0; g < groups; g++) for (let c = 0; c < 4; c++) mean[g * 4 + c] /= weight[g];
  const root = agglomerate(weight, mean, count);
  const number = new Int32Array(groups).fill(-1);
  let clusters = 0;
  for (let g = 0; g < groups; g++) if (root[g] === g) number[g] = clusters++;
  const of = new Int32Array(size);
  for (let i = 0; i < size; i++) of[i] = number[root[group === undefined ? i : group[i]]];
  if (group !== undefined) lloyd(channels, weights, of, clusters);
  return { count: clusters, of, channels: heaviestMembers(channels, weights, of, clusters) };
}

/** The nearest of given colors for each color, in squared distance. */
export function nearestColors(channels: Float64Array, fixed: Float64Array): Int32Array {
  const size = channels.length / 4;
  const of = new Int32Array(size);
  for (let i = 0; i < size; i++) {
    let least = Infinity;
    for (let k = 0; k < fixed.length / 4; k++) {
      let d = 0;
      for (let c = 0; c < 4; c++) d += (channels[i * 4 + c] - fixed[k * 4 + c]) ** 2;
      if (d < least) {
        least = d;
        of[i] = k;
      }
    }
  }
  return of;
}

/** Cubes of 16 levels a side, numbered in the order first met. */
function coarseGroups(channels: Float64Array): Int32Array {
  const numbers = new Map<number, number>();
  const group = new Int32Array(channels.length / 4);
  for (let i = 0; i < group.length; i++) {
    let key = 0;
    for (let c = 0; c < 4; c++) key = key * 16 + Math.min(15, Math.floor(channels[i * 4 + c] / 16));
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
    }
    group[i] = number;
  }
  return group;
}

/** Ward's method with each cluster's nearest remembered; returns the root of every group. */
function agglomerate(weight: Float64Array, mean: Float64Array, count: number): Int32Array {
  const groups = weight.length;
  const root = new Int32Array(groups);
  const alive = new Uint8Array(groups).fill(1);
  const nearest = new Int32Array(groups);
  const price = new Float64Array(groups);
  for (let g = 0; g < groups; g++) root[g] = g;
  const cost = (a: number, b: number) => {
    let d = 0;
    for (let c = 0; c < 4; c++) d += (mean[a * 4 + c] - mean[b * 4 + c]) ** 2;
    return ((weight[a] * weight[b]) / (weight[a] + weight[b])) * d;
  };
  const findNearest = (a: number) => {
    price[a] = Infinity;
    for (let b = 0; b < groups; b++) {
      if (b === a || alive[b] === 0) continue;
      const p = cost(a, b);
      if (p < price[a]) {
        price[a] = p;
        nearest[a] = b;
      }
    }
  };
  for (let g = 0; g < groups; g++) findNearest(g);
  for (let left = groups; left > count; left--) {
    let a = -1;
    for (let g = 0; g < groups; g++) if (alive[g] === 1 && (a < 0 || price[g] < price[a])) a = g;
    const b = nearest[a];
    const keep = Math.min(a, b);
    const gone = Math.max(a, b);
    const sum = weight[keep] + weight[gone];
    for (let c = 0; c < 4; c++) {
      mean[keep * 4 + c] = (mean[keep * 4 + c] * weight[keep] + mean[gone * 4 + c] * weight[gone]) / sum;
    }
    weight[keep] = sum;
    alive[gone] = 0;
    root[gone] = keep;
    findNearest(keep);
    for (let g = 0; g < groups; g++) {
      if (alive[g] === 0 || g === keep) continue;
      if (nearest[g] === keep || nearest[g] === gone) findNearest(g);
      else {
        const p = cost(g, keep);
        if (p < price[g]) {
          price[g] = p;
          nearest[g] = keep;
        }
      }
    }
  }
  for (let g = 0; g < groups; g++) {
    let r = g;
    while (root[r] !== r) r = root[r];
    root[g] = r;
  }
  return root;
}

/** A few rounds of "to the nearest mean" over the single colors. */
function lloyd(channels: Float64Array, weights: ArrayLike<number>, of: Int32Array, clusters: number): void {
  for (let round = 0; round < LLOYD_ROUNDS; round++) {
    const sums = new Float64Array(clusters * 4);
    const total = new Float64Array(clusters);
    for (let i = 0; i < of.length; i++) {
      total[of[i]] += weights[i];
      for (let c = 0; c < 4; c++) sums[of[i] * 4 + c] += weights[i] * channels[i * 4 + c];
    }
    for (let k = 0; k < clusters; k++) for (let c = 0; c < 4; c++) sums[k * 4 + c] /= total[k] || 1;
    of.set(nearestColors(channels, sums));
  }
}

function heaviestMembers(
  channels: Float64Array,
  weights: ArrayLike<number>,
  of: Int32Array,
  clusters: number,
): Float64Array {
  const heaviest = new Int32Array(clusters).fill(-1);
  for (let i = 0; i < of.length; i++) {
    const k = of[i];
    if (heaviest[k] < 0 || weights[i] > weights[heaviest[k]]) heaviest[k] = i;
  }
  const out = new Float64Array(clusters * 4);
  for (let k = 0; k < clusters; k++) {
    if (heaviest[k] < 0) continue;
    for (let c = 0; c < 4; c++) out[k * 4 + c] = channels[heaviest[k] * 4 + c];
  }
  return out;
}
