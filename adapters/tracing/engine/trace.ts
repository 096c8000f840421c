import { type Coarseness, coarsenessAt } from './budget/coarseness.js';
import { mergeAlike } from './budget/merge-alike.js';
import { simplifyCurves } from './budget/simplify-curves.js';
import { finestThatFits } from './budget/within-budget.js';
import { type FoundStrokes, findStrokes } from './centerline/find-strokes.js';
import { groundBeneath } from './centerline/ground-beneath.js';
import { createStrokeWriter } from './centerline/stroke-writer.js';
import { classifyPicture } from './classify/classify-picture.js';
import { ARC_PX } from './emit/arc-runs.js';
import { drawFrame, drawOutlines, type GradientsOf, type Outlines } from './emit/outlines.js';
import { stackRegions } from './emit/stacking.js';
import { drawStrokes, outlinesOf } from './emit/strokes.js';
import { withoutMargin } from './emit/without-margin.js';
import type { ChainCurves } from './fit/curves.js';
import { EXACT, measureRoughness } from './fit/edge-roughness.js';
import { type FitMap, type FitSettings, fitChains } from './fit/fit-chains.js';
import { placeNodes } from './fit/junctions.js';
import { keepSymmetry } from './fit/keep-symmetry.js';
import { repeatShapes } from './fit/repeat-shapes.js';
import { dearerBy, measureRipples, timesAsDear } from './fit/ripples.js';
import { type EdgeSamples, LONG_ROW, NO_ROW, SHORT_ROW, sampleEdges } from './fit/samples.js';
import { settleCurves } from './fit/settle.js';
import { snapAxes } from './fit/snap-axes.js';
import {
  chooseFrontend,
  FLAT_EXACT,
  type FrontendChoice,
  ICON_PIXELS,
  SMALL_PIXELS,
} from './intake/choose-frontend.js';
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
import { findLoops } from './planar-map/loops.js';
import { buildPlanarMap, type PlanarMap } from './planar-map/planar-map.js';
import { type FlattenedRamps, flattenCompressedRamps, flattenRamps } from './ramps/flatten-ramps.js';
import { absorbSpecks } from './segment/absorb-specks.js';
import { findBackground } from './segment/background.js';
import { inEvenColors } from './segment/even-colors.js';
import { inExactColors } from './segment/exact-colors.js';
import { labelPicture } from './segment/label-picture.js';
import type { Labeling } from './segment/labeling.js';
import { withMeasuredColors } from './segment/measured-colors.js';
import { changeRegions, joinRegions, type Regions } from './segment/regions.js';
import { placePixelShapes } from './shapes/place-pixel-shapes.js';
import type {
  Checkpoint,
  EngineDrawing,
  EnginePicture,
  EnginePictureType,
  EngineResult,
  EngineSettings,
} from './types.js';

/** How many times as long icons settle: what they have is all edge, curves begin far off, and there is little of it. */
const ICON_ROUNDS = 1.5;
/** And pictures of lines thinner than a pixel: either side of one holds the other back. */
const LINES_ROUNDS = 1.25;
/**
 * Rounds in which curves are fitted where none settles them, where they are noisy, and where they run over the pixels of a large picture. Elsewhere
 * one will do: what it misses of a curve that fits, settling finds, and curves that do not fit are not made to pass.
 */
