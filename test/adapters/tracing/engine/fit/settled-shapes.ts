import type { ChainCurves } from '#adapters/tracing/engine/fit/curves.js';
import { settleCurves } from '#adapters/tracing/engine/fit/settle.js';
import { snapAxes } from '#adapters/tracing/engine/fit/snap-axes.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { PlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { ENGINE, partsOfPicture } from '#test/support/engine-parts.js';
import type { Contour } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

export interface SettledShapes {
  readonly map: PlanarMap;
  readonly curves: ChainCurves;
}

/** The curves of dark outlines on white, each a contour by itself, as they are before regularities are looked for. */
export function settledShapes(
  width: number,
  height: number,
  outlines: readonly Contour[],
  rounds = ENGINE.settleRounds,
): SettledShapes {
  const raster = paint(
    width,
    height,
    0xffffff,
    outlines.map((outline) => layer(0x1d3557, outline)),
  );
  const { map, regions, curves, nodes } = partsOfPicture(raster, { refineRounds: 1 });
  const { rgba } = toWorkingPixels(raster);
  const settled = settleCurves(map, regions, rgba, curves, nodes, {
    rounds,
    splitPrice: ENGINE.splitPrice,
  });
  snapAxes(map, settled, nodes);
  return { map, curves: settled };
}

/** Per contour within the picture its segments' numbers. */
export function contoursOf(
  map: PlanarMap,
  { chainCount, starts, points }: ChainCurves,
): readonly (readonly number[])[] {
  const contours: number[][] = [];
  for (let c = 0; c < chainCount; c++)
    if (map.left[c]! >= 0 && map.right[c]! >= 0)
      contours.push([...points.subarray(starts[c]! * 8, starts[c + 1]! * 8)]);
  return contours;
}
