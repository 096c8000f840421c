import { isRippled } from './ripples.js';
import type { WorkingPixels } from './working-pixels.js';

/** Pixels that an edge is seen over at most, and of which one at most is mixed where it is steep. */
const WIDEST_PX = 6;
const STEEP_PX = 1;
/** Edges of less contrast are told by few levels: squared, over four channels. */
const LEAST_CONTRAST_SQ = 60 * 60;
/** Share of steep edges above which a picture is not soft: of 51 sharp ones all but one (.13) had a third at least, of 120 soft ones three had more than this. */
const MOST_STEEP = 0.13;
/** Edges that must tell of a blur, and that are asked, and looked at, at most, along rows and columns each. */
const LEAST_EDGES = 24;
const MOST_EDGES = 800;
const MOST_SEEN = 1 << 14;
/** Share of the edges that go beyond the colors they part from which the picture has been sharpened, and by how much one must. */
const MOST_BEYOND = 0.5;
const BEYOND = 0.015;
/** Levels by which the pixels of an edge are off the mixtures of what it parts, at most. */
const NEAR = 6;
/** An edge goes so far aside from row to row at most, px, and bends by no more than this. */
const MOST_SLOPE = 0.7;
const MOST_BEND_PX = 0.05;
/**
 * What a blur must explain of how far edges are off sharp ones, squared; and where compression was at these, of which few are even beside then: .988 and more in 15 pictures that
 * had been blurred before, .66 and .93 in two that only seem so, and .981 in one whose blur is too small to show. Taken out, the blur that is none would deepen what compression left.
 */
const LEAST_EXPLAINED = 0.5;
const LEAST_EXPLAINED_RIPPLED = 0.98;
/** Less than this, of a pixel in each of its neighbors, leaves curves where they are; much more cannot be undone (at a quarter nothing is left of single pixels). */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.2;

/** An edge between two even colors along a row or a column. */
interface Edge {
  /** Its first mixed pixel, where it lies, px, and the words of the colors before and behind. */
  readonly first: number;
  readonly place: number;
  readonly before: number;
  readonly behind: number;
  /** Of its pixels, what each has of the color behind; two are even on either side. */
  readonly shares: readonly number[];
}

/**
 * How much of each pixel its four neighbors have got, 0 where edges are as sharp as the areas they cover make them: pictures that were reduced
 * by soft filters (bilinear, Mitchell) or lightly blurred are so all over. Told by edges between even colors, along rows and
 * columns: where such an edge lies follows from what it covers in all, blurred or not, and from that what each pixel would have of it; the
 * share by which neighbors mixed is by least squares over all of them. 0 as well for pictures that have been sharpened, and for those whose edges do not agree.
 */
export function measureEdgeBlur(pixels: WorkingPixels): number {
  if (isSteep(pixels)) return 0;
  const reader = new BlurReader(pixels);
  reader.readRows();
  reader.readColumns();
  return reader.share();
}

/** Whether edges along rows mostly take a pixel or none, as in all pictures that are not soft; asked of every picture. */
function isSteep({ words, runs, width, rgba }: WorkingPixels): boolean {
  const { starts, count } = runs;
  let steep = 0;
  let wide = 0;
  // The run that the edge begins behind, -1 in a row where none is yet.
  let even = -1;
  for (let r = 0; r < count; r++) {
    const from = starts[r];
    if (from % width === 0) even = -1;
    if (starts[r + 1] - from < 2) continue;
    if (even >= 0 && r - even - 1 <= WIDEST_PX && contrastSq(rgba, starts[even], from) >= LEAST_CONTRAST_SQ) {
      if (r - even - 1 <= STEEP_PX) steep++;
      else wide++;
    }
    even = r;
  }
  return words.length === 0 || wide < LEAST_EDGES || steep > MOST_STEEP * (steep + wide);
}

/** The squared difference of two pixels over all channels. */
function contrastSq(rgba: Uint8Array, a: number, b: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) sum += (rgba[4 * a + c] - rgba[4 * b + c]) ** 2;
  return sum;
}

/** Sums over edges what neighbors must have mixed. */
class BlurReader {
  private readonly pixels: WorkingPixels;
  /** Edges that go beyond the colors they part, and all. */
  private beyond = 0;
  private seen = 0;
  private used = 0;
  // Of what edges are off sharp ones, and of what mixing would do to these: squares and products, summed.
  private offSq = 0;
  private both = 0;
  private mixedSq = 0;

  constructor(pixels: WorkingPixels) {
    this.pixels = pixels;
  }

  readRows(): void {
    const { width, height } = this.pixels;
    this.read(height, width, width, 1);
  }

  readColumns(): void {
    const { width, height } = this.pixels;
    this.read(width, height, 1, width);
  }

  share(): number {
    const { used, seen, beyond, both, mixedSq, offSq } = this;
    if (used < LEAST_EDGES || beyond > MOST_BEYOND * seen) return 0;
    const share = both / mixedSq;
    // What is left of the squares without what the share explains.
    if (!(share >= LEAST_SHARE) || both * share < LEAST_EXPLAINED * offSq) return 0;
    if (both * share < LEAST_EXPLAINED_RIPPLED * offSq && isRippled(this.pixels)) return 0;
    return Math.min(share, MOST_SHARE);
  }

