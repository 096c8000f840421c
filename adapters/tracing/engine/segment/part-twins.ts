import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';

/** An area has a core where all pixels within so many px of one of its own are of it: what ripples along edges is narrower. */
const CORE_PX = 3;
/** What lies beside another color takes the twin that is next to it, so many px from it at most. */
const BORDER_ROUNDS = 4;

/**
 * Parts areas of colors that are twins, hardly apart (`parts`: per such color the several that it is, four channels each). Inside an area the
 * nearest twin decides, beside other colors, which edges and ripples have been at, what is next to it; and where that has no core, as ripples of compression change colors
 * by as much, what is around it. `labels` change in place; returns the colors (four channels each) with the twins behind them.
 */
export function partTwins(
  { width, height, rgba }: WorkingPixels,
  labels: Int32Array,
  channels: Float64Array,
  parts: ReadonlyMap<number, Float64Array>,
): Float64Array {
  const colors = Array.from(channels);
  const twins = Array.from({ length: channels.length / 4 }, () => -1);
  const members = new Map<number, readonly number[]>();
  for (const [color, own] of parts) {
    colors.splice(4 * color, 4, ...own.subarray(0, 4));
    const added = Array.from({ length: own.length / 4 - 1 }, (_, k) => twins.length + k);
    colors.push(...own.subarray(4));
    for (const label of [color, ...added]) twins[label] = color;
    members.set(color, [color, ...added]);
  }
  const parted = Float64Array.from(colors);
  const areas = new TwinAreas(labels, width, height, Int32Array.from(twins));
  areas.decide((pixel, twin) => nearestOf(members.get(twin)!, rgba, pixel, parted));
  areas.settle();
  return parted;
}

function nearestOf(labels: readonly number[], rgba: Uint8Array, pixel: number, channels: Float64Array): number {
  let best = -1;
  let nearest = Infinity;
  for (const label of labels) {
    let d = 0;
    for (let c = 0; c < 3; c++) d += (rgba[4 * pixel + c] - channels[4 * label + c]) ** 2;
    if (d >= nearest) continue;
    nearest = d;
    best = label;
  }
  return best;
}

class TwinAreas {
  private readonly labels: Int32Array;
  private readonly width: number;
  private readonly height: number;
  /** Per label the number of the twins that it is one of, -1 for none. */
  private readonly twins: Int32Array;
  /** Per pixel its area, -1 where it is of no twin; per area its first pixel in the list of pixels, and one more at the end. */
  private readonly of: Int32Array;
  private readonly pixels: Int32Array;
  private readonly starts: number[] = [];
  private readonly hasCore: boolean[] = [];
  /** Per label the length of a border with it, px. */
  private readonly borders: Int32Array;

  constructor(labels: Int32Array, width: number, height: number, twins: Int32Array) {
    this.labels = labels;
    this.width = width;
    this.height = height;
    this.twins = twins;
    this.borders = new Int32Array(twins.length);
    this.of = arena.rawInt32(labels.length);
    this.pixels = arena.rawInt32(labels.length);
  }

  /** Gives every pixel of twins one of them: by itself inside, by what is next to it beside other colors. */
  decide(twinOf: (pixel: number, twin: number) => number): void {
    const { labels, twins, pixels: open, of: next } = this;
    const isOpen = arena.uint8(labels.length);
    let count = 0;
    for (let i = 0; i < labels.length; i++) {
      const twin = twins[labels[i]];
      if (twin < 0) continue;
      if (this.isInside(i, twin)) labels[i] = twinOf(i, twin);
      else {
        isOpen[i] = 1;
        open[count++] = i;
      }
    }
    for (let round = 0; round < BORDER_ROUNDS && count > 0; round++) {
      for (let k = 0; k < count; k++) next[open[k]] = this.decidedBeside(open[k], isOpen);
      let left = 0;
      for (let k = 0; k < count; k++) {
        const i = open[k];
        if (next[i] < 0) open[left++] = i;
        else {
          labels[i] = next[i];
          isOpen[i] = 0;
        }
      }
      count = left;
    }
    for (let k = 0; k < count; k++) labels[open[k]] = twinOf(open[k], twins[labels[open[k]]]);
  }

