import { CHROMA_HALVED, CHROMA_LINE, CHROMA_REACH, CHROMA_SMOOTH, CHROMA_SUMS } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { rowsAtOnce } from '../kernels/rows-at-once.js';
import type { EnginePicture } from '../types.js';
import type { ChromaSampling, HalvedAxis } from './chroma-sampling.js';
import type { WorkingPixels } from './working-pixels.js';

/** Samples above and below a part that tell of it: those that colors are followed over, and one more that these are halved with. */
const SAMPLES_AROUND = CHROMA_REACH + 1;
/**
 * Bytes that the kernel needs for a sample: four numbers in single precision, and whether it is even; for each of a row of them: its sums, its line and its lightness, which rows these are of,
 * and whether it lacks nothing; and for what lies between.
 */
const BYTES_A_SAMPLE = 4 * 4 + 1;
const BYTES_A_COLUMN = 8 * (CHROMA_SUMS + CHROMA_LINE + 1) + 2 * 4 + 1;
const BYTES_BETWEEN = 16;

/**
 * A picture whose colors were kept at half its resolution with colors as sharp as its lightness. Near an edge of two colors both go by what either covers of a pixel, so that the
 * one is a line over the other; that line is fitted where both are halved, and then taken at what the full lightness has beyond its halves (guided upsampling: He, Sun
 * and Tang, Guided Image Filtering, 2010). Lightness stays as it is, and colors within those of the samples around. The kernel does (`chroma-detail.as.ts`), a part of the picture
 * after the other.
 */
export function withChromaDetail(pixels: WorkingPixels, { along, down }: ChromaSampling): EnginePicture {
  const { width, height, rgba, words } = pixels;
  const data = new Uint8Array(rgba);
  const restored = new Uint32Array(data.buffer);
  const samplesAcross = samplesOf(along, width);
  const samplesDown = samplesOf(down, height);
  const begin = (sample: number) => beginOf(sample, down, height);
  const step = Math.ceil((rowsAtOnce(width) * samplesDown) / height);
  for (let from = 0; from < samplesDown; from += step) {
    const to = Math.min(samplesDown, from + step);
    const first = Math.max(0, from - SAMPLES_AROUND);
    const behind = Math.min(samplesDown, to + SAMPLES_AROUND);
    const top = begin(first);
    const rows = begin(behind) - top;
    const ownRows = begin(to) - begin(from);
    const bytes =
      4 * width * (rows + ownRows) +
      BYTES_A_SAMPLE * samplesAcross * (behind - first) +
      BYTES_A_COLUMN * samplesAcross +
      BYTES_BETWEEN;
    const { buffer, byteOffset } = kernelMemory.scratch(Math.ceil(bytes / 8));
    const part = new Uint32Array(buffer, byteOffset, width * (rows + ownRows));
    part.set(words.subarray(top * width, (top + rows) * width));
    kernelMemory.kernel.restoreChroma(
      width,
      rows,
      samplesAcross,
      behind - first,
      from - first,
      to - first,
      modeOf(along),
      along?.first ?? 0,
      modeOf(down),
      // What begins within the picture begins with a pair.
      first === 0 ? (down?.first ?? 0) : 0,
    );
    restored.set(part.subarray(width * rows), begin(from) * width);
  }
  return { width, height, data };
}

const samplesOf = (axis: HalvedAxis | undefined, length: number): number =>
  axis === undefined ? length : (length + axis.first + 1) >> 1;

/** The first pixel that lies in a sample, or what is behind the last. */
const beginOf = (sample: number, axis: HalvedAxis | undefined, length: number): number =>
  axis === undefined ? sample : Math.max(0, Math.min(length, 2 * sample - axis.first));

const modeOf = (axis: HalvedAxis | undefined): number =>
  axis === undefined ? 0 : axis.smooth ? CHROMA_SMOOTH : CHROMA_HALVED;
