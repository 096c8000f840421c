import type { Raster } from '#application/ports/tracer.js';

/** What has happened to a picture, as far as its pixels tell. */
export interface PictureDamage {
  /** So small that its edges hold most of what it shows. */
  readonly small: boolean;
  /** Even areas are restless in the way of lossy compression: beside edges, and by a few levels. */
  readonly compressed: boolean;
  /** Edges take several pixels from one side to the other. */
  readonly blurred: boolean;
}

/** An icon's longer side, px. */
const SMALL_SIDE = 48;
/** Levels, in the channel that differs most, of what is an edge, and of what is unrest: too much for a gradient, too little for an edge. */
const EDGE_LEVELS = 64;
const REST_LEVELS = 1;
const UNREST_LEVELS = 16;
/** Share of the pixels near an edge that must be restless. */
const RESTLESS_SHARE = 0.25;
/** Pixels to each side in which an edge goes from one color to the other, and how near an edge unrest is looked for. */
const REACH = 4;
/** Share of an edge's height that its steepest step has, on average, where it is blurred. Sharp ones have half or more. */
const STEEP_SHARE = 0.45;
/** Fewer edges than this say nothing. */
const LEAST_EDGES = 24;

const levelOf = (data: Raster['data'], at: number): number =>
  // Over white, in the weights of luma; what cannot be seen is white.
  255 +
  ((0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number) - 255) *
    (data[at + 3] as number)) /
    255;

/** Looks along all rows and columns. */
export function findDamage({ width, height, data }: Raster): PictureDamage {
  const levels = new Float32Array(width * height);
  for (let i = 0; i < levels.length; i++) levels[i] = levelOf(data, i * 4);
  const found = { edges: 0, steepness: 0, near: 0, restless: 0 };
  for (let y = 0; y < height; y++) lookAlong(levels, y * width, 1, width, found);
  for (let x = 0; x < width; x++) lookAlong(levels, x, width, height, found);
  return {
    small: Math.max(width, height) <= SMALL_SIDE,
    compressed: found.edges >= LEAST_EDGES && found.restless > RESTLESS_SHARE * found.near,
    blurred: found.edges >= LEAST_EDGES && found.steepness < STEEP_SHARE * found.edges,
  };
}

interface Found {
  edges: number;
  /** Sum over the edges of the steepest step's share in the whole height. */
  steepness: number;
  /** Pixels beside edges, and those of them that are restless. */
  near: number;
  restless: number;
}

/** One row or column. */
function lookAlong(levels: Float32Array, start: number, step: number, length: number, found: Found): void {
  const at = (k: number) => levels[start + k * step] as number;
  for (let k = REACH; k + REACH + 1 < length; k++) {
    const rise = Math.abs(at(k + 1) - at(k));
    // The steepest step of its neighborhood stands for the edge.
    if (rise < EDGE_LEVELS / REACH || rise < Math.abs(at(k) - at(k - 1)) || rise <= Math.abs(at(k + 2) - at(k + 1)))
      continue;
    const height = Math.abs(at(k + 1 + REACH / 2) - at(k - REACH / 2));
    if (height < EDGE_LEVELS) continue;
    found.edges++;
    found.steepness += Math.min(1, rise / height);
    for (const side of [k - REACH, k + 1 + REACH]) {
      const change = Math.abs(at(side) - at(side > k ? side - 1 : side + 1));
      found.near++;
      if (change > REST_LEVELS && change < UNREST_LEVELS) found.restless++;
    }
  }
}
