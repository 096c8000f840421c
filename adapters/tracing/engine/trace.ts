import { type Coarseness, coarsenessAt } from './budget/coarseness.js';
import { mergeAlike } from './budget/merge-alike.js';
import { simplifyCurves } from './budget/simplify-curves.js';
import { finestThatFits } from './budget/within-budget.js';
import { drawFrame, drawOutlines, type GradientOf, type Outlines } from './emit/outlines.js';
import { stackRegions } from './emit/stacking.js';
import { drawStrokes } from './emit/strokes.js';
import type { ChainCurves } from './fit/curves.js';
import { type FitMap, type FitSettings, fitChains } from './fit/fit-chains.js';
import { placeNodes } from './fit/junctions.js';
import { type EdgeSamples, sampleEdges } from './fit/samples.js';
import { settleCurves } from './fit/settle.js';
import { chooseFrontend, type FrontendChoice } from './intake/choose-frontend.js';
import { overWhite, toGrayscale } from './intake/color-mode.js';
import { toWorkingPixels, type WorkingPixels } from './intake/working-pixels.js';
import { mayBePixelArt } from './pixel/is-pixel-art.js';
import { restrictPixels } from './pixel/restrict-pixels.js';
import { type PixelDrawing, tracePixels } from './pixel/trace-pixels.js';
import { findLoops } from './planar-map/loops.js';
import { buildPlanarMap } from './planar-map/planar-map.js';
import { type FlattenedRamps, flattenRamps } from './ramps/flatten-ramps.js';
import { absorbSpecks } from './segment/absorb-specks.js';
import { findBackground } from './segment/background.js';
import { inExactColors } from './segment/exact-colors.js';
import { type Labeling, labelBlackAndWhite, labelDamagedArt, labelFlatArt, labelPhoto } from './segment/labeling.js';
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

/** Squared error a px of boundary is worth in flat art that compression has been at, as a share of a photograph's. */
const DAMAGED_LAMBDA_SHARE = 0.5;
/** Colors up to which flat art is no illustration. */
const FLAT_COLORS = 24;
/** Curves moved by more than this no longer follow the pixels' boundaries, px. */
const FOLLOWED_PX = 0.7;
/** Curves that will be moved by more than this need not be settled against the pixels first, px. */
const SETTLED_PX = 0.3;
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
 * Traces a picture. Deterministic to the byte. Throws RangeError on sizes that do not agree, and whatever `checkpoint` throws.
 */
export function trace(
  picture: EnginePicture,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  { fitAll = fitHere, fits }: TraceOptions = {},
): EngineResult {
  checkpoint('recover', 0);
  const source = inColorMode(picture, settings.colorMode);
  const original = toWorkingPixels(source);
  const forced = settings.frontend === 'flat' || settings.frontend === 'photo' ? settings.frontend : undefined;
  const flattened = settings.frontend === 'pixel' ? undefined : withoutRamps(original, settings, forced);
  const drawsCells =
    settings.frontend === 'pixel' ||
    (settings.frontend === 'auto' && flattened === undefined && mayBePixelArt(original.runs));
  const inColor = settings.colorMode === 'color' || settings.colorMode === 'grayscale';
  if (drawsCells && inColor && !settings.removeBackground) {
    const isForced = settings.frontend === 'pixel';
    const own = tracePixels(source, isForced);
    const cells =
      own !== undefined && changesColors(settings) ? tracePixels(restrictPixels(source, settings), true) : own;
    if (cells !== undefined) {
      const result = pixelResult(picture, cells, settings.frontend === 'pixel');
      if (fits === undefined || fits(result.drawing)) return result;
    }
  }
  checkpoint('segment', 0);
  const ramps = flattened?.ramps;
  const choice = flattened?.choice ?? chooseFrontend(original, forced);
  const pixels = ramps?.pixels ?? original;
  const labeling = label(pixels, settings, choice);
  const joined = joinRegions(labeling.labels, pixels.width, pixels.height, pixels.rgba, labeling.channels);
  checkpoint('fit', 0);
  const finest = absorbSpecks(joined, settings.minAreaPx);
  const draw = (level: number, report: Checkpoint): EngineDrawing => {
    const coarseness = level === 0 ? undefined : coarsenessAt(level);
    const regions = coarseness === undefined ? finest : mergeAlike(finest, coarseness.lambda);
    const measured = labeling.found === undefined ? regions : withMeasuredColors(regions, labeling.found);
    const painted = inOwnColors(regions, original, settings, ramps);
    const outlines = outline(
      pixels,
      labeling,
      regions,
      measured,
      painted,
      settings,
      report,
      fitAll,
      ramps?.paintOf,
      coarseness,
    );
    return { width: picture.width, height: picture.height, ...outlines, crispEdges: false };
  };
  const drawing =
    fits === undefined ? draw(0, checkpoint) : drawWithin(draw, fits, checkpoint, ramps?.repaint(finest) ?? finest);
  return {
    drawing,
    pictureType: typeOf(finest, choice),
    confidence: choice.confidence,
    reason: choice.reason,
    pixelCell: null,
  };
}

