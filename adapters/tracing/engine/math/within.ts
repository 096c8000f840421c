/** A coordinate brought into the picture, 0..`size`. */
export function within(value: number, size: number): number {
  return value < 0 ? 0 : value > size ? size : value;
}

/** A change brought to -`limit`..`limit`. */
export function clamp(value: number, limit: number): number {
  return value > limit ? limit : value < -limit ? -limit : value;
}
