import type { AxisLines } from './fit-axis.js';

/** How far a cell may be from the step, as a share of it. */
const ELASTICITY = 0.45;
/** Squared error per line that a cell off by one px must save. */
const STIFFNESS = 0.4;

/**
 * Grid lines that need not be evenly spaced, for grids that drift: of all ways to cut the lines into stretches of about a step, the
 * one that leaves the least squared error within stretches. Dynamic programming over where a stretch ends.
 * @returns the cuts, 0 and `size` included, and the squared error per px
 */
export function fitElasticLines(
  lines: AxisLines,
  step: number,
): { readonly cuts: Int32Array; readonly variance: number } {
  const { values, count, size } = lines;
  const shortest = Math.max(1, Math.floor(step * (1 - ELASTICITY)));
  const longest = Math.max(shortest, Math.ceil(step * (1 + ELASTICITY)));
  const sums = new Float64Array(count * (size + 1));
  const squares = new Float64Array(size + 1);
  for (let line = 0; line < count; line++) {
    for (let x = 0; x < size; x++) {
      const value = values[line * size + x];
      sums[line * (size + 1) + x + 1] = sums[line * (size + 1) + x] + value;
      squares[x + 1] += value * value;
    }
  }
  for (let x = 0; x < size; x++) squares[x + 1] += squares[x];
  const best = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
  const errors = new Float64Array(size + 1);
  const from = new Int32Array(size + 1).fill(-1);
  best[0] = 0;
  for (let end = 1; end <= size; end++) {
    for (let length = 1; length <= Math.min(end, longest); length++) {
      const start = end - length;
      // Only the first and the last cell may be cut short.
      if ((length < shortest && start > 0 && end < size) || best[start] === Number.POSITIVE_INFINITY) continue;
      let error = squares[end] - squares[start];
      for (let line = 0; line < count; line++) {
        const sum = sums[line * (size + 1) + end] - sums[line * (size + 1) + start];
        error -= (sum * sum) / length;
      }
      // The picture's border may cut a cell, but mostly does not.
      const stiffness = length < step && (start === 0 || end === size) ? STIFFNESS * 0.5 : STIFFNESS;
      const cost = best[start] + Math.max(0, error) + stiffness * count * (length - step) ** 2;
      if (cost < best[end]) {
        best[end] = cost;
        errors[end] = errors[start] + Math.max(0, error);
        from[end] = start;
      }
    }
  }
  const cuts: number[] = [];
  for (let at = size; at > 0; at = from[at]) cuts.push(at);
  cuts.push(0);
  cuts.reverse();
  return { cuts: Int32Array.from(cuts), variance: errors[size] / (count * Math.max(1, size - cuts.length + 1)) };
}
