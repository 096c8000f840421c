import { oneLine } from './error-line.js';

/** Columns as wide as their widest cell; those named in `right` (by index) are flush right. Control characters are taken out. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const lines = [head, ...rows].map((cells) => cells.map(oneLine));
  const widths = head.map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[column]?.length ?? 0), 0),
  );
  const padded = (cell: string, column: number) =>
    right.includes(column) ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number);
  return lines.map((cells) => cells.map(padded).join('  ').trimEnd()).join('\n');
}
