/** How a layer's color changes: along a line, or away from a center. */
export type LayerKind = 'linear' | 'radial';

/** Stops of the layer beneath all others, and of those on it, evenly spread over where colors change. */
export const BASE_STOPS = 9;
export const OVER_STOPS = 6;
/** Unknowns of a layer: of its shape, and behind these the colors at its stops; or its first and last color, and how opaque it is at its stops. */
export const SHAPE_SIZE = 6;
export const BASE_SIZE = SHAPE_SIZE + 3 * BASE_STOPS;
export const COLORS_SIZE = 6;
export const OVER_SIZE = SHAPE_SIZE + COLORS_SIZE + OVER_STOPS;
/** Unknowns that one channel of one place depends on. */
const BASE_ROW = SHAPE_SIZE + 2;
const OVER_ROW = SHAPE_SIZE + 4;

const LEAST_DISTANCE = 1e-9;

/** Where a layer's unknowns begin, and its part of a row. */
export const layerStart = (layer: number): number => (layer === 0 ? 0 : BASE_SIZE + (layer - 1) * OVER_SIZE);
const rowStart = (layer: number): number => (layer === 0 ? 0 : BASE_ROW + (layer - 1) * OVER_ROW);

/**
 * Gradients that lie on each other, as numbers that can be solved for. Places are in the area's own frame, -1..1 over its longer side. A layer's
 * shape says how far along it a place is, 0 at its first stop and 1 at its last: `x u + y v + z` along a line, and away from a center (x, y)
 * the length of a symmetric matrix (xx, xy, yy) times what leads there, less where the first stop is. The one beneath has colors at its
 * stops, others change evenly from one to another, and have an opacity at each stop (0..1).
 */
export class LayerModel {
  readonly kinds: readonly LayerKind[];
  /** Of unknowns. */
  readonly size: number;
  /** Of unknowns that one channel of one place depends on. */
  readonly rowSize: number;
  /** These of each channel in turn, ascending, and the derivatives by them, of the place that was looked at last. */
  readonly unknowns: Int32Array;
  readonly row: Float64Array;
  /** The color there. */
  readonly color = new Float64Array(3);
  /** Of the layer that was measured last: how much further along it a place is per unknown of its shape. */
  private readonly slope = new Float64Array(SHAPE_SIZE);
  /** Per layer: how far its color is from what lies beneath, opacity, stop, part, and slopes. */
  private readonly steps: Float64Array;
  private readonly opacity: Float64Array;
  private readonly stops: Int32Array;
  private readonly parts: Float64Array;
  private readonly slopes: Float64Array;

  constructor(kinds: readonly LayerKind[]) {
    const count = kinds.length;
    this.kinds = kinds;
    this.size = BASE_SIZE + (count - 1) * OVER_SIZE;
    this.rowSize = BASE_ROW + (count - 1) * OVER_ROW;
    this.unknowns = new Int32Array(3 * this.rowSize);
    this.row = new Float64Array(3 * this.rowSize);
    this.steps = new Float64Array(3 * count);
    this.opacity = new Float64Array(count);
    this.stops = new Int32Array(count);
    this.parts = new Float64Array(count);
    this.slopes = new Float64Array(SHAPE_SIZE * count);
  }

  /** Of a row of the layers from one on. */
  rowSizeFrom(first: number): number {
    return this.rowSize - rowStart(first);
  }

  /** The color at a place, into `color`. */
  read(x: Float64Array, u: number, v: number): void {
    const { color, kinds, steps, opacity, stops, parts } = this;
    for (let layer = 0; layer < kinds.length; layer++) {
      const at = layerStart(layer);
      this.measure(layer, x, at, u, v);
      const stop = stops[layer];
      const part = parts[layer];
      if (layer === 0) {
        const from = SHAPE_SIZE + 3 * stop;
        for (let c = 0; c < 3; c++) color[c] = x[from + c] + part * (x[from + 3 + c] - x[from + c]);
        continue;
      }
      const own = at + SHAPE_SIZE;
      const from = own + COLORS_SIZE + stop;
      const alpha = x[from] + part * (x[from + 1] - x[from]);
      const along = (stop + part) * (1 / (OVER_STOPS - 1));
      opacity[layer] = alpha;
      for (let c = 0; c < 3; c++) {
        const step = x[own + c] + along * (x[own + 3 + c] - x[own + c]) - color[c];
        steps[3 * layer + c] = step;
        color[c] += alpha * step;
      }
    }
  }

