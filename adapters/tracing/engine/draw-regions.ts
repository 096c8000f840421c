import type { Coarseness } from './budget/coarseness.js';
import { simplifyCurves } from './budget/simplify-curves.js';
import { type FoundStrokes, findStrokes } from './centerline/find-strokes.js';
import { groundBeneath } from './centerline/ground-beneath.js';
import { createStrokeWriter } from './centerline/stroke-writer.js';
import { ARC_PX } from './emit/arc-runs.js';
import { drawOutlines, type GradientsOf, type Outlines } from './emit/outlines.js';
import { stackRegions } from './emit/stacking.js';
import { drawStrokes } from './emit/strokes.js';
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
import { ICON_PIXELS } from './intake/choose-frontend.js';
import type { WorkingPixels } from './intake/working-pixels.js';
import { findLoops } from './planar-map/loops.js';
import { buildPlanarMap, type PlanarMap } from './planar-map/planar-map.js';
import { findBackground } from './segment/background.js';
import type { Labeling } from './segment/labeling.js';
import { changeRegions, type Regions } from './segment/regions.js';
import { placePixelShapes } from './shapes/place-pixel-shapes.js';
import type { Checkpoint, EngineSettings } from './types.js';

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
/** What splitting costs against noise, times what it does where there is none. */
const NOISY_SPLIT_PRICE = 2;
/** Where there were steps, how many times as far as else samples may be off a whole shape. */
const STEPPED_SHAPE_TIMES = 2;
/** Where edges are as rough as any, how many times as far arcs may be off the curves, and samples off whole shapes. */
const ROUGH_ARC_TIMES = 4;
const ROUGH_SHAPE_SHARE = 0.5;
/** Curves moved by more than this no longer follow the pixels' boundaries, px. */
const FOLLOWED_PX = 0.7;
/** Curves that will be moved by more than this need not be settled against the pixels first, px. */
const SETTLED_PX = 0.3;
/** Rounds in which each chain is refined by itself where all of them will be settled together: only against noise, else they are in vain. */
const ROUNDS_BEFORE_SETTLING = 1;

/** Fits all chains of a map; where it is not given, in the calling thread. */
export type FitAllChains = (
  map: FitMap,
  samples: EdgeSamples,
  nodePositions: Float64Array,
  settings: FitSettings,
) => ChainCurves;

/** What is to be drawn. */
export interface Segmented {
  readonly pixels: WorkingPixels;
  readonly labeling: Labeling;
  readonly regions: Regions;
  /** The regions in the picture's colors, by which edges are placed. */
  readonly measured: Regions;
  /** And in those that are drawn. */
  readonly paint: Regions;
}

export interface DrawOptions {
  readonly fitAll: FitAllChains | undefined;
  readonly gradientsOf: GradientsOf | undefined;
  readonly coarseness: Coarseness | undefined;
  readonly grainy: boolean;
  /** Whether the drawing is wanted where settling leaves so many squares of levels along the edges. */
  readonly isWanted: ((left: number) => boolean) | undefined;
}

const fitHere: FitAllChains = (map, samples, nodePositions, settings) =>
  fitChains(map, samples, nodePositions, settings, 0, map.startNode.length);

/**
 * From regions to curves: boundaries once, sub-pixel edges, fitted and refined, then drawn. Undefined where they are settled and the drawing
 * is not wanted.
 */
export function drawRegions(
  { pixels, labeling, regions, measured, paint }: Segmented,
  settings: EngineSettings,
  checkpoint: Checkpoint,
  { fitAll = fitHere, gradientsOf, coarseness, grainy, isWanted }: DrawOptions,
): Outlines | undefined {
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
  let left = 0;
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
      onSettled: (squares) => {
        left = squares;
      },
    });
    snapAxes(map, free, nodes);
    return keepSymmetry(map, repeatShapes(map, free));
  };
  let map = buildPlanarMap(regions);
  let loops = findLoops(map);
  let edges = settled(map);
  if (isWanted?.(left) === false) return undefined;
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
