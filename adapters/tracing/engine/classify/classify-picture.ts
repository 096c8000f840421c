import type { Flatness } from '../intake/flatness.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import type { EnginePictureType } from '../types.js';
import {
  countLongEdges,
  countTextBands,
  measureColors,
  measureGrain,
  measureOneTint,
  measureTones,
  toLuma,
} from './picture-features.js';

/** What a picture was taken for, how sure that is (0..1), and why. */
export interface PictureClass {
  /** `art` is flat art or an illustration: how many colors are drawn tells them apart. */
  readonly type: Exclude<EnginePictureType, 'pixel_art' | 'flat_art' | 'illustration'> | 'art';
  readonly confidence: number;
  readonly reason: string;
}

/*
 * Measured on 840 pictures of two makings: of the squares without edges, 31 % and more of a photograph's pixels have grain and 28 % at
 * most of drawn art's; sheets have one tint (95 % and more of the pixels) and few middle tones (up to 16 %, small lettering's), gray
 * photographs 19 % and more; screens have 15 and more bands of lettering, drawings up to 11; line art has 88 % and more of its pixels
 * in two colors of no tint.
 */
const PHOTO_GRAIN = 0.31;
const SCAN_TWO = 0.82;
const SCAN_TINT = 0.95;
const SCAN_MIDDLE = 0.162;
const SCAN_PAPER = 0.62;
const SCAN_INK = [0.001, 0.42] as const;
const SCAN_EDGES = 0.009;
/** Paper is uneven: of forty sheets 3 % of the pixels at most equal their neighbors, of drawings in grays 87 % and more. */
const SCAN_EXACT = 0.8;
const GRAINY_EXACT = 0.5;
const SCREEN_BANDS = 13;
/** In two tones more of it, since line art has it too; between many straight edges less. */
const PLAIN_BANDS = 18;
const RULED_BANDS = 7;
const RULED_EDGES = 12;
/** So much lettering is no drawing, lines around it or not. */
const PAGE_BANDS = 40;
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
  let luma: Uint8Array | undefined;
  const lumaOf = () => (luma ??= toLuma(pixels));
  const isGrainy = exact < GRAINY_EXACT;
  const isGray = colors.tinted <= LINE_TINTED && colors.topTwo < SCAN_TWO && exact < SCAN_EXACT;
  const { grain, edges } = isGrainy || isGray ? measureGrain(lumaOf(), width, height) : { grain: 0, edges: 0 };
  if (isGray && edges >= SCAN_EDGES && measureOneTint(pixels) >= SCAN_TINT) {
    const tones = measureTones(lumaOf(), width, height);
    const isInk = tones.ink >= SCAN_INK[0] && tones.ink <= SCAN_INK[1];
    if (tones.middle <= SCAN_MIDDLE && tones.paper >= SCAN_PAPER && isInk) {
      const reason = `dark lines on uneven paper: ${percent(tones.ink)} ink, ${percent(tones.middle)} between ink and paper`;
      return { type: 'scan', confidence: sure(SCAN_MIDDLE - tones.middle, SCAN_MIDDLE), reason };
    }
  }
  if (isGrainy && grain >= PHOTO_GRAIN) {
    const reason = `only ${even}, and ${percent(grain)} have grain where there are no edges`;
    return { type: 'photo', confidence: sure(grain - PHOTO_GRAIN, 0.3), reason };
  }
  if (isGrainy) {
    const reason = `${even}, ${percent(within4)} nearly, and ${percent(grain)} have grain where there are no edges`;
    return { type: 'art', confidence: sure(PHOTO_GRAIN - grain, PHOTO_GRAIN), reason };
  }
  const plain = colors.tint <= LINE_TINT && colors.tinted <= LINE_TINTED;
  const isTwoTone = colors.topTwo >= LINE_TWO && plain;
  if (exact >= SCREEN_EXACT && width >= 200 && height >= 120) {
    const bands = countTextBands(pixels);
    const long = bands < RULED_BANDS ? 0 : countLongEdges(lumaOf(), width, height);
    const isRuled = isTwoTone ? bands >= PLAIN_BANDS && long > 0 : long >= RULED_EDGES;
    if (bands >= PAGE_BANDS || isRuled || (!isTwoTone && bands >= SCREEN_BANDS && long > 0)) {
      const reason = `${bands} stretches of lettering, ${even}`;
      return { type: 'screenshot', confidence: sure(bands - RULED_BANDS, SCREEN_BANDS), reason };
    }
  }
  if (isTwoTone && colors.contrast >= LINE_CONTRAST) {
    const reason = `two tones make ${percent(colors.topTwo)} of the picture`;
    return { type: 'line_art', confidence: sure(colors.topTwo - LINE_TWO, 1 - LINE_TWO), reason };
  }
  return { type: 'art', confidence: sure(exact - GRAINY_EXACT, 0.3), reason: even };
}
