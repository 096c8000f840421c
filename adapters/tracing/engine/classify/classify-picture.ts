import type { Flatness } from '../intake/flatness.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import type { EnginePictureType } from '../types.js';
import { countLongEdges, countTextBands, measureColors, measureTones, toLuma } from './picture-features.js';

/** What a picture was taken for, how sure that is (0..1), and why. */
export interface PictureClass {
  /** `art` is flat art or an illustration: how many colors are drawn tells them apart. */
  readonly type: Exclude<EnginePictureType, 'pixel_art' | 'flat_art' | 'illustration'> | 'art';
  readonly confidence: number;
  readonly reason: string;
}

/*
 * Measured on 420 pictures: photographs have few pixels that equal their neighbors and no few colors that make most of them; scans of line work have up to 2 % of middle tones, photographs 15 % and more; screens have 50 and
 * more bands of lettering, other pictures up to 8; line art has 88 % and more of its pixels in two colors of no tint.
 */
const PHOTO_WITHIN_4 = 0.94;
const PHOTO_COLORS = 0.75;
const PHOTO_TWO = 0.24;
const SCAN_EXACT = 0.5;
const SCAN_MIDDLE = 0.07;
const SCAN_PAPER = 0.5;
const SCAN_INK = [0.001, 0.42] as const;
const SCAN_COLORS = 0.75;
const SCREEN_BANDS = 22;
const SCREEN_EXACT = 0.55;
const LINE_TWO = 0.88;
const LINE_TINT = 40;
const LINE_TINTED = 0.005;
const LINE_CONTRAST = 90;

const percent = (share: number): string => `${Math.round(share * 100)} %`;
/** 0.5 at a threshold, 1 from `room` beyond it on. */
const sure = (beyond: number, room: number): number => Math.min(1, 0.5 + (0.5 * Math.max(0, beyond)) / room);

/** Decides by measured features. Pixel art has been told apart before. Measures no more than the answer needs. */
export function classifyPicture(pixels: WorkingPixels, flatness: Flatness): PictureClass {
  const { width, height } = pixels;
  const { exact, within4 } = flatness;
  const even = `${percent(exact)} of the pixels equal their neighbors`;
  const colors = measureColors(pixels);
  if (exact < SCAN_EXACT) {
    const tones = measureTones(toLuma(pixels), width, height);
    const isScan =
      tones.middle <= SCAN_MIDDLE &&
      tones.paper >= SCAN_PAPER &&
      tones.ink >= SCAN_INK[0] &&
      tones.ink <= SCAN_INK[1] &&
      colors.topColors >= SCAN_COLORS;
    if (isScan) {
      const reason = `dark lines on uneven paper: ${percent(tones.ink)} ink, ${percent(tones.middle)} between ink and paper`;
      return { type: 'scan', confidence: sure(SCAN_MIDDLE - tones.middle, SCAN_MIDDLE), reason };
    }
    if (colors.topTwo < PHOTO_TWO && within4 < PHOTO_WITHIN_4 && colors.topColors < PHOTO_COLORS) {
      const confidence = sure(PHOTO_TWO - colors.topTwo, PHOTO_TWO);
      const reason = `only ${even}, and 24 colors make ${percent(colors.topColors)} of them`;
      return { type: 'photo', confidence, reason };
    }
    return {
      type: 'art',
      confidence: sure(within4 - PHOTO_WITHIN_4, 0.3),
      reason: `${even}, ${percent(within4)} nearly`,
    };
  }
  const plain = colors.tint <= LINE_TINT && colors.tinted <= LINE_TINTED;
  if (colors.topTwo >= LINE_TWO && plain && colors.contrast >= LINE_CONTRAST) {
    const reason = `two tones make ${percent(colors.topTwo)} of the picture`;
    return { type: 'line_art', confidence: sure(colors.topTwo - LINE_TWO, 1 - LINE_TWO), reason };
  }
  if (exact >= SCREEN_EXACT && width >= 200 && height >= 120) {
    const bands = countTextBands(pixels);
    if (bands >= SCREEN_BANDS && countLongEdges(toLuma(pixels), width, height) > 0) {
      const reason = `${bands} stretches of lettering between straight edges, ${even}`;
      return { type: 'screenshot', confidence: sure(bands - SCREEN_BANDS, SCREEN_BANDS), reason };
    }
  }
  return { type: 'art', confidence: sure(exact - SCAN_EXACT, 0.3), reason: even };
}
