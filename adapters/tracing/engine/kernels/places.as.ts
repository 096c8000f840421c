/** Where the numbers of a list are. */

/** Of one with numbers of four bytes. */
export function at4(list: usize, i: i32): usize {
  return list + ((<usize>i) << 2);
}

/** Of one with numbers of eight. */
export function at8(list: usize, i: i32): usize {
  return list + ((<usize>i) << 3);
}