  /** As `read`, and how the color changes with each unknown of the layers from one on, of which `rowSizeFrom` tells how many there are. */
  readWithSlopes(x: Float64Array, u: number, v: number, first = 0): void {
    const { kinds, rowSize, unknowns, row, steps, opacity, stops, parts, slopes } = this;
    this.read(x, u, v);
    // How much of a layer is seen through those on it.
    let seen = 1;
    for (let layer = kinds.length - 1; layer >= first; layer--) {
      const at = layerStart(layer);
      const stop = stops[layer];
      const part = parts[layer];
      const slope = layer * SHAPE_SIZE;
      let to = rowStart(layer) - rowStart(first);
      if (layer === 0) {
        const from = SHAPE_SIZE + 3 * stop;
        for (let c = 0; c < 3; c++, to += rowSize) {
          const rise = seen * (x[from + 3 + c] - x[from + c]);
          for (let k = 0; k < SHAPE_SIZE; k++) {
            unknowns[to + k] = k;
            row[to + k] = rise * slopes[slope + k];
          }
          unknowns[to + SHAPE_SIZE] = from + c;
          unknowns[to + SHAPE_SIZE + 1] = from + 3 + c;
          row[to + SHAPE_SIZE] = seen * (1 - part);
          row[to + SHAPE_SIZE + 1] = seen * part;
        }
        continue;
      }
      const own = at + SHAPE_SIZE;
      const from = own + COLORS_SIZE + stop;
      const alpha = opacity[layer];
      const along = (stop + part) * (1 / (OVER_STOPS - 1));
      for (let c = 0; c < 3; c++, to += rowSize) {
        const step = seen * steps[3 * layer + c];
        const turn = seen * alpha * (x[own + 3 + c] - x[own + c]) * (1 / (OVER_STOPS - 1));
        const rise = step * (x[from + 1] - x[from]) + turn;
        for (let k = 0; k < SHAPE_SIZE; k++) {
          unknowns[to + k] = at + k;
          row[to + k] = rise * slopes[slope + k];
        }
        unknowns[to + SHAPE_SIZE] = own + c;
        unknowns[to + SHAPE_SIZE + 1] = own + 3 + c;
        row[to + SHAPE_SIZE] = seen * alpha * (1 - along);
        row[to + SHAPE_SIZE + 1] = seen * alpha * along;
        unknowns[to + SHAPE_SIZE + 2] = from;
        unknowns[to + SHAPE_SIZE + 3] = from + 1;
        row[to + SHAPE_SIZE + 2] = step * (1 - part);
        row[to + SHAPE_SIZE + 3] = step * part;
      }
      seen *= 1 - alpha;
    }
  }

  /** How far along a layer a place is. */
  private measure(layer: number, x: Float64Array, at: number, u: number, v: number): void {
    const { slope, stops, parts, slopes } = this;
    let along: number;
    if (this.kinds[layer] === 'linear') {
      along = x[at] * u + x[at + 1] * v + x[at + 2];
      slope[0] = u;
      slope[1] = v;
      slope[2] = 1;
      slope[3] = slope[4] = slope[5] = 0;
    } else {
      const [xx, xy, yy] = [x[at + 2], x[at + 3], x[at + 4]];
      const du = u - x[at];
      const dv = v - x[at + 1];
      const p = xx * du + xy * dv;
      const q = xy * du + yy * dv;
      const length = Math.sqrt(p * p + q * q);
      const scale = 1 / Math.max(LEAST_DISTANCE, length);
      along = length - x[at + 5];
      slope[0] = -(xx * p + xy * q) * scale;
      slope[1] = -(xy * p + yy * q) * scale;
      slope[2] = p * du * scale;
      slope[3] = (p * dv + q * du) * scale;
      slope[4] = q * dv * scale;
      slope[5] = -1;
    }
    const last = (layer === 0 ? BASE_STOPS : OVER_STOPS) - 1;
    const place = along * last;
    const isBetween = place > 0 && place < last;
    stops[layer] = Math.max(0, Math.min(last - 1, Math.floor(place)));
    parts[layer] = isBetween ? place - stops[layer] : place > 0 ? 1 : 0;
    const times = isBetween ? last : 0;
    for (let k = 0; k < SHAPE_SIZE; k++) slopes[layer * SHAPE_SIZE + k] = slope[k] * times;
  }
}
