import { coarsenessAt } from './budget/coarseness.js';
import { mergeAlike } from './budget/merge-alike.js';
import { finestThatFits } from './budget/within-budget.js';
import { classifyPicture } from './classify/classify-picture.js';
import { drawRegions, type FitAllChains } from './draw-regions.js';
import { drawFrame } from './emit/outlines.js';
import { outlinesOf } from './emit/strokes.js';
import { withoutMargin } from './emit/without-margin.js';
import { type Finer, TIMES } from './finer/finer-picture.js';
import { finerWhere } from './finer/finer-where.js';
import { chooseFrontend, FLAT_EXACT, type FrontendChoice, ICON_PIXELS } from './intake/choose-frontend.js';
import { overWhite, toGrayscale } from './intake/color-mode.js';
import { type Flatness, measureFlatness } from './intake/flatness.js';
import { flattenPaper } from './intake/flatten-paper.js';
import { findMargin, withMargin } from './intake/margin.js';
import { mendEdges, unmended } from './intake/mend-edges.js';
import { isRippled } from './intake/ripples.js';
import { sharpenPicture } from './intake/sharpen.js';
import { findSmaller, type SmallerPicture } from './intake/smaller-picture.js';
import { unblur } from './intake/unblur.js';
import { toWorkingPixels, type WorkingPixels } from './intake/working-pixels.js';
import { arena } from './math/arena.js';
import { mayBePixelArt } from './pixel/is-pixel-art.js';
import { restrictPixels } from './pixel/restrict-pixels.js';
import { type PixelDrawing, tracePixels } from './pixel/trace-pixels.js';
import { type FlattenedRamps, flattenCompressedRamps, flattenRamps } from './ramps/flatten-ramps.js';
import { absorbSpecks } from './segment/absorb-specks.js';
import { inEvenColors } from './segment/even-colors.js';
import { inExactColors } from './segment/exact-colors.js';
import { labelPicture } from './segment/label-picture.js';
import type { Labeling } from './segment/labeling.js';
import { leastAreas } from './segment/least-areas.js';
import { withMeasuredColors } from './segment/measured-colors.js';
import { joinRegions, type Regions } from './segment/regions.js';
import type {
  Checkpoint,
  EngineDrawing,
  EnginePicture,
  EnginePictureType,
  EngineResult,
  EngineSettings,
} from './types.js';

/** Share of pixels equal to their neighbors below which black and white has grain. */
const GRAINY_EXACT = 0.5;
/** From this cleanup on, grain is smoothed away, and with it what is finer than a pen. */
const GRAIN_CLEANUP = 4;
/** Share of pixels equal to their neighbors from which a picture may be one of ramps after compression. */
const COMPRESSED_EXACT = 0.08;
/** And share of those nearly equal to their neighbors, but not quite, from which it may be. */
const UNEVEN_SHARE = 0.012;
/** Share of the work behind a picture whose drawing is not enough, with that of a finer one ahead. */
const FINER_PROGRESS = 0.4;
/** Colors up to which flat art is no illustration. */
const FLAT_COLORS = 24;
/** Levels of noise that move edges as far as steps do. */
const STEPPED_NOISE = 6;
/** What is no larger is a speck in a picture of any size, unless smaller ones are asked for, px. */
const SPECK_PX = 4;
/** More than are ever made in search of one that fits. */
const MOST_DRAWINGS = 8;

export interface TraceOptions {
  readonly fitAll?: FitAllChains;
  /** Whether a drawing is within what was asked for; where it is not, coarser ones are made of the same segmentation. */
  readonly fits?: (drawing: EngineDrawing) => boolean;
}

/**
 * Traces a picture: at the size it had, where it was enlarged (`enlargedFrom`), and with fewer pixels where it was blurred all over (`edgeBlurPx`). Deterministic to the byte. Throws RangeError on sizes that do
 * not agree, and whatever `checkpoint` throws.
 */
