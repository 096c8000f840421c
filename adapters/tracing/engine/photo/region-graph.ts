import { ALPHA_WEIGHT, BLUE_WEIGHT, GREEN_WEIGHT, RED_WEIGHT } from './color-space.js';
import type { OverSegmentation } from './over-segment.js';

/** Fields of one region's record: area, then the mean as a point in which squared distance is the front end's. */
const STRIDE = 5;
/** Part of the table that may be taken before it is rebuilt without what has died, and room that it has beyond all edges then. */
const MAX_LOAD = 0.6;
const SLACK = 1.25;

/**
 * The regions and who borders whom. Edges are numbered once and keep their number; a merge renames their ends.
 *
 * Each region has a singly linked list of its edges' ends (end 2e belongs to `edgeA[e]`, end 2e + 1 to `edgeB[e]`); a dead edge stays in
 * the lists until a walk drops it. A hash table finds the edge of two regions; it, too, may hold the dead and the renamed, which
 * is harmless, as an entry counts only if its edge's present ends match.
 * Fully transparent regions have no edges: nothing is ever merged with them.
 */
export class RegionGraph {
  readonly count: number;
  /** Five per region: area in px, then the mean color (see `color-space.ts`), scaled by the roots of the weights. */
  readonly records: Float64Array;
  readonly edgeCount: number;
  /** Length of the common boundary in px; 0 for an edge that is dead. */
  readonly lengths: Int32Array;
  /** The region that has taken this one in, or itself. */
  readonly owners: Int32Array;
  readonly #edgeA: Int32Array;
  readonly #edgeB: Int32Array;
  readonly #next: Int32Array;
  readonly #first: Int32Array;
  readonly #degrees: Int32Array;
  readonly #table: Int32Array;
  #tableUsed = 0;
  #created = 0;
  /** Places of the table looked at so far: near the number of edges and merges, whatever the picture. */
  probes = 0;
  /** Regions that no other has taken in. */
  living: number;

  constructor(segmentation: OverSegmentation, width: number, height: number) {
    const { labels, count, sums } = segmentation;
    this.count = this.living = count;
    this.records = toRecords(sums, count);
    this.owners = new Int32Array(count);
    for (let region = 0; region < count; region++) this.owners[region] = region;
    this.#first = new Int32Array(count).fill(-1);
    this.#degrees = new Int32Array(count);

    // The graph is planar: at most three edges per region, and no more than there are steps between pixels.
    const capacity = Math.min(3 * count, countSteps(labels, width, height));
    this.#edgeA = new Int32Array(capacity);
    this.#edgeB = new Int32Array(capacity);
    this.lengths = new Int32Array(capacity);
    this.#next = new Int32Array(capacity * 2);
    let tableSize = 16;
    while (tableSize * MAX_LOAD < SLACK * capacity + 1) tableSize *= 2;
    this.#table = new Int32Array(tableSize).fill(-1);
    this.#connect(labels, sums, width, height);
    this.edgeCount = this.#created;
  }

  endA(edge: number): number {
    return this.#edgeA[edge];
  }

  endB(edge: number): number {
    return this.#edgeB[edge];
  }

  /** What the squared error grows by, per px of boundary that disappears, if the edge's two regions become one. */
  cost(edge: number): number {
    const records = this.records;
    const a = this.#edgeA[edge] * STRIDE;
    const b = this.#edgeB[edge] * STRIDE;
    const areaA = records[a];
    const areaB = records[b];
    const red = records[a + 1] - records[b + 1];
    const green = records[a + 2] - records[b + 2];
    const blue = records[a + 3] - records[b + 3];
    const alpha = records[a + 4] - records[b + 4];
    const distanceSq = red * red + green * green + blue * blue + alpha * alpha;
    return (distanceSq * areaA * areaB) / ((areaA + areaB) * this.lengths[edge]);
  }

  area(region: number): number {
    return this.records[region * STRIDE];
  }

  /** First end in the region's list, -1 for none; ends of dead edges are among them. */
  firstEnd(region: number): number {
    return this.#first[region];
  }

  nextEnd(end: number): number {
    return this.#next[end];
  }

  /** The cheapest way to merge this region; ties by edge number; -1 where it has no neighbor. */
  cheapestEdge(region: number): number {
    let best = -1;
    let bestCost = Number.POSITIVE_INFINITY;
    for (let end = this.#first[region]; end >= 0; end = this.#next[end]) {
      const edge = end >> 1;
      if (this.lengths[edge] === 0) continue;
      const cost = this.cost(edge);
      if (cost < bestCost || (cost === bestCost && edge < best)) {
        bestCost = cost;
        best = edge;
      }
    }
    return best;
  }

