import { drawOutlines } from './emit/outlines.js';
import { stackRegions } from './emit/stacking.js';
import { fitChains } from './fit/fit-chains.js';
import { placeNodes } from './fit/junctions.js';
import { sampleEdges } from './fit/samples.js';
import { toWorkingPixels, type WorkingPixels } from './intake/working-pixels.js';
import { findLoops } from './planar-map/loops.js';
import { buildPlanarMap } from './planar-map/planar-map.js';
import { choosePalette } from './quantize/palette.js';
import { absorbSpecks } from './segment/absorb-specks.js';
import { labelFlat } from './segment/label-flat.js';
import { joinRegions, type Regions } from './segment/regions.js';
import type { Checkpoint, EnginePicture, EngineResult, EngineSettings } from './types.js';

/** Interior pixels a color must have to be in the palette. */
const LEAST_COLOR_COUNT = 2;

/** Traces a picture. Deterministic to the byte; throws RangeError on sizes that do not agree, and whatever `checkpoint` throws. */
export function trace(picture: EnginePicture, settings: EngineSettings, checkpoint: Checkpoint): EngineResult {
  checkpoint('segment', 0);
  const pixels = toWorkingPixels(picture);
  const regions = segmentFlat(pixels, settings);
  checkpoint('fit', 0.4);
  const map = buildPlanarMap(regions);
  const loops = findLoops(map);
  const samples = sampleEdges(map, regions, pixels.rgba);
  const nodes = placeNodes(map, samples);
  const curves = fitChains(map, samples, nodes, settings, 0, map.chainCount);
  checkpoint('write', 0.9);
  const stacked = settings.stacking === 'stacked';
  const stacking = stackRegions(map, loops, regions, !stacked);
  const outlines = drawOutlines(map, loops, regions, stacking, curves, stacked);
  return {
    drawing: { width: picture.width, height: picture.height, ...outlines, crispEdges: false },
    frontend: 'flat',
    confidence: 1,
    reason: '',
    pixelCell: null,
  };
}

function segmentFlat(pixels: WorkingPixels, settings: EngineSettings): Regions {
  const palette = choosePalette(pixels, settings.mergeDistance, LEAST_COLOR_COUNT);
  const labels = labelFlat(pixels, palette);
  const joined = joinRegions(labels, pixels.width, pixels.height, pixels.rgba, palette.channels);
  return absorbSpecks(joined, settings.minAreaPx);
}