const FIT_ROUNDS = 4;
const LARGE_PIXELS = 1 << 19;
/** Share of pixels equal to their neighbors below which black and white has grain, and the px of dust a step of cleanup removes there. */
const GRAINY_EXACT = 0.5;
const DUST_PX = 5;
/** From this cleanup on, grain is smoothed away, and with it what is finer than a pen. */
const GRAIN_CLEANUP = 4;
/** Share of pixels equal to their neighbors from which a picture may be one of ramps after compression. */
const COMPRESSED_EXACT = 0.08;
/** And share of those nearly equal to their neighbors, but not quite, from which it may be. */
const UNEVEN_SHARE = 0.012;
/** Colors up to which flat art is no illustration. */
const FLAT_COLORS = 24;
/** What splitting costs against noise, times what it does where there is none. */
const NOISY_SPLIT_PRICE = 2;
/** Levels of noise that move edges as far as steps do. */
const STEPPED_NOISE = 6;
/** And how many times as far as else samples may be off a whole shape there. */
const STEPPED_SHAPE_TIMES = 2;
/** Where edges are as rough as any, how many times as far arcs may be off the curves, and samples off whole shapes. */
const ROUGH_ARC_TIMES = 4;
const ROUGH_SHAPE_SHARE = 0.5;
/** Every level of noise lets specks be larger by their least area again, up to so many times. */
const MOST_SPECKS = 2;
/** Curves moved by more than this no longer follow the pixels' boundaries, px. */
const FOLLOWED_PX = 0.7;
/** Curves that will be moved by more than this need not be settled against the pixels first, px. */
const SETTLED_PX = 0.3;
/** Rounds in which each chain is refined by itself where all of them will be settled together: only against noise, else they are in vain. */
const ROUNDS_BEFORE_SETTLING = 1;
/** What is no larger is a speck in a picture of any size, unless smaller ones are asked for, px. */
const SPECK_PX = 4;
/** In pictures with noise what stands out from its ground is no speck from this area on, as strokes of letters are, px. */
const NOISY_DOT_PX = 3;
/** More than are ever made in search of one that fits. */
const MOST_DRAWINGS = 8;

/** Fits all chains of a map; where it is not given, in the calling thread. */
export type FitAllChains = (
  map: FitMap,
  samples: EdgeSamples,
  nodePositions: Float64Array,
  settings: FitSettings,
) => ChainCurves;

export interface TraceOptions {
  readonly fitAll?: FitAllChains;
  /** Whether a drawing is within what was asked for; where it is not, coarser ones are made of the same segmentation. */
  readonly fits?: (drawing: EngineDrawing) => boolean;
}

const fitHere: FitAllChains = (map, samples, nodePositions, settings) =>
  fitChains(map, samples, nodePositions, settings, 0, map.startNode.length);

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
  const inside = (drawing: EngineDrawing) => (beyond ? withoutMargin(drawing, beyond) : drawing);
  // Areas are asked for in pixels of the picture as it came; of one that was enlarged nothing smaller than its pixels is left.
  const times = blurPx === null ? 1 : (picture.width * picture.height) / (given.width * given.height);
  const areaHere = (px: number) => Math.max(px * times, Math.min(px, SPECK_PX));
  const own = {
    ...settings,
    minAreaPx: areaHere(settings.minAreaPx),
    minDetailAreaPx: areaHere(settings.minDetailAreaPx),
    minDotAreaPx: areaHere(settings.minDotAreaPx),
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
    const own = fits && ((drawing: EngineDrawing) => fits(withoutMargin(drawing, margin)));
    const result = traceWhole(
      withMargin(picture, margin),
      settings,
      checkpoint,
      own ? { ...options, fits: own } : options,
    );
    if (result.pixelCell === null) return { ...result, drawing: withoutMargin(result.drawing, margin) };
  }
  return traceWhole(picture, settings, checkpoint, options);
}

