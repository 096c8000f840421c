const BUCKETS = 1024;

/** The value in the middle of some, the upper one of two, as if they were sorted. Linear in time: only what lies about the middle is. */
export function medianOf(values: Float64Array): number {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(most > least)) return least;
  const scale = (BUCKETS - 1) / (most - least);
  const counts = new Int32Array(BUCKETS);
  for (const value of values) counts[Math.floor((value - least) * scale)]++;
  let rank = values.length >> 1;
  let bucket = 0;
  for (; rank >= counts[bucket]; bucket++) rank -= counts[bucket];
  return values.filter((value) => Math.floor((value - least) * scale) === bucket).sort()[rank];
}