export function trace(
  picture: EnginePicture,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  options: TraceOptions = {},
): EngineResult {
  const isFlat = settings.frontend !== 'pixel' && settings.frontend !== 'photo';
  const mayMend = settings.cleanup > 0 && isFlat && !settings.recoverPixelGrid;
  arena.reset();
  // Sheets that are scanned to be black and white are cleared of their blur as such; and means of pixels are colors that the picture has not.
  const smaller = mayMend ? findSmaller(picture, settings.colorMode !== 'bw' && !settings.exactColors) : undefined;
  const result = smaller && traceSmaller(picture, smaller, settings, checkpoint, options);
  // Enlarged sprites are for those to recover who ask for it, and of photographs enlarging leaves tones that a smaller one has no pixels for.
  if (result === undefined || result.pixelCell !== null || result.pictureType === 'photo')
    return traceAsItIs(picture, settings, checkpoint, options);
  return result;
}

function traceSmaller(
  given: EnginePicture,
  { picture, beyond, blurPx, grain }: SmallerPicture,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  { fitAll, fits }: TraceOptions,
): EngineResult {
  const inside = (drawing: EngineDrawing) =>
    beyond ? withoutMargin(drawing, beyond, drawing.width / picture.width) : drawing;
  // Areas are asked for in pixels of the picture as it came; of one that was enlarged nothing smaller than its pixels is left.
  const times = blurPx === null ? 1 : (picture.width * picture.height) / (given.width * given.height);
  const areaHere = (px: number) => Math.max(px * times, Math.min(px, SPECK_PX));
  const own = {
    ...settings,
    minAreaPx: areaHere(settings.minAreaPx),
    minDetailAreaPx: areaHere(settings.minDetailAreaPx),
    minDotAreaPx: areaHere(settings.minDotAreaPx),
    // What enlarging and blur leave is not to be told from what is thinner than a pixel.
    finerFrom: Infinity,
  };
  const result = traceAsItIs(picture, own, checkpoint, {
    ...(fitAll && { fitAll }),
    ...(fits && { fits: (drawing: EngineDrawing) => fits(inside(drawing)) }),
  });
  const { width, height } = picture;
  return {
    ...result,
    drawing: inside(result.drawing),
    edgeBlurPx: blurPx ?? result.edgeBlurPx,
    grain: grain > 0 ? grain : result.grain,
    enlargedFrom: blurPx === null ? { width, height } : null,
  };
}

function traceAsItIs(
  picture: EnginePicture,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  options: TraceOptions,
): EngineResult {
  // The cells of a grid would no longer begin at the border.
  const seeksCells = settings.frontend === 'pixel' || settings.recoverPixelGrid;
  const margin = seeksCells ? undefined : findMargin(picture);
  if (margin !== undefined) {
    const { fits } = options;
    const wider = withMargin(picture, margin);
    const inside = (drawing: EngineDrawing) => withoutMargin(drawing, margin, drawing.width / wider.width);
    const own = fits && ((drawing: EngineDrawing) => fits(inside(drawing)));
    const result = traceWhole(wider, settings, checkpoint, own ? { ...options, fits: own } : options);
    if (result.pixelCell === null) return { ...result, drawing: inside(result.drawing) };
  }
  return traceWhole(picture, settings, checkpoint, options);
}