/** The regions in the colors they are painted with. */
function inOwnColors(
  regions: Regions,
  picture: WorkingPixels,
  settings: EngineSettings,
  ramps: FlattenedRamps | undefined,
): Regions {
  const painted = ramps?.repaint(regions) ?? regions;
  if (!settings.exactColors || settings.fixedPalette.length > 0) return painted;
  return inExactColors(painted, picture, (region) => ramps?.paintOf(painted.colors, region) !== undefined);
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
  settings: EngineSettings,
  forced: 'flat' | 'photo' | undefined,
): { readonly ramps: FlattenedRamps; readonly choice: FrontendChoice } | undefined {
  const { gradients, colorMode } = settings;
  const inColor = colorMode === 'color' || colorMode === 'grayscale';
  const ownColors = settings.colorCount === 0 && settings.fixedPalette.length === 0;
  const wanted = gradients === 'on' || (gradients === 'auto' && forced !== 'photo');
  if (!wanted || !inColor || !ownColors) return undefined;
  const ramps = flattenRamps(pixels, settings.mergeDistance);
  if (ramps === undefined) return undefined;
  const choice = chooseFrontend(ramps.pixels, forced === 'photo' ? undefined : forced);
  return choice.frontend === 'flat' ? { ramps, choice } : undefined;
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

function pixelResult(picture: EnginePicture, cells: PixelDrawing, forced: boolean): EngineResult {
  const { cell, commands, coords, items } = cells;
  const found = `few colors on a grid of ${cell} px cells, with no mixtures along their edges`;
  return {
    drawing: { width: picture.width, height: picture.height, commands, coords, items, crispEdges: true },
    pictureType: 'pixel_art',
    confidence: forced ? 1 : 0.95,
    reason: forced ? 'the settings ask for it' : found,
    pixelCell: cell,
  };
}

/** Decides which pixels belong together. */
function label(pixels: WorkingPixels, settings: EngineSettings, choice: FrontendChoice): Labeling {
  if (settings.colorMode === 'bw') return labelBlackAndWhite(pixels);
  const flat = choice.frontend === 'flat' ? labelFlatArt(pixels, settings) : undefined;
  if (flat !== undefined) return flat;
  const damaged = choice.damaged ? labelDamagedArt(pixels, settings) : undefined;
  if (damaged !== undefined) return damaged;
  const lambda = settings.photoLambda * (choice.damaged ? DAMAGED_LAMBDA_SHARE : 1);
  return labelPhoto(pixels, settings, lambda);
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
  gradientOf: GradientOf | undefined,
  coarseness: Coarseness | undefined,
): Outlines {
  const map = buildPlanarMap(regions);
  const loops = findLoops(map);
  const samples = sampleEdges(map, measured, pixels.rgba);
  const nodes = placeNodes(map, samples);
  checkpoint('fit', 0.2);
  const fitted = fitAll(map, samples, nodes, fitSettingsOf(settings));
  const isClose = coarseness === undefined || coarseness.tolerancePx < SETTLED_PX;
  if (labeling.even && isClose) settleCurves(map, measured, pixels.rgba, fitted, nodes, settings.settleRounds);
  const curves =
    coarseness === undefined ? fitted : simplifyCurves(map, fitted, coarseness.tolerancePx, settings.straightOnly);
  checkpoint('write', 0);
  const painted = settings.colorMode === 'bw' ? toPureBlackAndWhite(paint) : paint;
  if (settings.colorMode === 'outline') return drawStrokes(map, painted, curves);
  const hidden = settings.removeBackground ? findBackground(regions) : new Uint8Array(regions.count);
  const stacked = settings.stacking === 'stacked';
  const stacking = stackRegions(map, loops, regions, hidden, !stacked);
  return drawOutlines(map, loops, painted, stacking, curves, stacked, {
    gradientOf,
    simplified: (coarseness?.tolerancePx ?? 0) > FOLLOWED_PX,
    gapCleanup: settings.gapCleanup,
  });
}

/** Only what fitting reads: it may have to travel to another thread. */
function fitSettingsOf(settings: EngineSettings): FitSettings {
  const { tolerancePx, cornerPx, segmentPrice, refineRounds, primitives, straightOnly } = settings;
  return { tolerancePx, cornerPx, segmentPrice, refineRounds, primitives, straightOnly };
}

/** Ink and paper as measured place the edges; black and white are what is drawn. */
function toPureBlackAndWhite(regions: Regions): Regions {
  const colors = Float64Array.from(regions.colors);
  for (let r = 0; r < regions.count; r++) {
    const level = regions.colorOf[r] === 1 ? 255 : 0;
    colors[r * 4] = colors[r * 4 + 1] = colors[r * 4 + 2] = level;
  }
  return { ...regions, colors };
}

function typeOf(regions: Regions, choice: FrontendChoice): EnginePictureType {
  if (choice.frontend === 'photo' && !choice.damaged) return 'photo';
  const { colors, colorOf, count } = regions;
  const seen = new Set<number>();
  let gray = true;
  for (let r = 0; r < count; r++) {
    seen.add(colorOf[r]);
    const at = r * 4;
    if (Math.abs(colors[at] - colors[at + 1]) > 8 || Math.abs(colors[at + 1] - colors[at + 2]) > 8) gray = false;
  }
  if (seen.size <= 2 && gray) return 'line_art';
  return seen.size <= FLAT_COLORS ? 'flat_art' : 'illustration';
}