  /** Whether a pixel and those around it are of the same twins. */
  private isInside(i: number, twin: number): boolean {
    const { labels, twins, width, height } = this;
    const x = i % width;
    const y = (i - x) / width;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++)
        if (twins[labels[v * width + u]] !== twin) return false;
    }
    return true;
  }

  /** What most of the decided pixels beside one are that are of its twins; -1 where there is none. */
  private decidedBeside(i: number, isOpen: Uint8Array): number {
    const { labels, twins, width } = this;
    const twin = twins[labels[i]];
    const x = i % width;
    let best = -1;
    let most = 0;
    for (let d = 0; d < 4; d++) {
      const j = this.beside(i, x, d);
      if (j < 0 || isOpen[j] === 1 || twins[labels[j]] !== twin) continue;
      let votes = 0;
      for (let e = 0; e < 4; e++) {
        const k = this.beside(i, x, e);
        if (k >= 0 && isOpen[k] === 0 && labels[k] === labels[j]) votes++;
      }
      if (votes <= most) continue;
      most = votes;
      best = labels[j];
    }
    return best;
  }

  /** From the areas with cores outwards, area by area, each to the twin that it has the longest border with; then what is left. */
  settle(): void {
    this.findAreas();
    const { labels, hasCore, starts, pixels } = this;
    const open: number[] = [];
    for (let area = 0; area < hasCore.length; area++) if (!hasCore[area]) open.push(area);
    for (let due: readonly number[] = open; due.length > 0; ) {
      const settled: number[] = [];
      const colors: number[] = [];
      for (const area of due) {
        const color = this.twinBeside(area);
        if (color < 0) continue;
        settled.push(area);
        colors.push(color);
      }
      settled.forEach((area, k) => {
        this.paint(area, colors[k]);
        hasCore[area] = true;
      });
      due = this.openBeside(settled);
    }
    // What is left hangs together with nothing that is sure.
    const done = new Uint8Array(hasCore.length);
    for (const area of open) {
      if (hasCore[area] || done[area] === 1) continue;
      const group = this.groupFrom(area, done);
      const counts = new Map<number, number>();
      for (const member of group) {
        const label = labels[pixels[starts[member]]];
        counts.set(label, (counts.get(label) ?? 0) + starts[member + 1] - starts[member]);
      }
      let best = -1;
      for (const [label, count] of counts) if (best < 0 || count > counts.get(best)!) best = label;
      for (const member of group) this.paint(member, best);
    }
  }

  private findAreas(): void {
    const { labels, twins, of } = this;
    of.fill(-1);
    let size = 0;
    for (let i = 0; i < labels.length; i++) {
      if (of[i] >= 0 || twins[labels[i]] < 0) continue;
      this.starts.push(size);
      this.hasCore.push(false);
      size = this.flood(i, size);
    }
    this.starts.push(size);
    this.findCores();
  }

  private flood(from: number, begin: number): number {
    const { labels, of, pixels, width } = this;
    const area = this.starts.length - 1;
    const label = labels[from];
    let size = begin;
    pixels[size++] = from;
    of[from] = area;
    for (let k = begin; k < size; k++) {
      const i = pixels[k];
      const x = i % width;
      for (let d = 0; d < 4; d++) {
        const j = this.beside(i, x, d);
        if (j < 0 || of[j] >= 0 || labels[j] !== label) continue;
        of[j] = area;
        pixels[size++] = j;
      }
    }
    return size;
  }

  /** The pixel beside one in one of four directions, -1 beyond the border. */
  private beside(i: number, x: number, d: number): number {
    const { width, labels } = this;
    if (d === 0) return x + 1 < width ? i + 1 : -1;
    if (d === 1) return x > 0 ? i - 1 : -1;
    if (d === 2) return i >= width ? i - width : -1;
    return i + width < labels.length ? i + width : -1;
  }

  /** By how many px every pixel is inside its area, over edges and corners (Rosenfeld & Pfaltz 1966); beyond the border all is as within it. */
  private findCores(): void {
    const { of, hasCore } = this;
    const depth = arena.rawInt32(of.length);
    for (let i = 0; i < of.length; i++) if (of[i] >= 0) depth[i] = this.depthFrom(depth, i, -1);
    for (let i = of.length - 1; i >= 0; i--) {
      if (of[i] < 0) continue;
      const behind = this.depthFrom(depth, i, 1);
      if (behind < depth[i]) depth[i] = behind;
      if (depth[i] > CORE_PX) hasCore[of[i]] = true;
    }
  }

  /** One more than the least depth of the four pixels around one that come before it (`towards` -1) or behind it (1). */
  private depthFrom(depth: Int32Array, i: number, towards: 1 | -1): number {
    const { of, width } = this;
    const x = i % width;
    let least = CORE_PX;
    for (let d = 0; d < 4; d++) {
      // The one beside it, and the three of the next row.
      const u = x + (d === 0 ? towards : d - 2);
      const j = d === 0 ? i + towards : i + towards * width + d - 2;
      if (u < 0 || u >= width || j < 0 || j >= of.length) continue;
      const own = of[j] === of[i] ? depth[j] : 0;
      if (own < least) least = own;
    }
    return least + 1;
  }

  /** The twin with a core, other than its own, that an area has the longest border with; -1 where there is none. */
  private twinBeside(area: number): number {
    const { labels, twins, of, pixels, starts, hasCore, width } = this;
    const own = twins[labels[pixels[starts[area]]]];
    const { borders } = this;
    borders.fill(0);
    let best = -1;
    for (let k = starts[area]; k < starts[area + 1]; k++) {
      const i = pixels[k];
      const x = i % width;
      for (let d = 0; d < 4; d++) {
        const j = this.beside(i, x, d);
        if (j < 0 || of[j] < 0 || of[j] === area || !hasCore[of[j]] || twins[labels[j]] !== own) continue;
        const label = labels[j];
        borders[label]++;
        if (best < 0 || borders[label] > borders[best]) best = label;
      }
    }
    return best;
  }

  /** The areas without a core beside some that were settled, each once, in order. */
  private openBeside(settled: readonly number[]): readonly number[] {
    const { labels, twins, of, pixels, starts, hasCore, width } = this;
    const found = new Set<number>();
    for (const area of settled) {
      for (let k = starts[area]; k < starts[area + 1]; k++) {
        const i = pixels[k];
        const x = i % width;
        for (let d = 0; d < 4; d++) {
          const j = this.beside(i, x, d);
          if (j >= 0 && of[j] >= 0 && !hasCore[of[j]] && twins[labels[j]] === twins[labels[i]]) found.add(of[j]);
        }
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The areas that hang together with one, over borders between twins. */
  private groupFrom(area: number, done: Uint8Array): readonly number[] {
    const { of, pixels, starts, labels, twins, width } = this;
    const group = [area];
    done[area] = 1;
    for (let g = 0; g < group.length; g++) {
      for (let k = starts[group[g]]; k < starts[group[g] + 1]; k++) {
        const i = pixels[k];
        const x = i % width;
        for (let d = 0; d < 4; d++) {
          const j = this.beside(i, x, d);
          if (j < 0 || of[j] < 0 || done[of[j]] === 1 || twins[labels[j]] !== twins[labels[i]]) continue;
          done[of[j]] = 1;
          group.push(of[j]);
        }
      }
    }
    return group;
  }

  private paint(area: number, color: number): void {
    const { labels, pixels, starts } = this;
    for (let k = starts[area]; k < starts[area + 1]; k++) labels[pixels[k]] = color;
  }
}
