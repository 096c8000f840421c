/** Edits (insert, delete, replace, swap of neighbors) that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** Longest part of a name that is compared: nobody's typing error is longer, and a hostile name must not cost time. */
const MAX_COMPARED = 64;

/**
 * The known name that is spelled most like `name`; case, `-` and `_` do not count. The first of equals wins.
 * Throws RangeError when nothing is known.
 */
export function nearestName(name: string, known: readonly string[]): string {
  const plain = (text: string) =>
    text
      .slice(0, MAX_COMPARED)
      .toLowerCase()
      .replace(/[-_\s]/g, '');
  const wanted = plain(name);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best === undefined) throw new RangeError('nearestName: no known names');
  return best;
}
