import type { ChainCurves } from '#adapters/tracing/engine/fit/curves.js';
import { type FitSettings, fitChains } from '#adapters/tracing/engine/fit/fit-chains.js';
import { placeNodes } from '#adapters/tracing/engine/fit/junctions.js';
import { type EdgeSamples, sampleEdges } from '#adapters/tracing/engine/fit/samples.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findLoops, type Loops } from '#adapters/tracing/engine/planar-map/loops.js';
import { buildPlanarMap, type PlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { absorbSpecks } from '#adapters/tracing/engine/segment/absorb-specks.js';
import { labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import { joinRegions, type Regions } from '#adapters/tracing/engine/segment/regions.js';
import type { EngineSettings } from '#adapters/tracing/engine/types.js';
import type { Raster } from '#application/ports/tracer.js';

const SET = {
  tolerancePx: 0.42,
  cornerPx: 0.34,
  segmentPrice: 1,
  refineRounds: 2,
  primitives: true,
  straightOnly: false,
};

export const FIT: FitSettings = { ...SET, fitRounds: 1, isClean: true };

/** The engine's settings as the defaults of the settings table make them, but that pictures are drawn in their own pixels. */
export const ENGINE: EngineSettings = {
  ...SET,
  settleRounds: 8,
  splitPrice: 1,
  finerFrom: Infinity,
  frontend: 'auto',
  colorMode: 'color',
  centerline: false,
  minAreaPx: 4,
  minDetailAreaPx: 2,
  minDotAreaPx: 1,
  noiseAreaPx: 4,
  mergeDistance: 0.02,
  exactColors: false,
  colorCount: 0,
  fixedPalette: [],
  photoLambda: 900,
  mostRegions: 1 << 17,
  cleanup: 2,
  sharpen: false,
  gradients: 'auto',
  stacking: 'stacked',
  gapCleanup: 'off',
  removeBackground: false,
  recoverPixelGrid: false,
  arcs: true,
};

export type Rgba = readonly [number, number, number, number];

/** Premultiplied colors of the letters that label maps are written in; `.` is nothing. */
export const LETTER_COLORS: Readonly<Record<string, Rgba>> = {
  '.': [0, 0, 0, 0],
  a: [230, 57, 70, 255],
  b: [29, 53, 87, 255],
  c: [244, 196, 48, 255],
  d: [42, 157, 143, 255],
  e: [255, 255, 255, 255],
  h: [100, 20, 20, 128],
};

export interface LetteredPicture {
  readonly width: number;
  readonly height: number;
  readonly labels: Int32Array;
  readonly channels: Float64Array;
  /** Premultiplied pixels. */
  readonly rgba: Uint8Array;
}

/** Labels and pixels from rows of letters; labels number the letters in the order of `LETTER_COLORS`. */
export function lettered(rows: readonly string[]): LetteredPicture {
  const names = Object.keys(LETTER_COLORS);
  const width = rows[0]!.length;
  const height = rows.length;
  const labels = new Int32Array(width * height);
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < labels.length; i++) {
    const letter = rows[Math.floor(i / width)]![i % width]!;
    labels[i] = names.indexOf(letter);
    if (labels[i]! < 0) throw new RangeError(`no color is known for ${letter}`);
    rgba.set(LETTER_COLORS[letter]!, i * 4);
  }
  return { width, height, labels, rgba, channels: Float64Array.from(Object.values(LETTER_COLORS).flat()) };
}

/** `line` is the letter of lines that go on across corners. */
export function regionsOf(rows: readonly string[], line = ''): Regions {
  const { labels, width, height, rgba, channels } = lettered(rows);
  return joinRegions(labels, width, height, rgba, channels, Object.keys(LETTER_COLORS).indexOf(line));
}

export interface EngineParts {
  readonly regions: Regions;
  readonly map: PlanarMap;
  readonly loops: Loops;
  readonly samples: EdgeSamples;
  readonly nodes: Float64Array;
  readonly curves: ChainCurves;
}

/** Everything from regions to curves. */
export function partsOfRegions(regions: Regions, rgba: Uint8Array, fit: Partial<FitSettings> = {}): EngineParts {
  const map = buildPlanarMap(regions);
  const loops = findLoops(map);
  const samples = sampleEdges(map, regions, rgba);
  const nodes = placeNodes(map, samples);
  const curves = fitChains(map, samples, nodes, { ...FIT, ...fit }, 0, map.chainCount);
  return { regions, map, loops, samples, nodes, curves };
}

export const partsOfLetters = (rows: readonly string[], fit: Partial<FitSettings> = {}): EngineParts =>
  partsOfRegions(regionsOf(rows), lettered(rows).rgba, fit);

/** Flat art from pixels to curves, as the flat front end goes. */
export function partsOfPicture(raster: Raster, fit: Partial<FitSettings> = {}, minAreaPx = 4): EngineParts {
  const pixels = toWorkingPixels(raster);
  const palette = choosePalette(pixels, ENGINE.mergeDistance, 2);
  const { labels } = labelFlat(pixels, palette);
  const joined = joinRegions(labels, raster.width, raster.height, pixels.rgba, palette.channels);
  return partsOfRegions(absorbSpecks(joined, minAreaPx), pixels.rgba, fit);
}