  /** Reads `lines` lines of `length` pixels: `aside` from one to the next, `along` from pixel to pixel. */
  private read(lines: number, length: number, aside: number, along: number): void {
    const mostUsed = this.used + MOST_EDGES;
    const mostSeen = this.seen + MOST_SEEN;
    let before: readonly Edge[] = [];
    let here: readonly Edge[] = [];
    for (let line = 0; line < lines && this.used < mostUsed && this.seen < mostSeen; line++) {
      const behind = this.edgesOf(line * aside, length, along);
      const inBefore = new Follower(before);
      const inBehind = new Follower(behind);
      for (const edge of here) {
        const first = inBefore.find(edge);
        const last = inBehind.find(edge);
        if (first !== undefined && last !== undefined) this.take(edge, first, last);
      }
      before = here;
      here = behind;
    }
  }

  /** The edges along a line of pixels. */
  private edgesOf(start: number, length: number, along: number): Edge[] {
    const { words } = this.pixels;
    const edges: Edge[] = [];
    // The last pixel that is as the one before it.
    let even = -1;
    let word = words[start];
    for (let i = 1; i < length; i++) {
      const here = words[start + i * along];
      if (here === word) {
        // The second of two even ones ends what began behind the last such.
        if (even >= 0 && even < i - 1 && i - even - 2 <= WIDEST_PX) this.add(edges, start, along, even, i - 1);
        even = i;
      }
      word = here;
    }
    return edges;
  }

  /** Adds the edge between two even pixels of a line, if it is one. */
  private add(edges: Edge[], start: number, along: number, even: number, last: number): void {
    const { rgba, words } = this.pixels;
    const a = start + even * along;
    const b = start + last * along;
    const all = contrastSq(rgba, a, b);
    if (all < LEAST_CONTRAST_SQ) return;
    this.seen++;
    const shares = [0, 0];
    let place = 0;
    let rises = true;
    for (let i = even + 1; i <= last; i++) {
      const at = 4 * (start + i * along);
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += (rgba[at + c] - rgba[4 * a + c]) * (rgba[4 * b + c] - rgba[4 * a + c]);
      const share = dot / all;
      if (share < -BEYOND || share > 1 + BEYOND) {
        this.beyond++;
        return;
      }
      for (let c = 0; c < 4; c++) {
        const mixed = rgba[4 * a + c] + share * (rgba[4 * b + c] - rgba[4 * a + c]);
        if (Math.abs(rgba[at + c] - mixed) > NEAR) rises = false;
      }
      const rise = share - shares[shares.length - 1];
      if (rise < -BEYOND) rises = false;
      // Where what is covered grows, weighed by how much: the place of the edge, whether blurred or not.
      place += rise * i;
      shares.push(share);
    }
    shares.push(1, 1);
    if (rises) edges.push({ first: even + 1, place, before: words[a], behind: words[b], shares });
  }

  /** Takes an edge that goes on straight from the line before to the one behind. */
  private take(edge: Edge, first: Edge, last: Edge): void {
    const slope = Math.abs(last.place - first.place) / 2;
    if (slope > MOST_SLOPE || Math.abs(first.place + last.place - 2 * edge.place) > MOST_BEND_PX) return;
    this.used++;
    const { shares, place } = edge;
    const low = place - slope / 2;
    const high = place + slope / 2;
    // What the lines beside mix into this one has the edge farther on, by the slope: another blur along the line.
    const wider = 1 + slope * slope;
    for (let k = 0; k < shares.length; k++) {
      const pixel = edge.first - 2 + k;
      const sharp = coverage(pixel, low, high);
      const mixed = wider * (coverage(pixel - 1, low, high) - 2 * sharp + coverage(pixel + 1, low, high));
      const off = shares[k] - sharp;
      this.offSq += off * off;
      this.both += off * mixed;
      this.mixedSq += mixed * mixed;
    }
  }
}

/** Finds the edges of a line that go on those of the next one, which are asked for in their order. */
class Follower {
  private readonly edges: readonly Edge[];
  private at = 0;

  constructor(edges: readonly Edge[]) {
    this.edges = edges;
  }

  find({ before, behind, place }: Edge): Edge | undefined {
    const { edges } = this;
    while (this.at < edges.length && edges[this.at].place <= place - 1) this.at++;
    for (let k = this.at; k < edges.length && edges[k].place < place + 1; k++)
      if (edges[k].before === before && edges[k].behind === behind) return edges[k];
    return undefined;
  }
}

/** How much of a pixel lies behind a straight edge that crosses its line from `low` to `high`. */
function coverage(pixel: number, low: number, high: number): number {
  const end = pixel + 1;
  if (high - low < 1e-6) return Math.min(1, Math.max(0, end - low));
  return (covered(end - low) - covered(end - high)) / (high - low);
}

/** The integral of what a pixel has of what begins so far before its end. */
function covered(length: number): number {
  if (length <= 0) return 0;
  return length < 1 ? (length * length) / 2 : length - 0.5;
}