function traceWhole(
  picture: EnginePicture,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  { fitAll, fits }: TraceOptions,
): EngineResult {
  checkpoint('recover', 0);
  arena.reset();
  const toned = inColorMode(picture, settings.colorMode);
  const source = settings.sharpen ? sharpenPicture(toned) : toned;
  const given = toWorkingPixels(source);
  const forced = settings.frontend === 'flat' || settings.frontend === 'photo' ? settings.frontend : undefined;
  // The grid of cells is found in the picture as it came: what enlarged them has softened them, or sharpened, and it is told by that.
  const mended = settings.cleanup > 0 ? mendEdges(given, forced, settings.colorMode !== 'bw') : unmended(given);
  const original = mended.pixels;
  const inColor = settings.colorMode === 'color' || settings.colorMode === 'grayscale';
  const flatness = measureFlatness(original);
  // Upright lines are cells as well as lines.
  const drawsLines = settings.centerline && settings.frontend !== 'pixel';
  const drawsCells = forced === undefined && inColor && !settings.removeBackground && !drawsLines;
  // A grid that is asked for is looked for first: blur makes a ramp of every edge.
  const cellsFirst = drawsCells && (settings.frontend === 'pixel' || settings.recoverPixelGrid);
  // What is painted several times is no cutout, and costs its nodes as often.
  const layered = settings.stacking === 'stacked' && fits === undefined;
  const flattened = cellsFirst ? undefined : withoutRamps(original, flatness, settings, forced, layered);
  let gridFinding: string | null = null;
  if (cellsFirst || (drawsCells && flattened === undefined && mayBePixelArt(given))) {
    const isForced = settings.frontend === 'pixel';
    const options = {
      force: isForced,
      recover: settings.recoverPixelGrid,
      stacked: settings.stacking === 'stacked',
    };
    const own = tracePixels(source, options);
    gridFinding = own.finding;
    const cells =
      own.drawing !== undefined && changesColors(settings)
        ? tracePixels(restrictPixels(source, settings), { ...options, force: true }).drawing
        : own.drawing;
    if (cells !== undefined) {
      const result = pixelResult(picture, cells, isForced, gridFinding);
      if (fits === undefined || fits(result.drawing)) return result;
    }
  }
  checkpoint('segment', 0);
  const smooth = cellsFirst ? withoutRamps(original, flatness, settings, forced, layered) : flattened;
  const ramps = smooth?.ramps;
  const choice = smooth?.choice ?? chooseFrontend(flatness, original, forced);
  const kind = classifyPicture(original, flatness);
  // A sheet that was scanned is brought to even light before ink and paper are parted.
  const grainy = settings.colorMode === 'bw' && flatness.exact < GRAINY_EXACT;
  const pixels =
    ramps?.pixels ?? (grainy ? unblur(flattenPaper(original, settings.cleanup >= GRAIN_CLEANUP)) : original);
  // Where edges were steps every pixel is of the color that it had.
  const colored = mended.stepped && ramps === undefined ? given : pixels;
  // What ramps were taken out of is even, whatever the picture seemed before.
  const mayBeGrainy = forced === 'flat' && ramps === undefined;
  const seemsPhoto = mayBeGrainy && chooseFrontend(flatness, original, undefined).frontend === 'photo';
  const left = ramps && (ramps.noisy ? 'noisy' : 'clean');
  const labeling = labelPicture(colored, settings, choice, left, seemsPhoto);
  const isArt = labeling.noise !== undefined;
  const isClean = labeling.even && !isArt && inColor && !changesColors(settings) && ramps === undefined;
  checkpoint('fit', 0);
  /** What of a picture is drawn, of one that is `times` as large either way as that it stands for. */
  const inRegions = (pixels: WorkingPixels, labeling: Labeling, times: number): Found => {
    const { labels, channels, pen } = labeling;
    const merged = joinRegions(labels, pixels.width, pixels.height, pixels.rgba, channels, pen?.color);
    const joined = isClean ? inEvenColors(merged, pixels) : merged;
    const areas = leastAreas(settings, original.words.length, labeling, grainy, pixels.rgba, times * times);
    // Where there were steps edges are as uncertain as noise makes them, and nothing else is.
    const guessed = mended.stepped && labeling.even ? { noise: STEPPED_NOISE, ...labeling, stepped: true } : labeling;
    return {
      pixels,
      labeling: guessed,
      finest: absorbSpecks(joined, areas.speckPx, areas.dots),
    };
  };
  const drawIf = (
    isWanted: (left: number) => boolean,
    { pixels, labeling, finest }: Found,
    level: number,
    report: Checkpoint,
  ): EngineDrawing | undefined => {
    const coarseness = level === 0 ? undefined : coarsenessAt(level);
    const regions = coarseness === undefined ? finest : mergeAlike(finest, coarseness.lambda);
    const measured = labeling.found === undefined ? regions : withMeasuredColors(regions, labeling.found);
    const paint = inOwnColors(regions, given, settings, ramps);
    const outlines = drawRegions({ pixels, labeling, regions, measured, paint }, settings, report, {
      fitAll,
      gradientsOf: ramps?.paintsOf,
      coarseness,
      grainy: grainy || isArt,
      isWanted,
    });
    return outlines && { width: pixels.width, height: pixels.height, ...outlines, crispEdges: false };
  };
  const draw = (what: Found, level: number, report: Checkpoint) =>
    drawIf(() => true, what, level, report) as EngineDrawing;
  // What is mended shares its pixels as the mending has it.
  const mayBeFiner = fits === undefined && isClean && pixels === given && !settings.centerline;
  const finer = mayBeFiner ? finerWhere(pixels, labeling, settings) : undefined;
  const found = inRegions(pixels, labeling, 1);
  let shown = found;
  const drawFiner = ({ pixels, labeling }: Finer): EngineDrawing => {
    checkpoint('fit', FINER_PROGRESS);
    shown = inRegions(pixels, labeling, TIMES);
    // Progress never goes back.
    return draw(shown, 0, (stage, done) => checkpoint(stage, stage === 'fit' ? Math.max(FINER_PROGRESS, done) : done));
  };
  const drawing =
    fits !== undefined
      ? drawWithin(
          (level, report) => draw(found, level, report),
          fits,
          checkpoint,
          ramps?.repaint(found.finest) ?? found.finest,
        )
      : finer === undefined
        ? draw(found, 0, checkpoint)
        : (drawIf(finer.isEnough, found, 0, checkpoint) ?? drawFiner(finer.picture()));
  // A picture so small that all of it passes for specks is still no empty one.
  const isOutline = settings.colorMode === 'outline';
  if (
    fits === undefined &&
    drawing.items.length === 0 &&
    (inColor || isOutline) &&
    !changesColors(settings) &&
    isTinyAndSeen(original)
  ) {
    const stacked = settings.stacking === 'stacked' && !isOutline;
    const cells = tracePixels(source, { force: true, recover: false, stacked }).drawing;
    const shown = cells && isOutline ? { ...cells, items: outlinesOf(cells.items) } : cells;
    if (shown !== undefined) return pixelResult(picture, shown, false, gridFinding);
  }
  // What becomes flat areas and gradients is no photograph, however few of its pixels are alike.
  const isFlat = forced === undefined && choice.frontend === 'flat' && labeling.even;
  const isDrawn = kind.type === 'art' || ((smooth || isArt || isFlat) && kind.type === 'photo');
  const grain = isDrawn ? (labeling.grain ?? mended.grain) : null;
  const ofArt = isFlat && kind.type === 'photo' ? 'all but a few pixels are mixtures of a few colors' : kind.reason;
  const reason = grain === null ? ofArt : `areas are even but for grain of ${grain.toFixed(1)} levels`;
  return {
    drawing,
    pictureType: isDrawn ? artTypeOf(shown.finest) : kind.type,
    confidence: kind.confidence,
    reason: forced === undefined ? reason : `${kind.reason}; traced as the settings ask for it`,
    pixelCell: null,
    gridFinding,
    edgeBlurPx: mended.edgeBlurPx,
    haloDepth: mended.haloDepth,
    unsharpMask: mended.unsharpMask,
    stepped: mended.stepped,
    linearLight: mended.linearLight,
    grain: mended.grain,
    enlargedFrom: null,
  };
}

