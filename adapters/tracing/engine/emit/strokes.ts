import type { StrokeWriter } from '../centerline/stroke-writer.js';
import { type ChainCurves, isWholeShape, SEGMENT_LINE } from '../fit/curves.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import type { EngineShape, EngineSolidPaint, EngineStroke } from '../types.js';
import { OutlineBuffer, solidPaint } from './outline-buffer.js';
import type { Outlines } from './outlines.js';
import { wholeShape } from './whole-shapes.js';

/** Width of an outline stroke, px. */
const STROKE_WIDTH_PX = 1;

/**
 * Draws every boundary between two regions once, as a stroke in the darker one's color, and no fills. Regions that are lines themselves
 * are drawn as such, and have no boundaries.
 */
export function drawStrokes(map: PlanarMap, regions: Regions, curves: ChainCurves, lines?: StrokeWriter): Outlines {
  const out = new OutlineBuffer();
  const items: EngineShape[] = [];
  for (let c = 0; c < map.chainCount; c++) {
    if (map.left[c] < 0 || map.right[c] < 0) continue;
    if (lines?.isDrawn(map.left[c]) || lines?.isDrawn(map.right[c])) continue;
    const from = curves.starts[c];
    const to = curves.starts[c + 1];
    if (from === to) continue;
    const { points, kinds } = curves;
    const stroke = outlineStroke(solidPaint(regions.colors, darkerOf(regions.colors, map.left[c], map.right[c])));
    const common = { kind: 'shape', fill: null, stroke, visibleAreaPx: 0 } as const;
    if (isWholeShape(kinds[from])) {
      items.push({ ...common, geometry: wholeShape(kinds[from], points, from * 8) });
      continue;
    }
    const firstCommand = out.commands.length;
    const firstCoord = out.coords.length;
    out.move(points[from * 8], points[from * 8 + 1]);
    for (let s = from; s < to; s++) {
      const p = s * 8;
      if (kinds[s] === SEGMENT_LINE) out.line(points[p + 6], points[p + 7]);
      else out.cubic(points[p + 2], points[p + 3], points[p + 4], points[p + 5], points[p + 6], points[p + 7]);
    }
    if (map.startNode[c] < 0) out.close();
    const commandCount = out.commands.length - firstCommand;
    items.push({ ...common, geometry: { kind: 'path', firstCommand, commandCount, firstCoord, evenOdd: false } });
  }
  if (lines !== undefined) items.push(...lines.draw(out));
  return { ...out.finish(), items };
}

/** Shapes as their outlines only, each in the color it is filled with. */
export function outlinesOf(items: readonly EngineShape[]): EngineShape[] {
  return items.map((item) =>
    item.fill?.kind === 'solid' ? { ...item, fill: null, stroke: outlineStroke(item.fill), visibleAreaPx: 0 } : item,
  );
}

const outlineStroke = (paint: EngineSolidPaint): EngineStroke => ({
  paint,
  width: STROKE_WIDTH_PX,
  cap: 'round',
  join: 'round',
  miterLimit: 4,
  dashes: [],
  dashOffset: 0,
});

/** Of two regions the darker; one that cannot be seen loses to the other. */
function darkerOf(colors: Float64Array, a: number, b: number): number {
  const light = (r: number) => {
    const at = r * 4;
    if (colors[at + 3] < 0.5) return Infinity;
    return (0.3 * colors[at] + 0.59 * colors[at + 1] + 0.11 * colors[at + 2]) / colors[at + 3];
  };
  return light(a) <= light(b) ? a : b;
}