function traceWhole(
  picture: EnginePicture,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  { fitAll = fitHere, fits }: TraceOptions,
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
  // Where there were steps edges are as uncertain as noise makes them, and nothing else is.
  const guessed = mended.stepped && labeling.even ? { noise: STEPPED_NOISE, ...labeling, stepped: true } : labeling;
  const isArt = labeling.noise !== undefined;
  const merged = joinRegions(
    labeling.labels,
    pixels.width,
    pixels.height,
    pixels.rgba,
    labeling.channels,
    labeling.pen?.color,
  );
  const isClean = labeling.even && !isArt && inColor && !changesColors(settings) && ramps === undefined;
  const joined = isClean ? inEvenColors(merged, pixels) : merged;
  checkpoint('fit', 0);
  const leastAreaPx = original.words.length <= ICON_PIXELS ? settings.minDetailAreaPx : settings.minAreaPx;
  const noiseAreaPx = Math.min(leastAreaPx, settings.noiseAreaPx) * (1 + Math.min(MOST_SPECKS, labeling.noise ?? 0));
  const speckPx = Math.max(leastAreaPx, noiseAreaPx);
  // Dots of a px or two are dust in what is noisy.
  const hasDots = labeling.even && !isArt && !grainy;
  const dotAreaPx = original.words.length <= SMALL_PIXELS ? settings.minDotAreaPx : settings.minDetailAreaPx;
  const leastDotPx = hasDots ? dotAreaPx : isArt && !grainy ? Math.max(leastAreaPx, NOISY_DOT_PX) : undefined;
  const dots =
    leastDotPx === undefined
      ? undefined
      : {
          minAreaPx: leastDotPx,
          minAloneAreaPx: hasDots ? settings.minDotAreaPx : leastDotPx,
          isClean: hasDots,
          rgba: pixels.rgba,
        };
  const finest = absorbSpecks(joined, grainy ? Math.max(speckPx, settings.cleanup * DUST_PX) : speckPx, dots);
  const draw = (level: number, report: Checkpoint): EngineDrawing => {
    const coarseness = level === 0 ? undefined : coarsenessAt(level);
    const regions = coarseness === undefined ? finest : mergeAlike(finest, coarseness.lambda);
    const measured = labeling.found === undefined ? regions : withMeasuredColors(regions, labeling.found);
    const painted = inOwnColors(regions, given, settings, ramps);
    const outlines = outline(
      pixels,
      guessed,
      regions,
      measured,
      painted,
      settings,
      report,
      fitAll,
      ramps?.paintsOf,
      coarseness,
      grainy || isArt,
    );
    return { width: picture.width, height: picture.height, ...outlines, crispEdges: false };
  };
  const drawing =
    fits === undefined ? draw(0, checkpoint) : drawWithin(draw, fits, checkpoint, ramps?.repaint(finest) ?? finest);
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
  const isDrawn = kind.type === 'art' || ((smooth || isArt) && kind.type === 'photo');
  const grain = isDrawn ? (labeling.grain ?? mended.grain) : null;
  const reason = grain === null ? kind.reason : `areas are even but for grain of ${grain.toFixed(1)} levels`;
  return {
    drawing,
    pictureType: isDrawn ? artTypeOf(finest) : kind.type,
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

/**
 * From regions to curves: boundaries once, sub-pixel edges, fitted and refined, then drawn. `measured` are the regions in the
 * picture's colors, by which edges are placed, `paint` in those that are drawn.
 */
function outline(
  pixels: WorkingPixels,
  labeling: Labeling,
  regions: Regions,
  measured: Regions,
  paint: Regions,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  fitAll: FitAllChains,
  gradientsOf: GradientsOf | undefined,
  coarseness: Coarseness | undefined,
  grainy: boolean,
): Outlines {
  const { settleRounds, splitPrice } = settings;
  const isClose = coarseness === undefined || coarseness.tolerancePx < SETTLED_PX;
  const settles = labeling.even && isClose && settleRounds > 0;
  const isNoisy = labeling.noise !== undefined;
  const fitting = fitSettingsOf(settings);
  const before = isNoisy ? ROUNDS_BEFORE_SETTLING : 0;
  const isIcon = regions.of.length <= ICON_PIXELS;
  const rounds = Math.ceil(settleRounds * (isIcon ? ICON_ROUNDS : labeling.pen === undefined ? 1 : LINES_ROUNDS));
  const refineRounds = settles ? Math.min(fitting.refineRounds, before) : fitting.refineRounds;
  const isPlain = settles && !isNoisy && regions.of.length <= LARGE_PIXELS;
  const fitRounds = isPlain ? 1 : FIT_ROUNDS;
  const isClean = labeling.even && !isNoisy;
  const price = coarseness !== undefined ? Infinity : isNoisy ? splitPrice * NOISY_SPLIT_PRICE : splitPrice;
  let roughness = EXACT;
  const settled = (map: PlanarMap): ChainCurves => {
    // The middles of lines are told by how straight their sides are, and regions of photographs are ragged.
    const isWary = isNoisy || settings.centerline;
    const leastInRow = !labeling.even ? NO_ROW : isWary ? LONG_ROW : SHORT_ROW;
    const samples = sampleEdges(map, measured, pixels.rgba, leastInRow, labeling.pen);
    const nodes = placeNodes(map, samples, isNoisy);
    if (isClean) roughness = measureRoughness(map, samples, measured);
    checkpoint('fit', 0.2);
    const ripples = labeling.noise === undefined ? undefined : measureRipples(map, measured, labeling.noise);
    const shapeTimes = labeling.stepped ? STEPPED_SHAPE_TIMES : 1 + ROUGH_SHAPE_SHARE * roughness.share;
    const drawn = fitAll(map, samples, nodes, { ...fitting, fitRounds, refineRounds, ripples, isClean, shapeTimes });
    const mayBeRound = settings.primitives && !settings.straightOnly;
    const isProvable = isClean && !settings.centerline;
    const { curves: fitted, proven } = isProvable
      ? placePixelShapes(map, measured, pixels.rgba, drawn, nodes, mayBeRound)
      : { curves: drawn, proven: undefined };
    if (!settles) return fitted;
    const shaded = gradientsOf && Uint8Array.from(paint.areaPx, (_, r) => (gradientsOf(paint.colors, r) ? 1 : 0));
    const free = settleCurves(map, measured, pixels.rgba, fitted, nodes, {
      rounds,
      splitPrice: price,
      ripples,
      proven,
      shaded,
      roughness,
    });
    snapAxes(map, free, nodes);
    return keepSymmetry(map, repeatShapes(map, free));
  };
  let map = buildPlanarMap(regions);
  let loops = findLoops(map);
  let edges = settled(map);
  let shown = regions;
  const painted = settings.colorMode === 'bw' ? toPureBlackAndWhite(paint) : paint;
  const hidden = settings.removeBackground ? findBackground(regions) : new Uint8Array(regions.count);
  let found: FoundStrokes | undefined;
  // The tones of a photograph lie in bands, which are no lines.
  const hasLines = labeling.even || settings.colorMode === 'bw';
  if (hasLines && (settings.centerline || settings.colorMode === 'outline')) {
    found = findStrokes(regions, loops, edges, hidden);
    const beneath = groundBeneath(regions, map, found.isDrawn);
    if (beneath !== undefined) {
      shown = beneath;
      map = buildPlanarMap(beneath);
      loops = findLoops(map);
      edges = settled(map);
    }
  }
  const strokes =
    found && createStrokeWriter(found, painted, dearerBy(timesAsDear(labeling.noise ?? 0), fitting), grainy);
  const curves =
    coarseness === undefined ? edges : simplifyCurves(map, edges, coarseness.tolerancePx, settings.straightOnly);
  checkpoint('write', 0);
  if (settings.colorMode === 'outline') return drawStrokes(map, painted, curves, strokes);
  const stacked = settings.stacking === 'stacked';
  const hasGradient = (region: number) => gradientsOf?.(painted.colors, region) !== undefined;
  const drawn = changeRegions(painted, { of: shown.of, areaPx: shown.areaPx });
  const stacking = stackRegions(map, loops, drawn, hidden, !stacked, hasGradient, found?.isDrawn);
  return drawOutlines(map, loops, drawn, stacking, curves, stacked, {
    gradientsOf,
    simplified: (coarseness?.tolerancePx ?? 0) > FOLLOWED_PX,
    gapCleanup: settings.gapCleanup,
    arcPx: settings.arcs && !settings.straightOnly ? ARC_PX * (1 + ROUGH_ARC_TIMES * roughness.share) : undefined,
    areTones: !hasLines,
    strokes,
  });
}

/** Only what fitting reads: it may have to travel to another thread. */
function fitSettingsOf(settings: EngineSettings): FitSettings {
  const { tolerancePx, cornerPx, segmentPrice, refineRounds, primitives, straightOnly } = settings;
  return { tolerancePx, cornerPx, segmentPrice, fitRounds: FIT_ROUNDS, refineRounds, primitives, straightOnly };
}

/** Ink and paper as measured place the edges; black and white are what is drawn. */
function toPureBlackAndWhite(regions: Regions): Regions {
  const colors = Float64Array.from(regions.colors);
  for (let r = 0; r < regions.count; r++) {
    const level = regions.colorOf[r] === 1 ? 255 : 0;
    colors[r * 4] = colors[r * 4 + 1] = colors[r * 4 + 2] = level;
  }
  return changeRegions(regions, { colors });
}

/** Flat art has few colors. */
function artTypeOf({ colorOf, count }: Regions): EnginePictureType {
  const seen = new Set<number>();
  for (let r = 0; r < count; r++) seen.add(colorOf[r]);
  return seen.size <= FLAT_COLORS ? 'flat_art' : 'illustration';
}
