import { type ChainCurves, isWholeShape, SEGMENT_LINE } from '../fit/curves.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { EnginePaint, EngineShape } from '../types.js';
import type { OutlineBuffer } from './outline-buffer.js';
import type { Stacking } from './stacking.js';
import { drawWholeShape } from './whole-shapes.js';

/** An underlap lies under every pixel that an edge crosses at the picture's own size, and at larger ones; a stroke under most of it. */
const UNDERLAP_PX = 2.8;
const STROKE_PX = 1.2;

/**
 * Strokes to lie beneath shapes that were cut out of one another, along every boundary that two of them share: what shows between
 * two anti-aliased edges is then one of their colors and not the ground. Nothing is laid along what can be seen through, and
 * at the picture's border or beside nothing the stroke ends where the boundary does. One path for each color.
 *
 * With `underlap` a stroke has the color of the neighbor painted first, as if that went on a little; else it is thin, in that of the larger.
 */
export function drawGapStrokes(
  out: OutlineBuffer,
  map: PlanarMap,
  curves: ChainCurves,
  stacking: Stacking,
  areaPx: Int32Array,
  underlap: boolean,
  paintOf: (region: number) => EnginePaint,
): EngineShape[] {
  const { rank, solid } = stacking;
  const open = openNodes(map, stacking);
  const chainsOf = new Map<string, { readonly region: number; readonly round: boolean; readonly chains: number[] }>();
  for (let c = 0; c < map.chainCount; c++) {
    const a = map.left[c];
    const b = map.right[c];
    if (a < 0 || b < 0 || solid[a] === 0 || solid[b] === 0 || curves.starts[c] === curves.starts[c + 1]) continue;
    const first = rank[a] < rank[b] ? a : b;
    const region = underlap || areaPx[a] === areaPx[b] ? first : areaPx[a] > areaPx[b] ? a : b;
    // A round end covers where boundaries meet; where one of them is seen through, it would stand out.
    const round = map.startNode[c] < 0 || (open[map.startNode[c]] === 0 && open[map.endNode[c]] === 0);
    const key = `${JSON.stringify(paintOf(region))}${round}`;
    const group = chainsOf.get(key);
    if (group === undefined) chainsOf.set(key, { region, round, chains: [c] });
    else group.chains.push(c);
  }
  const items: EngineShape[] = [];
  for (const { region, round, chains } of chainsOf.values()) {
    const firstCommand = out.commands.length;
    const firstCoord = out.coords.length;
    for (const c of chains) drawChain(out, map, curves, c);
    items.push({
      kind: 'shape',
      geometry: {
        kind: 'path',
        firstCommand,
        commandCount: out.commands.length - firstCommand,
        firstCoord,
        evenOdd: false,
      },
      fill: null,
      stroke: {
        paint: paintOf(region),
        width: underlap ? UNDERLAP_PX : STROKE_PX,
        cap: round ? 'round' : 'butt',
        join: 'round',
        miterLimit: 4,
        dashes: [],
        dashOffset: 0,
      },
      visibleAreaPx: 0,
    });
  }
  return items;
}

/** Per node: can be seen through on one of its sides. */
function openNodes(map: PlanarMap, { solid }: Stacking): Uint8Array {
  const open = new Uint8Array(map.nodes.length);
  for (let c = 0; c < map.chainCount; c++) {
    if (map.startNode[c] < 0) continue;
    for (const side of [map.left[c], map.right[c]]) {
      if (side >= 0 && solid[side] === 0) open[map.startNode[c]] = open[map.endNode[c]] = 1;
    }
  }
  return open;
}

function drawChain(out: OutlineBuffer, map: PlanarMap, { starts, kinds, points }: ChainCurves, chain: number): void {
  const from = starts[chain];
  if (isWholeShape(kinds[from])) {
    drawWholeShape(out, kinds[from], points, from * 8, false);
    out.close();
    return;
  }
  out.move(points[from * 8], points[from * 8 + 1]);
  for (let s = from; s < starts[chain + 1]; s++) {
    const p = s * 8;
    if (kinds[s] === SEGMENT_LINE) out.line(points[p + 6], points[p + 7]);
    else out.cubic(points[p + 2], points[p + 3], points[p + 4], points[p + 5], points[p + 6], points[p + 7]);
  }
  if (map.startNode[chain] < 0) out.close();
}
