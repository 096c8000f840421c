import { RUN_SIZE } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { arena } from '../math/arena.js';
import { IntList } from '../math/lists.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { type ChainCurves, SEGMENT_SIZE } from './curves.js';
import { PaintedChains } from './painted-chains.js';

/** Pixels as far as this from a boundary belong to its band, and from a vertex of its curves. */
const REACH_PX = 1;
const VERTEX_REACH_PX = 2;
/** About how many of a band's pixels edges lie in. */
const ENTRIES_PER_SLOT = 0.7;
/** Pixels of a row that are passed over together where none of them is marked. */
const STRETCH = 5;
const STRETCH_PX = 1 << STRETCH;

/**
 * The pixels along the boundaries of a map, row by row, each with a slot. A row's pixels that follow each other are a run; it
 * ends with an empty slot that takes what spills over. It lies in the painter's memory, and is good until the next one is made.
 */
export class PixelBand {
  readonly width: number;
  readonly height: number;
  /** The picture's pixels, all of them. */
  readonly words: Uint32Array;
  private readonly marks: Int32Array;
  /** Per stretch of a row whether any of its pixels has been marked, and how many stretches a row has. */
  private readonly hasMarks: Uint8Array;
  private readonly perRow: number;
  private readonly runs = new IntList(1024);
  /** What chains painted that rest, for one painter of this band after the other. */
  readonly kept: PaintedChains;

  constructor(
    map: PlanarMap,
    regions: Regions,
    rgba: Uint8Array,
    curves: Pick<ChainCurves, 'starts' | 'points'>,
    nodePositions: Float64Array,
  ) {
    this.width = regions.width;
    this.height = regions.height;
    this.words = new Uint32Array(rgba.buffer, rgba.byteOffset, this.width * this.height);
    kernelMemory.beginBand(this.width, this.height);
    this.marks = kernelMemory.slotOf;
    this.perRow = ((this.width - 1) >> STRETCH) + 1;
    this.hasMarks = arena.uint8(this.perRow * this.height);
    this.markVertices(map, curves);
    this.markSlides(map, nodePositions);
    this.mark(map);
    const owners = new IntList(4096);
    owners.push(0);
    for (let y = 0; y < this.height; y++) this.layRow(y, regions.of, owners);
    const slots = owners.length;
    this.kept = new PaintedChains(map.chainCount, Math.ceil(slots * ENTRIES_PER_SLOT) + 16);
    kernelMemory.layBand(slots, this.runs.length);
    const { observed, runs } = kernelMemory;
    kernelMemory.owner.set(owners.data.subarray(0, slots));
    runs.set(this.runs.data.subarray(0, runs.length));
    for (let r = 0; r < runs.length; r += RUN_SIZE) {
      let at = runs[r + 2] * 4;
      const end = runs[r + 3] * 4;
      for (let v = runs[r] * 4; v < end; v++) observed[v] = rgba[at++];
    }
  }

  /** Per pixel its slot, 0 for none. */
  get slotOf(): Int32Array {
    return kernelMemory.slotOf;
  }

  /** Marks the pixels along a boundary with its chain's number, counted from one. */
  private mark(map: PlanarMap): void {
    const stride = map.width + 1;
    const { vertices, starts } = map;
    for (let c = 0; c < map.chainCount; c++) {
      if (map.left[c] < 0 || map.right[c] < 0) continue;
      let beforeX = 0;
      let beforeY = 0;
      for (let i = starts[c]; i < starts[c + 1]; i++) {
        const y = (vertices[i] / stride) | 0;
        const x = vertices[i] - y * stride;
        // From one vertex to the next all but a side of the square is marked already.
        if (i === starts[c]) this.markAround(x, y, REACH_PX, c);
        else if (y === beforeY) this.markUpright(x > beforeX ? x + REACH_PX - 1 : x - REACH_PX, y, c);
        else this.markLevel(x, y > beforeY ? y + REACH_PX - 1 : y - REACH_PX, c);
        beforeX = x;
        beforeY = y;
      }
    }
  }

