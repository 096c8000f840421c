import type { WorkingPixels } from '../intake/working-pixels.js';
import { type FlatLabels, MOST_KNOWN, Unmixer } from './label-flat.js';
import { ThreeColors } from './three-colors.js';

/** The share of the pixels that known colors must explain for there to be no new one; so well, squared. */
const EXPLAINED_SHARE = 0.9;
const KNOWN_SQ = 12 * 12;
/** How far around a pixel the colors are that it may be a mixture of. */
const NEAR_PX = 2;
/** About so many of the pixels are looked at before all of them are. */
const PROBES = 256;

/**
 * Explains mixed pixels (numbers in `flat`'s lists) that look alike by one or two colors around them and another that is known, one of all these
 * being that of many fine lines (`ofLines`): in a thicket of such lines the ground between them is nowhere seen pure, and several
 * colors meet in one pixel. Whether that explains nearly all of them; their labels, others and errors are changed only then.
 */
export function explainThicket(
  pixels: WorkingPixels,
  palette: Float64Array,
  ofLines: readonly number[],
  flat: FlatLabels,
  alike: Int32Array,
): boolean {
  if (palette.length / 4 > MOST_KNOWN) return false;
  const { labels, mixed, errors, others } = flat;
  const mixer = new ThicketMixer(pixels, palette, ofLines, labels);
  const step = Math.ceil(alike.length / PROBES);
  let probed = 0;
  let explained = 0;
  for (let n = 0; n < alike.length; n += step, probed++) if (mixer.explain(mixed[alike[n]])) explained++;
  if (explained < EXPLAINED_SHARE * probed) return false;
  // As the labels are now, not as the pixels before have left them.
  const found = new Int32Array(alike.length).fill(-1);
  const second = new Int32Array(alike.length);
  const left = new Float64Array(alike.length);
  for (let n = 0; n < alike.length; n++) {
    if (!mixer.explain(mixed[alike[n]])) continue;
    found[n] = mixer.label;
    second[n] = mixer.other;
    left[n] = mixer.error;
  }
  for (let n = 0; n < alike.length; n++) {
    if (found[n] < 0) continue;
    const k = alike[n];
    labels[mixed[k]] = found[n];
    errors[k] = left[n];
    if (others !== undefined) others[k] = second[n];
  }
  return true;
}

class ThicketMixer {
  /** What covers most of the pixel explained last, the other color of it (-1 where there are two others), and how far it is off, squared. */
  label = 0;
  other = -1;
  error = 0;
  private readonly rgba: Uint8Array;
  private readonly width: number;
  private readonly height: number;
  private readonly palette: Float64Array;
  private readonly labels: Int32Array;
  private readonly isOfLines: Uint8Array;
  private readonly unmixer: Unmixer;
  private readonly three = new ThreeColors();
  private readonly near = new Int32Array((2 * NEAR_PX + 1) ** 2);

  constructor(
    { rgba, width, height }: WorkingPixels,
    palette: Float64Array,
    ofLines: readonly number[],
    labels: Int32Array,
  ) {
    this.rgba = rgba;
    this.width = width;
    this.height = height;
    this.palette = palette;
    this.labels = labels;
    this.isOfLines = new Uint8Array(palette.length / 4);
    for (const color of ofLines) this.isOfLines[color] = 1;
    this.unmixer = new Unmixer(rgba, palette);
  }

  explain(pixel: number): boolean {
    const count = this.lookAround(pixel);
    return this.tryPairs(pixel, count) || this.tryThrees(pixel, count);
  }

  private tryPairs(pixel: number, count: number): boolean {
    const { unmixer, near, isOfLines } = this;
    unmixer.error = KNOWN_SQ;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < isOfLines.length; k++) {
        if (k !== near[i] && isOfLines[near[i]] + isOfLines[k] > 0) unmixer.tryPair(pixel, near[i], k);
      }
    }
    if (unmixer.error >= KNOWN_SQ) return false;
    this.label = unmixer.label;
    this.other = unmixer.other;
    this.error = unmixer.error;
    return true;
  }

  private tryThrees(pixel: number, count: number): boolean {
    const { rgba, near, isOfLines, three, palette } = this;
    this.error = KNOWN_SQ;
    for (let line = 0; line < isOfLines.length; line++) {
      if (isOfLines[line] === 0) continue;
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < i; j++) {
          if (near[i] === line || near[j] === line || !three.use(palette, near[i], near[j], line)) continue;
          const error = three.distanceSq(rgba, pixel);
          if (error >= this.error) continue;
          const largest = three.largest(rgba, pixel);
          this.error = error;
          this.label = largest === 0 ? near[i] : largest === 1 ? near[j] : line;
          this.other = -1;
        }
      }
    }
    return this.error < KNOWN_SQ;
  }

  /** Lists the colors around a pixel, its own among them, each once; returns how many. */
  private lookAround(pixel: number): number {
    const { labels, near, width, height } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    let count = 0;
    for (let v = Math.max(0, y - NEAR_PX); v <= Math.min(height - 1, y + NEAR_PX); v++) {
      for (let u = Math.max(0, x - NEAR_PX); u <= Math.min(width - 1, x + NEAR_PX); u++) {
        const label = labels[v * width + u];
        let k = 0;
        while (k < count && near[k] !== label) k++;
        if (k === count) near[count++] = label;
      }
    }
    return count;
  }
}
