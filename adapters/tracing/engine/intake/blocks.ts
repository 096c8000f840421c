/** Side of the blocks that tell of grain, px. */
export const BLOCK = 6;
export const BLOCK_PIXELS = BLOCK * BLOCK;
/** About so many are looked at, spread over the picture. */
export const MOST_BLOCKS = 1 << 12;

/** Visits blocks by their first pixels, of how many, until a visit returns false; returns how many there were. */
export function eachBlock(
  width: number,
  height: number,
  visit: (first: number, count: number) => boolean | undefined,
): number {
  const all = Math.floor(width / BLOCK) * Math.floor(height / BLOCK);
  const step = BLOCK * Math.max(1, Math.floor(Math.sqrt(all / MOST_BLOCKS)));
  const along = (px: number) => Math.max(0, 1 + Math.floor((px - BLOCK) / step));
  const count = along(width) * along(height);
  for (let y = 0; y + BLOCK <= height; y += step)
    for (let x = 0; x + BLOCK <= width; x += step) if (visit(y * width + x, count) === false) return count;
  return count;
}
