/** Upright, in pixels; both ends are within. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Per ramp what its pixels lie in; `right` is -1 where it has none. `rampOf` says which ramp a pixel is of, -1 for none. */
export function boxesOfRamps(
  width: number,
  height: number,
  count: number,
  rampOf: (pixel: number) => number,
): readonly PixelBox[] {
  const boxes = Array.from({ length: count }, () => ({ left: width, top: height, right: -1, bottom: -1 }));
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const ramp = rampOf(i);
      if (ramp < 0) continue;
      const box = boxes[ramp];
      if (x < box.left) box.left = x;
      if (x > box.right) box.right = x;
      if (y < box.top) box.top = y;
      box.bottom = y;
    }
  }
  return boxes;
}

/** A box so many pixels larger on every side, within a picture. */
export function widened({ left, top, right, bottom }: PixelBox, by: number, width: number, height: number): PixelBox {
  return {
    left: Math.max(0, left - by),
    top: Math.max(0, top - by),
    right: Math.min(width - 1, right + by),
    bottom: Math.min(height - 1, bottom + by),
  };
}
