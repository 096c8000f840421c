/** Longest stem of a file name, in characters. */
const MAX_STEM = 80;

/**
 * A safe file name for something made from a file that somebody named: letters, digits, `-` and `_` of any script are kept,
 * anything else becomes one `-`; folders and the old extension go. `drawing` where nothing is left.
 */
export function fileNameFor(original: string | undefined, extension: string): string {
  const last = (original ?? '').normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const stem = last.replace(/(?<=.)\.[^.]*$/, '');
  const kept = [...stem.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '')].slice(0, MAX_STEM).join('');
  return `${kept === '' ? 'drawing' : kept}.${extension}`;
}
