import { SMALL_PIXELS } from '../intake/choose-frontend.js';
import { otsuThreshold } from '../intake/color-mode.js';
import { isOfFewColors } from '../intake/few-colors.js';
import { measureFlatness } from '../intake/flatness.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { segmentPhoto } from '../photo/segment-photo.js';
import { clusterColors, nearestColors } from '../quantize/cluster-colors.js';
import { choosePalette, type Palette, withoutMixtures } from '../quantize/palette.js';
import type { EngineSettings } from '../types.js';
import { absorbSeams } from './absorb-seams.js';
import { explainAgain } from './explain-again.js';
import { findSpots } from './find-spots.js';
import { findHairlines } from './hairlines.js';
import { type FlatLabels, labelFlat, UNEXPLAINED } from './label-flat.js';
import { labelStrokes, type StrokeColors } from './label-strokes.js';
import { labelWords } from './label-words.js';
import { layLines, type Pen } from './lay-lines.js';
import { findLineColor, type LineColor } from './line-color.js';
import { explainLonePixels } from './lone-pixels.js';
import type { FoundColors } from './measured-colors.js';
import { type RescueLimits, rescueThinColors } from './rescue-thin-colors.js';
import { findRuledColors, layRuledLines, numberOf, withoutRows } from './ruled-lines.js';
import { findSameColors } from './same-colors.js';
import { keepThinLines } from './thin-lines.js';
import { withColor } from './with-color.js';

/** A label for every pixel and a color (four premultiplied channels) for every label. */
export interface Labeling {
  readonly labels: Int32Array;
  readonly channels: Float64Array;
  /** Whether areas are even, so that a pixel on an edge is a mixture of the colors that meet in it. */
  readonly even: boolean;
  /** By how many levels noise or compression has moved colors (root mean square), so that not all that differs is to be drawn; undefined for clean art. */
  readonly noise?: number;
  /** Standard deviation of the grain, levels, where there is nothing else that is uneven. */
  readonly grain?: number;
  /** Whether edges were steps, and are only about where these were. */
  readonly stepped?: boolean;
  /** Of lines thinner than a pixel, where such are all over the picture. */
  readonly pen?: Pen;
  /** Whether much of what is mixed is of ruled lines: where these are is known, and no finer picture tells more. */
  readonly isRuled?: boolean;
  /** Pixels that may be a mixture of their label's color and others, ascending, where it is known that all others are not. */
  readonly mixed?: Int32Array;
  /** What was found, where the labels above were brought down to the colors asked for. */
  readonly found?: FoundColors;
}

/** Share of the mixed pixels that lie along ruled lines where these, and not a coat of arms beside them, tell the lines' color. */
const LEAST_RULED = 0.3;
/** Interior pixels a color must have to be in the palette of flat art. */
const LEAST_COLOR_COUNT = 2;

/**
 * Flat art: the palette of flat interiors, anti-aliased pixels un-mixed; undefined where there is no flat interior at all, or colors
 * explain too little of a small picture. Where ramps were taken out (`hasRamps`), only dark
 * lines are looked for that are thinner than a pixel: what ramps leave has all other colors.
 */
export function labelFlatArt(pixels: WorkingPixels, settings: EngineSettings, hasRamps = false): Labeling | undefined {
  const merged = choosePalette(pixels, settings.mergeDistance, LEAST_COLOR_COUNT);
  if (merged.size === 0) return undefined;
  // Colors that are nearly the same are merged, unless more are asked for than are left.
  const palette =
    merged.size < settings.colorCount && settings.mergeDistance > 0
      ? choosePalette(pixels, 0, LEAST_COLOR_COUNT)
      : merged;
  const isSmall = pixels.words.length <= SMALL_PIXELS;
  const limits = isSmall ? SMALL_RESCUE : CLEAN_RESCUE;
  const ruled = hasRamps ? undefined : labelRuled(pixels, palette, limits);
  const { flat: labeled, ...found } = ruled ?? labelWith(pixels, palette, limits);
  const written = hasRamps
    ? { flat: labeled, channels: found.channels, inks: [] }
    : labelWords(pixels, found.palette, found.channels, labeled);
  const { flat } = written;
  const all: StrokeColors = { channels: written.channels, ofStrokes: written.inks };
  const laid = ruled ? { ...all, pen: ruled.pen } : layFineLines(pixels, found.palette, all, flat, hasRamps);
  const { pen, channels: known, ofStrokes } = laid;
  if (isSmall && isUnexplained(flat.errors, flat.labels.length)) return undefined;
  explainAgain(pixels, known, flat, found.palette.size);
  // What fine lines leave anywhere would pass for spots.
  const hasSpots = !hasRamps && (pen === undefined || ruled !== undefined);
  const channels = hasSpots ? findSpots(pixels, known, flat, UNEXPLAINED) : known;
  if (hasSpots) explainLonePixels(pixels, channels, flat);
  keepThinLines(pixels, flat, channels, CLEAN_RESCUE.unexplained);
  if (!settings.exactColors) absorbSeams(pixels, flat.labels, channels, ofStrokes);
  return {
    ...restrictColors(flat.labels, channels, undefined, true, settings, pen),
    mixed: flat.mixed,
    isRuled: ruled !== undefined,
  };
}