/** A picture in regions, before any is drawn. */
interface Found {
  readonly pixels: WorkingPixels;
  readonly labeling: Labeling;
  readonly finest: Regions;
}

/** The regions in the colors they are painted with. */
function inOwnColors(
  regions: Regions,
  given: WorkingPixels,
  settings: EngineSettings,
  ramps: FlattenedRamps | undefined,
): Regions {
  const painted = ramps?.repaint(regions) ?? regions;
  if (!settings.exactColors || settings.fixedPalette.length > 0) return painted;
  return inExactColors(painted, given, (region) => ramps?.paintsOf(painted.colors, region) !== undefined);
}

/** The finest drawing that fits; where none does, the frame in the color of the largest region. */
function drawWithin(
  draw: (level: number, report: Checkpoint) => EngineDrawing,
  fits: (drawing: EngineDrawing) => boolean,
  checkpoint: Checkpoint,
  regions: Regions,
): EngineDrawing {
  let drawn = 0;
  // Progress goes on with every drawing, and never back.
  const report = () => checkpoint('fit', drawn / MOST_DRAWINGS);
  const found = finestThatFits((level) => {
    report();
    drawn++;
    return draw(level, report);
  }, fits);
  checkpoint('write', 0);
  return found ?? drawFrame(regions);
}

