import type { PlanarMap } from '../planar-map/planar-map.js';
import type { EdgeSamples } from './samples.js';

/** Samples of each incident chain that a node's position is taken from, and those skipped next to the node. */
const USED_SAMPLES = 6;
const SKIPPED_SAMPLES = 1;
/** How strongly a node is held to its lattice vertex, beside unit weight for each incident line. */
const LATTICE_WEIGHT = 0.15;
/** A node found farther than this from its lattice vertex is not believed. */
const FARTHEST_PX = 1.2;

/**
 * The sub-pixel positions of the nodes, x and y in turn: where the lines through the first samples of the incident chains
 * meet, in the least squares sense. Nodes on the picture's border stay on it.
 */
export function placeNodes(map: PlanarMap, samples: EdgeSamples): Float64Array {
  const { nodes, width, height, chainCount } = map;
  const stride = width + 1;
  const count = nodes.length;
  const positions = new Float64Array(count * 2);
  // Normal equations per node: sum of n n^T and of n (n . p) over incident lines.
  const xx = new Float64Array(count).fill(LATTICE_WEIGHT);
  const xy = new Float64Array(count);
  const yy = new Float64Array(count).fill(LATTICE_WEIGHT);
  const px = new Float64Array(count);
  const py = new Float64Array(count);
  for (let n = 0; n < count; n++) {
    const y = Math.floor(nodes[n] / stride);
    px[n] = LATTICE_WEIGHT * (nodes[n] - y * stride);
    py[n] = LATTICE_WEIGHT * y;
  }
  for (let c = 0; c < chainCount; c++) {
    if (map.startNode[c] < 0 || map.left[c] < 0 || map.right[c] < 0) continue;
    for (let end = 0; end < 2; end++) {
      const node = end === 0 ? map.startNode[c] : map.endNode[c];
      addLine(samples, samples.starts[c], samples.starts[c + 1], end === 1, node, xx, xy, yy, px, py);
    }
  }
  for (let n = 0; n < count; n++) {
    const latticeY = Math.floor(nodes[n] / stride);
    const latticeX = nodes[n] - latticeY * stride;
    const determinant = xx[n] * yy[n] - xy[n] * xy[n];
    let x = (px[n] * yy[n] - py[n] * xy[n]) / determinant;
    let y = (py[n] * xx[n] - px[n] * xy[n]) / determinant;
    if (Math.hypot(x - latticeX, y - latticeY) > FARTHEST_PX) {
      x = latticeX;
      y = latticeY;
    }
    positions[2 * n] = latticeX === 0 || latticeX === width ? latticeX : x;
    positions[2 * n + 1] = latticeY === 0 || latticeY === height ? latticeY : y;
  }
  return positions;
}

/** Adds the line through the samples at one end of a chain to the normal equations of its node. */
function addLine(
  samples: EdgeSamples,
  from: number,
  to: number,
  fromEnd: boolean,
  node: number,
  xx: Float64Array,
  xy: Float64Array,
  yy: Float64Array,
  px: Float64Array,
  py: Float64Array,
): void {
  const available = to - from;
  const first = Math.min(SKIPPED_SAMPLES, available - 1);
  const last = Math.min(USED_SAMPLES, available);
  const used = last - first;
  if (used < 3) return;
  let mx = 0;
  let my = 0;
  for (let k = first; k < last; k++) {
    const at = fromEnd ? to - 1 - k : from + k;
    mx += samples.x[at];
    my += samples.y[at];
  }
  mx /= used;
  my /= used;
  let sxx = 0;
  let sxy = 0;
  let syy = 0;
  for (let k = first; k < last; k++) {
    const at = fromEnd ? to - 1 - k : from + k;
    const dx = samples.x[at] - mx;
    const dy = samples.y[at] - my;
    sxx += dx * dx;
    sxy += dx * dy;
    syy += dy * dy;
  }
  const angle = 0.5 * Math.atan2(2 * sxy, sxx - syy);
  const nx = -Math.sin(angle);
  const ny = Math.cos(angle);
  const offset = nx * mx + ny * my;
  xx[node] += nx * nx;
  xy[node] += nx * ny;
  yy[node] += ny * ny;
  px[node] += nx * offset;
  py[node] += ny * offset;
}
