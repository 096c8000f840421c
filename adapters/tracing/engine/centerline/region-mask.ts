import type { Regions } from '../segment/regions.js';

/** One region cut out of the picture, with a px of nothing all around it. */
export interface RegionMask {
  /** The picture's coordinates of the mask's upper left corner. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** 1 inside. */
  readonly inside: Uint8Array;
  readonly areaPx: number;
}

/** Per region the box it fills: left, top, right, bottom, the last two exclusive. */
export function boxesOf({ of, width, height, count }: Regions): Int32Array {
  const boxes = new Int32Array(count * 4);
  for (let r = 0; r < count; r++) {
    boxes[r * 4] = width;
    boxes[r * 4 + 1] = height;
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = of[i] * 4;
      if (x < boxes[at]) boxes[at] = x;
      if (y < boxes[at + 1]) boxes[at + 1] = y;
      if (x >= boxes[at + 2]) boxes[at + 2] = x + 1;
      boxes[at + 3] = y + 1;
    }
  }
  return boxes;
}

export function cutOut(regions: Regions, region: number, boxes: Int32Array): RegionMask {
  const [x0, y0, x1, y1] = boxes.subarray(region * 4, region * 4 + 4) as unknown as number[];
  const width = x1 - x0 + 2;
  const height = y1 - y0 + 2;
  const inside = new Uint8Array(width * height);
  for (let y = y0; y < y1; y++) {
    const row = y * regions.width;
    const to = (y - y0 + 1) * width + 1 - x0;
    for (let x = x0; x < x1; x++) if (regions.of[row + x] === region) inside[to + x] = 1;
  }
  return { left: x0 - 1, top: y0 - 1, width, height, inside, areaPx: regions.areaPx[region] };
}

/** Per pixel of a mask the distance to the nearest px outside it, center to center (Felzenszwalb and Huttenlocher 2012). */
export function distancesIn({ inside, width, height }: RegionMask): Float32Array {
  const far = width + height;
  const column = new Float64Array(inside.length);
  for (let x = 0; x < width; x++) {
    let run = far;
    for (let i = x; i < inside.length; i += width) {
      run = inside[i] === 1 ? run + 1 : 0;
      column[i] = run;
    }
    run = far;
    for (let i = inside.length - width + x; i >= 0; i -= width) {
      run = inside[i] === 1 ? run + 1 : 0;
      if (run < column[i]) column[i] = run;
    }
  }
  const distances = new Float32Array(inside.length);
  const place = new Int32Array(width);
  const begin = new Float64Array(width + 1);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let k = 0;
    place[0] = 0;
    begin[0] = -Infinity;
    begin[1] = Infinity;
    for (let x = 1; x < width; x++) {
      const fx = column[row + x] * column[row + x] + x * x;
      for (;;) {
        const v = place[k];
        const s = (fx - column[row + v] * column[row + v] - v * v) / (2 * (x - v));
        if (s > begin[k]) {
          k++;
          place[k] = x;
          begin[k] = s;
          begin[k + 1] = Infinity;
          break;
        }
        k--;
      }
    }
    k = 0;
    for (let x = 0; x < width; x++) {
      while (begin[k + 1] < x) k++;
      const v = place[k];
      distances[row + x] = Math.sqrt((x - v) * (x - v) + column[row + v] * column[row + v]);
    }
  }
  return distances;
}