/** Lays the lines over the pixels that are thinner than one, if there are such all over the picture, and gives strokes of other colors theirs. */
function layFineLines(
  pixels: WorkingPixels,
  palette: Palette,
  known: StrokeColors,
  flat: FlatLabels,
  hasRamps: boolean,
) {
  const lineOf = ({ channels, ofStrokes }: StrokeColors) => {
    const ofLines = findLineColor(pixels, palette, channels, flat, ofStrokes, hasRamps);
    return (hasRamps ? undefined : findHairlines(pixels, palette, channels, flat, ofStrokes, ofLines)) ?? ofLines;
  };
  const lay = (line: LineColor | undefined, strokes: StrokeColors) => {
    const pen = line && layLines(pixels, line, flat);
    return { pen, channels: pen ? line.channels : strokes.channels, ofStrokes: strokes.ofStrokes };
  };
  const withKnown = ({ channels, ofStrokes }: StrokeColors): StrokeColors => ({
    channels,
    ofStrokes: [...new Set([...known.ofStrokes, ...ofStrokes])],
  });
  const line = lineOf(known);
  if (hasRamps) return lay(line, known);
  const others = withKnown(labelStrokes(pixels, palette, known.channels, flat, line));
  if (others.ofStrokes.length > known.ofStrokes.length) return lay(lineOf(others), others);
  const laid = lay(line, others);
  if (laid.pen !== undefined || line === undefined) return laid;
  // Lines that are not laid are strokes like others.
  const all = withKnown(labelStrokes(pixels, palette, known.channels, flat));
  return all.ofStrokes.length === known.ofStrokes.length ? laid : lay(lineOf(all), all);
}

/** Labels the pixels of a picture with ruled lines (`findRuledColors`); undefined where there are none. */
function labelRuled(pixels: WorkingPixels, palette: Palette, limits: RescueLimits) {
  const ruled = findRuledColors(pixels, palette);
  if (ruled === undefined) return undefined;
  const purer = withoutRows(palette, ruled, pixels);
  const flat = labelFlat(pixels, purer);
  let px = 0;
  for (const { sections } of ruled) for (const { middle, lengthPx } of sections) px += middle.length * lengthPx;
  if (px < LEAST_RULED * flat.mixed.length) return undefined;
  let { channels } = purer;
  let pen: Pen | undefined;
  for (const one of ruled) {
    const { color } = one;
    const number = numberOf(color, channels);
    if (number === channels.length / 4) channels = withColor(channels, color);
    const size = channels.length / 4;
    const grounds = Array.from({ length: size }, (_, k) => k).filter((k) => k !== number && !purer.narrow.includes(k));
    const line = {
      color: number,
      channels,
      isLeft: new Uint8Array(size),
      isAlone: number >= purer.size,
      grounds,
      isSure: true,
    };
    const laid = layLines(pixels, line, flat);
    if (laid === undefined) return undefined;
    layRuledLines(pixels, one, number, flat);
    pen ??= laid;
  }
  if (pen === undefined) return undefined;
  return { flat, palette: purer, pen, ofStrokes: [], ...rescueThinColors(pixels, channels, flat, limits) };
}

/** Labels the pixels with a palette's colors and those found beside them, but for what then turns out to be mixtures. */
function labelWith(pixels: WorkingPixels, palette: Palette, limits: RescueLimits) {
  const first = labelColors(pixels, palette, limits);
  const purer = withoutMixtures(palette, first.channels, first.ofLines, pixels);
  if (purer === undefined) return { ...first, palette };
  return { ...labelColors(pixels, purer, limits), palette: purer };
}

/** Labels the pixels with a palette's colors and those found beside them. */
function labelColors(pixels: WorkingPixels, palette: Palette, limits: RescueLimits) {
  const flat = labelFlat(pixels, palette);
  const same = findSameColors(pixels, palette.channels, flat);
  const isMostlyMixed = flat.mixed.length > limits.mostShare * flat.labels.length;
  const isDense = isMostlyMixed && isOfFewColors(pixels, measureFlatness(pixels));
  const all = isDense ? { ...limits, mostShare: DENSE_SHARE } : limits;
  return { flat, ...rescueThinColors(pixels, same.channels, flat, all, same.ofLines) };
}

