import type { EnginePicture } from '../types.js';

/**
 * Rows, about, that tell whether edges are soft; an edge takes so many pixels at most there, a steep one this many, and so large a share is none. Where a picture was
 * hardly enlarged more are steep: no more than the larger share are in 108 of 112 pictures enlarged by a fifth to a third, and in 15 of 640 sharp ones.
 */
const ROWS = 48;
const WIDEST_PX = 32;
const STEEP_PX = 1;
const MOST_STEEP = 0.13;
const MOST_STEEP_NEARLY = 0.3;
/**
 * Of edges of one pixel midway between its neighbors, so many wider ones there are at least where libvips has enlarged what was drawn with soft edges: drawings with all edges on
 * half pixels have none, and are what they seem.
 */
const LEAST_WIDE = 0.04;
/** Of even neighbors so many differ, at most, where nothing has compressed a picture since: enlarging leaves few rings. */
const MOST_RIPPLES = 0.22;
/** Of 273 soft pictures that had been enlarged more than nine in ten had less than this, and of 97 that had been compressed half had more. */
const FEW_RIPPLES = 0.15;
/** Neighbors within so many levels are even, so that compression's ripples hide no edge; and colors so near have no edge between them. */
const EVEN_LEVELS = 6;
const NEAR_EDGE = 30;
const CHANNELS = 4;
const COLORS = 3;

/** What a picture's edges look like. */
export interface EdgeLook {
  /** Whether they are soft, in a picture that is all opaque. */
  readonly isSoft: boolean;
  /** Whether they are that or nearly so. */
  readonly isNearlySoft: boolean;
  /** Whether what is even goes up and down by little. */
  readonly isRippled: boolean;
  /** Whether it hardly does, as what was enlarged, and not compressed since. */
  readonly isCalm: boolean;
}

/** Soft are edges that take several pixels along most of the rows looked at, as no sharp picture's do. */
export function lookAtEdges(picture: EnginePicture): EdgeLook {
  const { width, height, data } = picture;
  const rowStep = Math.max(1, Math.floor(height / ROWS));
  let steep = 0;
  let midway = 0;
  let wide = 0;
  let seen = 0;
  let ripples = 0;
  for (let y = rowStep >> 1; y < height; y += rowStep) {
    const row = y * width * CHANNELS;
    // Where the even stretch ends that an edge begins behind, -1 where there is none yet.
    let even = -1;
    for (let x = 1, at = row + CHANNELS; x < width; x++, at += CHANNELS) {
      // Most pixels are as the one before, and that as the one before it.
      const isSame =
        data[at] === data[at - CHANNELS] &&
        data[at + 1] === data[at + 1 - CHANNELS] &&
        data[at + 2] === data[at + 2 - CHANNELS];
      if (!isSame) {
        if (!isEven(data, at, at - CHANNELS)) continue;
        if (data[at + 1] !== data[at + 1 - CHANNELS]) ripples++;
      }
      seen++;
      const between = x - 2 - even;
      if (even >= 0 && between >= 0 && between <= WIDEST_PX && !isNear(data, row + even * CHANNELS, at)) {
        if (between > STEEP_PX) wide++;
        else if (between > 0 && isMiddle(data, at - 2 * CHANNELS, row + even * CHANNELS, at)) midway++;
        else steep++;
      }
      even = x;
    }
  }
  const all = steep + midway + wide;
  const isNearlySoft = wide > LEAST_WIDE * midway && steep <= MOST_STEEP_NEARLY * all && isOpaque(picture);
  return {
    isSoft: isNearlySoft && steep <= MOST_STEEP * all,
    isNearlySoft,
    isRippled: ripples > MOST_RIPPLES * seen,
    isCalm: ripples <= FEW_RIPPLES * seen,
  };
}

function isEven(data: EnginePicture['data'], a: number, b: number): boolean {
  for (let c = 0; c < COLORS; c++) if (Math.abs(data[a + c] - data[b + c]) > EVEN_LEVELS) return false;
  return true;
}

function isNear(data: EnginePicture['data'], a: number, b: number): boolean {
  for (let c = 0; c < COLORS; c++) if (Math.abs(data[a + c] - data[b + c]) > NEAR_EDGE) return false;
  return true;
}

/** Whether a pixel has the color midway between two, as steps have where libvips has enlarged a picture twice: no other pixel of these is mixed. */
function isMiddle(data: EnginePicture['data'], pixel: number, a: number, b: number): boolean {
  for (let c = 0; c < COLORS; c++)
    if (Math.abs(data[a + c] + data[b + c] - 2 * data[pixel + c]) > EVEN_LEVELS) return false;
  return true;
}

function isOpaque({ data }: EnginePicture): boolean {
  for (let i = CHANNELS - 1; i < data.length; i += CHANNELS) if (data[i] !== 255) return false;
  return true;
}
