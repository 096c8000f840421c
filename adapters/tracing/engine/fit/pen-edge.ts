import type { Regions } from '../segment/regions.js';
import { nearCrack, PURE, WALK_PX } from './crack-walk.js';

/**
 * Where a line thinner than a pixel lies between two grounds whose colors are nearly in line with its own, as black hair, outlined in black, has on white paper. What pixels have of each of the three
 * cannot be told then: a wider line there is as good as an edge that is a little farther away. Lines are drawn with one pen, though, and with its width the sum over the
 * pixels across the line tells where its edges are.
 */
export class PenEdge {
  private readonly of: Int32Array;
  private readonly colors: Float64Array;
  private readonly rgba: Uint8Array;
  private readonly widthPx: number;
  /** The ground's share of a pixel that is the ground and what is behind the line is k0 + k · pixel; the line's own. */
  private readonly k = new Float64Array(4);
  private k0 = 0;
  private ofLine = 0;

  constructor({ of, colors }: Regions, rgba: Uint8Array, widthPx: number) {
    this.of = of;
    this.colors = colors;
    this.rgba = rgba;
    this.widthPx = widthPx;
  }

  /**
   * How far beyond the crack the ground's edge is, px. `ground` is its pixel there, `step` leads to the line's, `depth` of them, and on to the pixel `behind`; so many pixels
   * lie on either side, and a line across which one px is `stretch` px of a row or column.
   */
  offset(
    ground: number,
    behind: number,
    step: number,
    depth: number,
    groundCount: number,
    lineCount: number,
    stretch: number,
  ): number {
    this.use(this.of[ground], this.of[ground + step], this.of[behind]);
    let sum = -this.ofLine * this.widthPx * stretch;
    let pixel = ground;
    for (let z = 0; z < WALK_PX && z < groundCount; z++, pixel -= step) {
      const t = this.share(pixel);
      sum += t - 1;
      if (Math.abs(t - 1) < 1 - PURE) break;
    }
    pixel = ground + step;
    for (let z = 0; z < depth + WALK_PX && z < lineCount; z++, pixel += step) {
      const t = this.share(pixel);
      if (z >= depth && Math.abs(t) < 1 - PURE) break;
      sum += t;
    }
    return nearCrack(sum);
  }

  private use(ground: number, line: number, behind: number): void {
    const { colors, k } = this;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      k[c] = colors[ground * 4 + c] - colors[behind * 4 + c];
      lengthSq += k[c] * k[c];
    }
    this.k0 = 0;
    this.ofLine = 0;
    for (let c = 0; c < 4; c++) {
      k[c] = lengthSq > 0 ? k[c] / lengthSq : 0;
      this.k0 -= k[c] * colors[behind * 4 + c];
      this.ofLine += k[c] * colors[line * 4 + c];
    }
    this.ofLine += this.k0;
  }

  /** Below 0 and above 1 where the line's color lies beyond the two. */
  private share(pixel: number): number {
    const { k, rgba } = this;
    const at = pixel * 4;
    return this.k0 + k[0] * rgba[at] + k[1] * rgba[at + 1] + k[2] * rgba[at + 2] + k[3] * rgba[at + 3];
  }
}