/** When a pixel is taken for one of a color that no flat area has: far out, and farther where there is noise. */
const CLEAN_RESCUE = { unexplained: UNEXPLAINED, leastPixels: 4, same: 16, mostShare: 0.25 };
/** Icons may be all lines, without a flat area but the ground's. */
const SMALL_RESCUE = { ...CLEAN_RESCUE, mostShare: 0.75 };
/** Pictures of few colors may be lines all over, too. */
const DENSE_SHARE = SMALL_RESCUE.mostShare;
/** Share of pixels that no colors explain from which a small picture is no flat art. */
const MOST_UNEXPLAINED = 0.12;

function isUnexplained(errors: Float64Array, pixels: number): boolean {
  let count = 0;
  for (const error of errors) if (error > SMALL_RESCUE.unexplained ** 2) count++;
  return count > MOST_UNEXPLAINED * pixels;
}

/** Black and white pictures are even where so many pixels are this near to ink or paper. */
const PLAIN_LEVELS = 12;
const LEAST_PLAIN = 0.8;

/** Photographs and whatever has no flat areas: regions of like color. */
export function labelPhoto(pixels: WorkingPixels, settings: EngineSettings, lambda: number): Labeling {
  const { width, height } = pixels;
  const bytes = pixels.straight instanceof Uint8Array ? pixels.straight : new Uint8Array(pixels.straight);
  const { minAreaPx, mostRegions } = settings;
  const regions = segmentPhoto(bytes, width, height, { lambda, minAreaPx, mostRegions });
  return restrictColors(regions.labels, regions.colors, regions.areaPx, false, settings);
}

/** Levels on either side that count as the same, and the share of a side that the most frequent one must have. */
const MODE_REACH = 4;
const MODE_SHARE = 0.3;
/** Of ink and of paper, the share that is farther from the other than the level that stands for it: what lies nearer is mixed. */
const PURE_RANK = 0.2;
/** How near a pixel must be to pure ink or paper to be one of them (grain included), and how many must be, in a picture of two tones. */
const PURE_LEVELS = 16;
const PURE_SHARE = 0.8;

/**
 * Two colors, ink and paper, parted. `gray` are gray and opaque.
 */
export function labelBlackAndWhite(gray: WorkingPixels): Labeling {
  const threshold = otsuThreshold(gray);
  const { rgba } = gray;
  const labels = new Int32Array(rgba.length / 4);
  const counts = new Float64Array(256);
  for (let i = 0; i < rgba.length; i += 4) counts[rgba[i]]++;
  const { ink, paper, parting } = twoLevels(counts, threshold < 0 ? 127.5 : threshold);
  let plain = 0;
  for (let i = 0; i < labels.length; i++) {
    const level = rgba[i * 4];
    labels[i] = level > parting ? 1 : 0;
    if (Math.abs(level - (labels[i] === 1 ? paper : ink)) <= PLAIN_LEVELS) plain++;
  }
  const even = plain >= LEAST_PLAIN * labels.length;
  const channels = Float64Array.from([ink, ink, ink, 255, paper, paper, paper, 255]);
  if (even) keepThinLines(gray, mixedOf(gray, labels, ink, paper), channels, 255);
  return { labels, channels, even };
}

/** The pixels that are neither ink nor paper, as mixtures of the two. */
function mixedOf({ rgba }: WorkingPixels, labels: Int32Array, ink: number, paper: number): FlatLabels {
  const isMixed = (i: number) => Math.min(Math.abs(rgba[i * 4] - ink), Math.abs(rgba[i * 4] - paper)) > PLAIN_LEVELS;
  let count = 0;
  for (let i = 0; i < labels.length; i++) if (isMixed(i)) count++;
  const mixed = new Int32Array(count);
  for (let i = 0, k = 0; i < labels.length; i++) if (isMixed(i)) mixed[k++] = i;
  return { labels, mixed, errors: new Float64Array(count), others: mixed.map((i) => 1 - labels[i]) };
}

/**
 * The levels of ink and paper. Where nearly all is one or the other, those of pure ink and paper, so that edges are placed by how
 * much of a pixel the ink covers, and half-way is what parts them; in a picture of more tones, the mean of each side, parted where that
 * parts it best. A picture of one level is paper if it is light.
 */
function twoLevels(
  counts: Float64Array,
  threshold: number,
): { readonly ink: number; readonly paper: number; readonly parting: number } {
  const ink = pureLevel(counts, 0, threshold);
  const paper = pureLevel(counts, 255, threshold);
  const sums = [0, 0, 0, 0];
  let pure = 0;
  for (let level = 0; level < 256; level++) {
    const side = level > threshold ? 2 : 0;
    sums[side] += counts[level] * level;
    sums[side + 1] += counts[level];
    if (Math.min(Math.abs(level - ink), Math.abs(level - paper)) <= PURE_LEVELS) pure += counts[level];
  }
  if (pure >= PURE_SHARE * (sums[1] + sums[3])) {
    return { ink, paper, parting: Math.floor((ink + paper) / 2) + 0.5 };
  }
  const ofInk = sums[1] > 0 ? sums[0] / sums[1] : 0;
  const ofPaper = sums[3] > 0 ? sums[2] / sums[3] : 255;
  return { ink: ofInk, paper: ofPaper, parting: threshold };
}

