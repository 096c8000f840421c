import type { Regions } from './regions.js';

/**
 * Marks the background: the regions along the picture's border that have the color most of the border has. Nothing is
 * marked where no color has half of it.
 */
export function findBackground(regions: Regions): Uint8Array {
  const { width, height, of, count, colorOf } = regions;
  const marked = new Uint8Array(count);
  const along = new Map<number, number>();
  let total = 0;
  const visit = (pixel: number, mark: number) => {
    const color = colorOf[of[pixel]];
    if (mark < 0) along.set(color, (along.get(color) ?? 0) + 1);
    else if (color === mark) marked[of[pixel]] = 1;
    total++;
  };
  const walk = (mark: number) => {
    total = 0;
    for (let x = 0; x < width; x++) {
      visit(x, mark);
      visit((height - 1) * width + x, mark);
    }
    for (let y = 1; y + 1 < height; y++) {
      visit(y * width, mark);
      visit(y * width + width - 1, mark);
    }
  };
  walk(-1);
  let best = -1;
  let most = 0;
  for (const [color, n] of along) {
    if (n > most) {
      most = n;
      best = color;
    }
  }
  if (most * 2 >= total) walk(best);
  return marked;
}