  /**
   * Makes one region of the edge's two: the one with fewer neighbors goes into the other, so that all merges together touch each edge
   * O(log n) times. The ends that moved are at the front of the survivor's list, up to `movedStop` (exclusive).
   * @returns the survivor
   */
  merge(edge: number): number {
    const { lengths } = this;
    const next = this.#next;
    let into = this.#edgeA[edge];
    let from = this.#edgeB[edge];
    if (this.#degrees[into] < this.#degrees[from] || (this.#degrees[into] === this.#degrees[from] && into > from)) {
      const swap = into;
      into = from;
      from = swap;
    }
    this.owners[from] = into;
    this.living--;
    this.#mixRecords(into, from);
    lengths[edge] = 0;
    this.#degrees[into]--;

    this.movedStop = this.#first[into];
    let end = this.#first[from];
    while (end >= 0) {
      const following = next[end];
      const moving = end >> 1;
      if (lengths[moving] > 0) {
        const other = end & 1 ? this.#edgeA[moving] : this.#edgeB[moving];
        const slot = this.#slotOf(into, other);
        const present = this.#table[slot];
        if (end & 1) this.#edgeB[moving] = into;
        else this.#edgeA[moving] = into;
        if (present >= 0) {
          // The neighbor is now met along both stretches: one edge is enough, and it goes to the front to be looked at. It takes
          // the other's place in the table: two long spirals meet a thousand times, and the dead of one place would pile up.
          lengths[moving] += lengths[present];
          lengths[present] = 0;
          this.#degrees[other]--;
          this.#table[slot] = moving;
        } else {
          this.#degrees[into]++;
          this.#insert(moving);
        }
        next[end] = this.#first[into];
        this.#first[into] = end;
      }
      end = following;
    }
    this.#first[from] = -1;
    return into;
  }

  /** Set by `merge`: the end at which the survivor's old list begins; -1 for its end. */
  movedStop = -1;

  #mixRecords(into: number, from: number): void {
    const records = this.records;
    const a = into * STRIDE;
    const b = from * STRIDE;
    const area = records[a] + records[b];
    const share = records[b] / area;
    records[a] = area;
    for (let field = 1; field < STRIDE; field++) {
      records[a + field] += (records[b + field] - records[a + field]) * share;
    }
  }

  #connect(labels: Int32Array, sums: Float64Array, width: number, height: number): void {
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const here = labels[i];
        if (sums[here * STRIDE + 4] === 0) continue;
        if (x + 1 < width && labels[i + 1] !== here) this.#addStep(here, labels[i + 1], sums);
        if (y + 1 < height && labels[i + width] !== here) this.#addStep(here, labels[i + width], sums);
      }
    }
  }

  #addStep(a: number, b: number, sums: Float64Array): void {
    if (sums[b * STRIDE + 4] === 0) return;
    const found = this.#table[this.#slotOf(a, b)];
    if (found < 0) {
      const edge = this.#created++;
      this.#edgeA[edge] = a;
      this.#edgeB[edge] = b;
      this.#next[2 * edge] = this.#first[a];
      this.#first[a] = 2 * edge;
      this.#next[2 * edge + 1] = this.#first[b];
      this.#first[b] = 2 * edge + 1;
      this.#degrees[a]++;
      this.#degrees[b]++;
      this.lengths[edge] = 1;
      this.#insert(edge);
    } else this.lengths[found]++;
  }

  #hash(a: number, b: number): number {
    const low = a < b ? a : b;
    const high = a < b ? b : a;
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    // All 32 bits count: the table of a large noisy picture has more than 2^24 slots.
    return hash ^ (hash >>> 13);
  }

  /** Where in the table the edge of two regions is, or the empty place at which the search for it ends. */
  #slotOf(a: number, b: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    const edgeA = this.#edgeA;
    const edgeB = this.#edgeB;
    for (let slot = this.#hash(a, b) & mask; ; slot = (slot + 1) & mask) {
      this.probes++;
      const edge = table[slot];
      if (edge < 0) return slot;
      const endA = edgeA[edge];
      const endB = edgeB[edge];
      if (((endA === a && endB === b) || (endA === b && endB === a)) && this.lengths[edge] > 0) return slot;
    }
  }

  #insert(edge: number): void {
    if (this.#tableUsed >= this.#table.length * MAX_LOAD) {
      this.#rebuildTable();
      return;
    }
    this.#place(edge);
  }

  #place(edge: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let slot = this.#hash(this.#edgeA[edge], this.#edgeB[edge]) & mask;
    while (table[slot] >= 0) slot = (slot + 1) & mask;
    table[slot] = edge;
    this.#tableUsed++;
  }

  #rebuildTable(): void {
    this.#table.fill(-1);
    this.#tableUsed = 0;
    for (let edge = 0; edge < this.#created; edge++) if (this.lengths[edge] > 0) this.#place(edge);
  }
}

function toRecords(sums: Float64Array, count: number): Float64Array {
  const redScale = Math.sqrt(RED_WEIGHT);
  const greenScale = Math.sqrt(GREEN_WEIGHT);
  const blueScale = Math.sqrt(BLUE_WEIGHT);
  const alphaScale = Math.sqrt(ALPHA_WEIGHT);
  const records = new Float64Array(count * STRIDE);
  for (let at = 0; at < records.length; at += STRIDE) {
    const area = sums[at];
    const alpha = sums[at + 4] / area;
    records[at] = area;
    records[at + 1] = redScale * (sums[at + 1] / area - alpha / 2);
    records[at + 2] = greenScale * (sums[at + 2] / area - alpha / 2);
    records[at + 3] = blueScale * (sums[at + 3] / area - alpha / 2);
    records[at + 4] = alphaScale * alpha;
  }
  return records;
}

/** Steps from a pixel to its right or lower neighbor that lead into another region. */
function countSteps(labels: Int32Array, width: number, height: number): number {
  let steps = 0;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width && labels[i + 1] !== labels[i]) steps++;
      if (y + 1 < height && labels[i + width] !== labels[i]) steps++;
    }
  }
  return steps;
}