  private markUpright(u: number, y: number, c: number): void {
    const { marks, width, height, hasMarks, perRow } = this;
    if (u < 0 || u >= width) return;
    const bottom = y + REACH_PX <= height ? y + REACH_PX : height;
    for (let v = y > REACH_PX ? y - REACH_PX : 0; v < bottom; v++) {
      marks[v * width + u] = c + 1;
      hasMarks[v * perRow + (u >> STRETCH)] = 1;
    }
  }

  private markLevel(x: number, v: number, c: number): void {
    const { marks, width, height, hasMarks, perRow } = this;
    if (v < 0 || v >= height) return;
    const right = x + REACH_PX <= width ? x + REACH_PX : width;
    for (let u = x > REACH_PX ? x - REACH_PX : 0; u < right; u++) {
      marks[v * width + u] = c + 1;
      hasMarks[v * perRow + (u >> STRETCH)] = 1;
    }
  }

  /** Marks where the curves have their vertices: the tip of a sharp corner lies px beyond the last pixel that is mostly its own. */
  private markVertices(map: PlanarMap, { starts, points }: Pick<ChainCurves, 'starts' | 'points'>): void {
    for (let c = 0; c < map.chainCount; c++) {
      if (map.left[c] < 0 || map.right[c] < 0) continue;
      // The last vertex is the first of another chain, or of the picture's own border, which is not looked at here.
      const end = starts[c + 1] * SEGMENT_SIZE;
      for (let p = starts[c] * SEGMENT_SIZE; p < end; p += SEGMENT_SIZE) this.markVertex(points[p], points[p + 1], c);
      this.markVertex(points[end - 2], points[end - 1], c);
    }
  }

  private markVertex(x: number, y: number, c: number): void {
    this.markAround(Math.round(x), Math.round(y), VERTEX_REACH_PX, c);
  }

  /** Marks what lies between nodes that slid along the picture's border and their lattice vertices. */
  private markSlides(map: PlanarMap, nodePositions: Float64Array): void {
    const stride = map.width + 1;
    for (let c = 0; c < map.chainCount; c++) {
      if (map.startNode[c] < 0 || map.left[c] < 0 || map.right[c] < 0) continue;
      for (let end = 0; end < 2; end++) {
        const node = end === 0 ? map.startNode[c] : map.endNode[c];
        const y = Math.floor(map.nodes[node] / stride);
        const x = map.nodes[node] - y * stride;
        const toX = Math.round(nodePositions[2 * node]);
        const toY = Math.round(nodePositions[2 * node + 1]);
        const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y));
        for (let k = VERTEX_REACH_PX; k <= steps; k++) {
          this.markAround(x + Math.sign(toX - x) * k, y + Math.sign(toY - y) * k, VERTEX_REACH_PX, c);
        }
      }
    }
  }

  private markAround(x: number, y: number, reach: number, c: number): void {
    const { marks, width, height, hasMarks, perRow } = this;
    const right = x + reach <= width ? x + reach : width;
    const bottom = y + reach <= height ? y + reach : height;
    for (let v = y > reach ? y - reach : 0; v < bottom; v++) {
      for (let u = x > reach ? x - reach : 0; u < right; u++) {
        marks[v * width + u] = c + 1;
        hasMarks[v * perRow + (u >> STRETCH)] = 1;
      }
    }
  }

  private layRow(y: number, of: Int32Array, owners: IntList): void {
    const { marks, width, runs, hasMarks, perRow } = this;
    // A slot for every pixel, and an empty one behind every run.
    owners.reserve(2 * width);
    const { data } = owners;
    const row = y * width;
    const end = row + width;
    let slot = owners.length;
    for (let i = row; i < end; ) {
      const x = i - row;
      if ((x & (STRETCH_PX - 1)) === 0 && hasMarks[y * perRow + (x >> STRETCH)] === 0) {
        i += STRETCH_PX;
        continue;
      }
      if (marks[i] === 0) {
        i++;
        continue;
      }
      runs.push(slot);
      // Rows that begin at the picture's border begin with nothing, and the border's own chain is painted.
      runs.push(x === 0 ? -1 : of[i]);
      runs.push(i);
      for (; i < end && marks[i] !== 0; i++) {
        data[slot] = marks[i] - 1;
        marks[i] = slot++;
      }
      runs.push(slot);
      data[slot++] = 0;
    }
    owners.length = slot;
  }
}
