import type { PlanarMap } from '../planar-map/planar-map.js';
import { changeRegions, type Regions } from '../segment/regions.js';

/**
 * The regions as they are without those lines that have one color all around: there, what they part is one. Regions keep their
 * numbers; those that are gone have no pixels. Undefined where there are no such lines.
 */
export function groundBeneath(regions: Regions, map: PlanarMap, isLine: Uint8Array): Regions | undefined {
  const { count, colorOf } = regions;
  const around = new Int32Array(count).fill(NOTHING);
  const see = (line: number, other: number) => {
    if (line < 0 || other < 0 || isLine[line] === 0) return;
    const color = isLine[other] === 1 ? SEVERAL : colorOf[other];
    around[line] = around[line] === NOTHING || around[line] === color ? color : SEVERAL;
  };
  for (let c = 0; c < map.chainCount; c++) {
    see(map.left[c], map.right[c]);
    see(map.right[c], map.left[c]);
  }
  const goes = (region: number) => region >= 0 && isLine[region] === 1 && around[region] >= 0;
  const joined = Int32Array.from({ length: count }, (_, r) => r);
  const find = (r: number): number => {
    while (joined[r] !== r) {
      joined[r] = joined[joined[r]];
      r = joined[r];
    }
    return r;
  };
  let any = false;
  for (let c = 0; c < map.chainCount; c++) {
    const left = map.left[c];
    const right = map.right[c];
    if (left < 0 || right < 0 || !(goes(left) || goes(right))) continue;
    any = true;
    // The number that stays is that of something which is no line.
    const a = find(left);
    const b = find(right);
    if (a === b) continue;
    if (isLine[a] === 1 || (isLine[b] === 0 && b < a)) joined[a] = b;
    else joined[b] = a;
  }
  if (!any) return undefined;
  const of = regions.of.map((r) => find(r));
  const areaPx = new Int32Array(count);
  for (let r = 0; r < count; r++) areaPx[find(r)] += regions.areaPx[r];
  return changeRegions(regions, { of, areaPx });
}

const NOTHING = -1;
const SEVERAL = -2;
