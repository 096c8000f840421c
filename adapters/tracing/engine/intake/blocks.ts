/** Side of the blocks that tell of grain, px. */
export const BLOCK = 6;
export const BLOCK_PIXELS = BLOCK * BLOCK;
/** About so many are looked at, spread over the picture. */
export const MOST_BLOCKS = 1 << 12;

/** Visits blocks by their first pixels; returns how many there were. */
export function eachBlock(width: number, height: number, visit: (first: number) => void): number {
  const all = Math.floor(width / BLOCK) * Math.floor(height / BLOCK);
  const step = BLOCK * Math.max(1, Math.floor(Math.sqrt(all / MOST_BLOCKS)));
  let seen = 0;
  for (let y = 0; y + BLOCK <= height; y += step) {
    for (let x = 0; x + BLOCK <= width; x += step) {
      seen++;
      visit(y * width + x);
    }
  }
  return seen;
}