/**
 * Takes smooth color changes out of the picture, where they are to be drawn as gradients and what is left is flat art; undefined
 * where there are none.
 */
function withoutRamps(
  pixels: WorkingPixels,
  flatness: Flatness,
  settings: EngineSettings,
  forced: 'flat' | 'photo' | undefined,
  layered: boolean,
): FlatRamps | undefined {
  const { gradients, colorMode } = settings;
  const inColor = colorMode === 'color' || colorMode === 'grayscale';
  const ownColors = settings.colorCount === 0 && settings.fixedPalette.length === 0;
  const wanted = gradients === 'on' || (gradients === 'auto' && forced !== 'photo');
  if (!wanted || !inColor || !ownColors) return undefined;
  const orForced = forced === 'photo' ? undefined : forced;
  const clean = () => flatArtOf(flattenRamps(pixels, settings.mergeDistance, layered), pixels, orForced);
  const isMaybeCompressed = flatness.exact >= COMPRESSED_EXACT && flatness.within4 - flatness.exact > UNEVEN_SHARE;
  // In stripes and paper that were compressed twice some of the ripples go on, as ramps do: where most is even there is nothing smooth.
  const orFine = isRippled(pixels) && flatness.exact < FLAT_EXACT;
  const compressed = () =>
    isMaybeCompressed ? flatArtOf(flattenCompressedRamps(pixels, orFine), pixels, orForced) : undefined;
  // What goes on the way it goes is so by intent. Of 18 rippled pictures that clean ramps left flat art of it was uneven every time, and compressed ones were to be tried.
  if (!isRippled(pixels)) return clean() ?? compressed();
  return compressed() ?? (orFine ? clean() : undefined);
}

interface FlatRamps {
  readonly ramps: FlattenedRamps;
  readonly choice: FrontendChoice;
}

/** Flattened ramps of a picture, where there are any and what is left is flat art. */
function flatArtOf(
  ramps: FlattenedRamps | undefined,
  source: WorkingPixels,
  forced: 'flat' | 'photo' | undefined,
): FlatRamps | undefined {
  if (ramps === undefined) return undefined;
  const choice = chooseFrontend(measureFlatness(ramps.pixels), ramps.pixels, forced, source);
  // What is left of a picture that compression has been at is rippled, however little it is.
  const damaged = choice.damaged || isRippled(source);
  return choice.frontend === 'flat' ? { ramps, choice: { ...choice, damaged } } : undefined;
}

/** Whether a picture of an icon's size shows anything at all. */
function isTinyAndSeen({ rgba, width, height }: WorkingPixels): boolean {
  if (width * height > ICON_PIXELS) return false;
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] > 0) return true;
  return false;
}

function inColorMode(picture: EnginePicture, mode: EngineSettings['colorMode']): EnginePicture {
  if (mode === 'grayscale') return toGrayscale(picture);
  if (mode === 'bw') return toGrayscale(overWhite(picture));
  return picture;
}

/** Whether the settings ask for other colors than the picture's. */
function changesColors(settings: EngineSettings): boolean {
  return settings.colorCount > 0 || settings.fixedPalette.length > 0;
}

function pixelResult(
  picture: EnginePicture,
  cells: PixelDrawing,
  forced: boolean,
  gridFinding: string | null,
): EngineResult {
  const { cell, commands, coords, items } = cells;
  return {
    drawing: { width: picture.width, height: picture.height, commands, coords, items, crispEdges: true },
    pictureType: 'pixel_art',
    confidence: forced ? 1 : 0.95,
    reason: forced ? 'the settings ask for it' : `few colors, and ${cells.finding}`,
    pixelCell: cell,
    gridFinding,
    edgeBlurPx: null,
    haloDepth: null,
    unsharpMask: null,
    stepped: false,
    linearLight: false,
    grain: null,
    enlargedFrom: null,
  };
}

/** Flat art has few colors. */
function artTypeOf({ colorOf, count }: Regions): EnginePictureType {
  const seen = new Set<number>();
  for (let r = 0; r < count; r++) seen.add(colorOf[r]);
  return seen.size <= FLAT_COLORS ? 'flat_art' : 'illustration';
}
