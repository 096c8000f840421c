/** A palette's channels (four each) with one more color behind. */
export function withColor(palette: Float64Array, color: ArrayLike<number>): Float64Array {
  const grown = new Float64Array(palette.length + 4);
  grown.set(palette);
  grown.set(color, palette.length);
  return grown;
}
