import type { EnginePicture } from '../types.js';
import { type Blur, measureBlur } from './blur-width.js';
import { findEnlarged } from './enlargement.js';
import type { Margin } from './margin.js';
import { type ReducedPicture, reduceBlurred } from './reduce-blurred.js';
import { isRippled } from './ripples.js';
import { lookAtEdges } from './soft-edges.js';
import { toWorkingPixels } from './working-pixels.js';

/**
 * Edges of a picture that was blurred are about as wide everywhere: in eight of ten by 1.08 times at most, and by 1.12 where it was compressed since. Of 132 that had been enlarged, whose edges are as wide as where they lie
 * on the small grid makes them, none had less than 1.1; of 90 that were compressed since three had less than 1.13, and none less than 1.12.
 */
const MOST_UNEVEN = 1.09;
const MOST_UNEVEN_RIPPLED = 1.12;

/**
 * Edges that are sharper than this, px, wherever they lie, are those of no picture that was enlarged: of 260 that were, by 1.15 and more, none had less than .21, but for what lies on whole pixels, which a
 * cubic kernel leaves at .1. Edges that are all aslant take several pixels along rows, however sharp they are.
 */
const SHARPEST_PX = 0.08;

/** A smaller picture that shows all that a large one does, to be traced in its place. */
export interface SmallerPicture {
  readonly picture: EnginePicture;
  /** What of its right and lower side lies beyond the large one, px of its own. */
  readonly beyond: Margin | undefined;
  /** How far the large one was blurred, px; null where it was enlarged. */
  readonly blurPx: number | null;
  /** Grain that was taken off it, levels (standard deviation); 0 where none was. */
  readonly grain: number;
}

/**
 * The smaller picture that a soft one was enlarged from, or that is as good as one that was blurred all over (only where `mayBeBlurred`). Undefined for sharp pictures, and others that only
 * their own pixels show; sharp are those, too, whose edges are so where they are measured across. What is blurred evenly was not enlarged, and to look for what it was enlarged from would take ten times as long as all the rest.
 */
export function findSmaller(picture: EnginePicture, mayBeBlurred: boolean): SmallerPicture | undefined {
  const look = lookAtEdges(picture);
  if (!look.isNearlySoft) return undefined;
  const measured = measureBlur(picture);
  if (measured.px < SHARPEST_PX && measured.unevenness < Infinity) return undefined;
  if (!look.isSoft) return enlargedFrom(findEnlarged(picture, look));
  const blur = mayBeBlurred ? measured : undefined;
  const reduced = () => {
    const found = blur && reduceBlurred(picture, blur);
    return found && { ...found, beyond: beyondOf(picture, found), blurPx: blur.px };
  };
  const isEven = blur !== undefined && isEvenly(picture, blur);
  const evenly = isEven ? reduced() : undefined;
  if (evenly !== undefined) return evenly;
  return enlargedFrom(findEnlarged(picture, look, blur)) ?? (isEven ? undefined : reduced());
}

const enlargedFrom = (picture: EnginePicture | undefined): SmallerPicture | undefined =>
  picture && { picture, beyond: undefined, blurPx: null, grain: 0 };

/** Whether a picture is blurred as much wherever edges lie. */
function isEvenly(picture: EnginePicture, { unevenness }: Blur): boolean {
  return unevenness <= MOST_UNEVEN || (unevenness <= MOST_UNEVEN_RIPPLED && isRippled(toWorkingPixels(picture)));
}

/** Nothing is painted beyond the picture. */
const NO_COLOR = [0, 0, 0, 0] as const;

function beyondOf({ width, height }: EnginePicture, { picture: small, factor }: ReducedPicture): Margin | undefined {
  const right = small.width - width / factor;
  const bottom = small.height - height / factor;
  if (right + bottom === 0) return undefined;
  const colors = { left: NO_COLOR, top: NO_COLOR, right: NO_COLOR, bottom: NO_COLOR };
  return { left: 0, top: 0, right, bottom, colors };
}
