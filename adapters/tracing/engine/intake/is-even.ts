import type { WorkingPixels } from './working-pixels.js';

/** Whether a pixel has the color of one beside it in its row, and of one above or below: no edge runs through it. */
export function isEven({ words, width, height }: WorkingPixels, x: number, y: number): boolean {
  const at = y * width + x;
  const word = words[at];
  if (!((x > 0 && words[at - 1] === word) || (x + 1 < width && words[at + 1] === word))) return false;
  return (y > 0 && words[at - width] === word) || (y + 1 < height && words[at + width] === word);
}