/**
 * The level that one side of the threshold has where it is pure: its most frequent one, or where none is frequent (fine lines cover no
 * pixel whole) that of its purest part. `end` is where that side ends, and the answer where it is empty.
 */
function pureLevel(counts: Float64Array, end: 0 | 255, threshold: number): number {
  const step = end === 0 ? 1 : -1;
  const isIn = (level: number) => level >= 0 && level <= 255 && (end === 0 ? level <= threshold : level > threshold);
  let total = 0;
  let most = 0;
  let mode: number = end;
  for (let level: number = end; isIn(level); level += step) {
    total += counts[level];
    let near = 0;
    for (let k = -MODE_REACH; k <= MODE_REACH; k++) near += isIn(level + k) ? counts[level + k] : 0;
    if (near <= most) continue;
    most = near;
    mode = level;
  }
  if (most >= total * MODE_SHARE) {
    let peak = mode;
    for (let level = mode - MODE_REACH; level <= mode + MODE_REACH; level++)
      if (isIn(level) && counts[level] > counts[peak]) peak = level;
    return peak;
  }
  let seen = 0;
  for (let level: number = end; isIn(level); level += step) {
    seen += counts[level];
    if (seen > 0 && seen >= total * PURE_RANK) return level;
  }
  return end;
}

/**
 * Brings the labels' colors down to those that were asked for: a fixed palette, or so many. `weights` are the pixels of each
 * label, counted here where they are not known, and `pen` what fine lines were drawn with.
 */
export function restrictColors(
  labels: Int32Array,
  channels: Float64Array,
  weights: ArrayLike<number> | undefined,
  even: boolean,
  settings: EngineSettings,
  pen?: Pen,
): Labeling {
  const { fixedPalette, colorCount } = settings;
  const found: FoundColors = { labels, channels };
  const ofPen = (to?: Int32Array) => pen && { pen: { ...pen, color: to?.[pen.color] ?? pen.color } };
  if (fixedPalette.length > 0) {
    const fixed = new Float64Array((fixedPalette.length + 1) * 4);
    for (let k = 0; k < fixedPalette.length; k++) {
      fixed[k * 4] = (fixedPalette[k] >> 16) & 255;
      fixed[k * 4 + 1] = (fixedPalette[k] >> 8) & 255;
      fixed[k * 4 + 2] = fixedPalette[k] & 255;
      fixed[k * 4 + 3] = 255;
    }
    const to = toFixed(channels, fixed);
    return { labels: relabel(labels, to), channels: fixed, even, found, ...ofPen(to) };
  }
  if (colorCount > 0 && channels.length / 4 > colorCount) {
    const clusters = clusterOpaque(channels, weights ?? countLabels(labels, channels.length / 4), colorCount);
    return { labels: relabel(labels, clusters.of), channels: clusters.channels, even, found, ...ofPen(clusters.of) };
  }
  return { labels, channels, even, ...ofPen() };
}

/**
 * The fixed color for each color: the nearest, opacity aside. The last one is nothing at all: what is seen through more than
 * half becomes that, and nothing else does, however far it is from the colors given.
 */
function toFixed(channels: Float64Array, fixed: Float64Array): Int32Array {
  const straight = Float64Array.from(channels);
  for (let k = 0; k < straight.length; k += 4) {
    const scale = 255 / Math.max(1, channels[k + 3]);
    for (let c = 0; c < 4; c++) straight[k + c] = channels[k + c] * scale;
  }
  const nothing = fixed.length / 4 - 1;
  const to = nearestColors(straight, fixed.subarray(0, nothing * 4));
  for (let k = 0; k < to.length; k++) if (channels[k * 4 + 3] < 127.5) to[k] = nothing;
  return to;
}

/** Clusters, not counting full transparency as a color. */
function clusterOpaque(channels: Float64Array, weights: ArrayLike<number>, count: number) {
  let clear = 0;
  for (let k = 3; k < channels.length; k += 4) if (channels[k] < 0.5) clear = 1;
  return clusterColors(channels, weights, count + clear);
}

function countLabels(labels: Int32Array, count: number): Float64Array {
  const counts = new Float64Array(count);
  for (let i = 0; i < labels.length; i++) counts[labels[i]]++;
  return counts;
}

function relabel(labels: Int32Array, to: Int32Array): Int32Array {
  return labels.map((label) => to[label]);
}
