import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';
import { LocalColors } from './local-colors.js';
import { EXPLAINED_SQ, findUnseenColors, OpenPixels, UNEXPLAINED_SQ } from './open-pixels.js';
import type { RampReader } from './ramp-reader.js';
import type { Ground } from './stand-ins.js';

/** With more pixels than these that nothing explains it is no outlines that are left, but confetti, and colors would take seconds. */
const MOST_OPEN = 1 << 14;

/** Colors of what is so thin that no palette of even areas has them, and lies along ramps. */
export interface ThinColors {
  /** The ground with the colors found, from number `first` on. */
  readonly ground: Ground;
  readonly first: number;
  /** Per pixel the one of them that explains it as a mixture with what is around it, -1 for none. */
  readonly colorOf: Int32Array;
}

/**
 * Finds the colors of a clean picture's outlines and strokes between ramps and whatever lies beside them, which have no even area, where what is around them, ramps as they
 * are there, does not explain them. Left as they are, they would be ghosts: on one side nothing is a mixture with what stands for the ramp.
 */
export function findThinColors(
  pixels: WorkingPixels,
  ramps: Ramps,
  ground: Ground,
  readers: readonly RampReader[],
  farthest: number,
): ThinColors {
  const open = new PixelsAlongRamps(pixels, ramps, ground, readers, farthest);
  const isOnRamp = (pixel: number) => open.isOnRamp[pixel] === 1;
  const found = open.isFull ? [] : findUnseenColors(open, pixels, (like) => like.some(isOnRamp));
  const channels = Float64Array.from([...ground.channels, ...found]);
  return { ground: { ...ground, channels, size: channels.length / 4 }, first: ground.size, colorOf: open.colorOf };
}

/** Pixels that no colors around them explain. */
class PixelsAlongRamps extends OpenPixels {
  readonly colorOf: Int32Array;
  /** Pixels (1) that have a ramp near. */
  readonly isOnRamp: Uint8Array;
  private readonly width: number;
  private readonly farthest: number;
  private readonly local: LocalColors;
  /** The place of the color that is taken into account, and its number in the end. */
  private readonly added: number;
  private number: number;

  constructor(pixels: WorkingPixels, ramps: Ramps, ground: Ground, readers: readonly RampReader[], farthest: number) {
    const isMixed = (i: number) => ramps.of[i] < 0 && ground.labelOf(i) < 0;
    super(MOST_OPEN);
    this.width = pixels.width;
    this.farthest = farthest;
    this.local = new LocalColors(pixels, ramps, ground, readers, [0, 0, 0, 0]);
    this.added = ground.size + readers.length;
    this.number = ground.size - 1;
    this.colorOf = new Int32Array(ramps.of.length).fill(-1);
    this.isOnRamp = new Uint8Array(ramps.of.length);
    for (let i = 0; i < ramps.of.length && !this.isFull; i++) if (isMixed(i)) this.look(i);
  }

  get isFull(): boolean {
    return this.count === MOST_OPEN;
  }

  /** Takes a pixel for an open one, where what is around it does not explain it. */
  private look(i: number): void {
    const { local } = this;
    this.lookAround(i);
    if (local.count === 0) return;
    local.explain(i);
    if (local.count === 1) local.tryPair(i, local.candidates[0], local.candidates[0]);
    if (local.error <= UNEXPLAINED_SQ || local.isJunction(i, UNEXPLAINED_SQ)) return;
    if (local.onRamp) this.isOnRamp[i] = 1;
    this.add(i, local.error);
  }

  private lookAround(i: number): void {
    const { local, width, farthest } = this;
    const x = i % width;
    const y = (i - x) / width;
    local.lookAround(x, y, farthest);
    local.readRamps(x, y);
  }

  override explain(color: Float64Array): void {
    this.number++;
    this.local.channels.set(color, this.added * 4);
    super.explain(color);
  }

  protected distanceSq(n: number): number {
    const { local, added } = this;
    const pixel = this.pixels[n];
    this.lookAround(pixel);
    local.error = Infinity;
    for (let k = 0; k < local.count; k++) local.tryPair(pixel, added, local.candidates[k]);
    return local.error;
  }

  /** A pixel is of the color that comes nearest to it, where that is near enough. */
  protected override improved(n: number, error: number): void {
    if (error <= EXPLAINED_SQ) this.colorOf[this.pixels[n]] = this.number;
  }
}
