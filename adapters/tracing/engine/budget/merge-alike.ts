import { mergeRegions } from '../photo/merge-regions.js';
import { RegionGraph } from '../photo/region-graph.js';
import { changeRegions, type Regions } from '../segment/regions.js';

/**
 * The partition with every boundary gone that is worth less than `lambda` in squared error per px, cheapest first (Mumford–Shah). A union
 * has the color of its largest region, so that no color appears which was not there.
 */
export function mergeAlike(regions: Regions, lambda: number): Regions {
  const { width, height, of, count, areaPx, colors, colorOf } = regions;
  const sums = new Float64Array(count * 5);
  for (let r = 0; r < count; r++) {
    sums[r * 5] = areaPx[r];
    for (let c = 0; c < 4; c++) sums[r * 5 + 1 + c] = colors[r * 4 + c] * areaPx[r];
  }
  const graph = new RegionGraph({ labels: of, count, sums }, width, height);
  mergeRegions(graph, lambda);
  const { owners } = graph;
  const numbers = new Int32Array(count).fill(-1);
  const to = new Int32Array(count);
  const largest: number[] = [];
  for (let r = 0; r < count; r++) {
    let root = r;
    while (owners[root] !== root) root = owners[root];
    if (numbers[root] < 0) {
      numbers[root] = largest.length;
      largest.push(r);
    }
    to[r] = numbers[root];
    if (areaPx[r] > areaPx[largest[to[r]]]) largest[to[r]] = r;
  }
  const kept = largest.length;
  const merged = {
    areaPx: new Int32Array(kept),
    colors: new Float64Array(kept * 4),
    colorOf: new Int32Array(kept),
  };
  for (let r = 0; r < count; r++) merged.areaPx[to[r]] += areaPx[r];
  for (let k = 0; k < kept; k++) {
    merged.colorOf[k] = colorOf[largest[k]];
    merged.colors.set(colors.subarray(largest[k] * 4, largest[k] * 4 + 4), k * 4);
  }
  return changeRegions(regions, { ...merged, of: of.map((r) => to[r]), count: kept });
}
