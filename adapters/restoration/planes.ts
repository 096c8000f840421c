/** Three planes of numbers from 0 to 1, one after the other: what models take and give. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

export const CHANNELS = 3;

export const emptyPlanes = (width: number, height: number): Planes => ({
  width,
  height,
  values: new Float32Array(width * height * CHANNELS),
});

/** A rectangle of the planes; beyond their border the border's values go on. */
export function cutOut(planes: Planes, left: number, top: number, width: number, height: number): Planes {
  const part = emptyPlanes(width, height);
  const columns = Int32Array.from({ length: width }, (_, x) => Math.max(0, Math.min(planes.width - 1, left + x)));
  let to = 0;
  for (let channel = 0; channel < CHANNELS; channel++) {
    for (let y = 0; y < height; y++) {
      const row = (channel * planes.height + Math.max(0, Math.min(planes.height - 1, top + y))) * planes.width;
      for (let x = 0; x < width; x++) part.values[to++] = planes.values[row + (columns[x] as number)] as number;
    }
  }
  return part;
}

/**
 * The planes in one of their eight orientations: bit 0 mirrors left and right, bit 1 top and bottom, and then bit 2 exchanges
 * rows and columns.
 */
export function turn(planes: Planes, orientation: number): Planes {
  if (orientation === 0) return planes;
  const { width, height, values } = planes;
  const transposed = (orientation & 4) !== 0;
  const turned = emptyPlanes(transposed ? height : width, transposed ? width : height);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const base = channel * width * height;
    for (let y = 0; y < height; y++) {
      const v = (orientation & 2) !== 0 ? height - 1 - y : y;
      for (let x = 0; x < width; x++) {
        const u = (orientation & 1) !== 0 ? width - 1 - x : x;
        turned.values[base + (transposed ? u * height + v : v * width + u)] = values[base + y * width + x] as number;
      }
    }
  }
  return turned;
}

/** What takes a turn back. */
export function turnBack(planes: Planes, orientation: number): Planes {
  if ((orientation & 4) === 0) return turn(planes, orientation);
  // Exchanged first, then mirrored: the other way round than `turn` did it.
  return turn(turn(planes, 4), orientation & 3);
}

/** Half the size, each value the mean of four. The sides are even. */
export function halve({ width, height, values }: Planes): Planes {
  const half = emptyPlanes(width / 2, height / 2);
  let to = 0;
  for (let channel = 0; channel < CHANNELS; channel++) {
    for (let y = 0; y < height; y += 2) {
      const row = (channel * height + y) * width;
      for (let x = 0; x < width; x += 2) {
        const at = row + x;
        const above = (values[at] as number) + (values[at + 1] as number);
        half.values[to++] = (above + (values[at + width] as number) + (values[at + width + 1] as number)) / 4;
      }
    }
  }
  return half;
}
