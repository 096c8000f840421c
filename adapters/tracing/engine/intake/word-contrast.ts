/** The pixels of a picture as words of 32 bits with a sign: larger numbers would be boxed where functions take them. */
export function signedWords(words: Uint32Array): Int32Array {
  return new Int32Array(words.buffer, words.byteOffset, words.length);
}

/** By how many levels two pixels differ in the channel in which they differ most, in whatever order words hold these. */
export function contrastOf(a: number, b: number): number {
  if (a === b) return 0;
  const first = Math.abs((a & 255) - (b & 255));
  const second = Math.abs(((a >> 8) & 255) - ((b >> 8) & 255));
  const third = Math.abs(((a >> 16) & 255) - ((b >> 16) & 255));
  const fourth = Math.abs(((a >> 24) & 255) - ((b >> 24) & 255));
  return Math.max(first, second, third, fourth);
}
