import type { ImageDecoder } from '#application/ports/image-decoder.js';
import { type Raster, TRACE_STAGES, type Tracer } from '#application/ports/tracer.js';
import type { Drawing, DrawingItem } from '#domain/drawing/drawing.js';
import { LINE, MOVE } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';

/** What a PPM picture's comment may ask of the tracer, to see what its surroundings make of it. */
export type Mischief =
  /** Works until it is stopped, with a checkpoint every millisecond. */
  | 'endless'
  /** Works for ever and never looks up. */
  | 'stuck'
  /** Ends its thread. */
  | 'exit'
  /** Fills the JavaScript heap. */
  | 'hog'
  /** Takes memory beside the JavaScript heap, without end. */
  | 'swell'
  /** Throws what is no refusal. */
  | 'throw';

/** A PPM (P6) file of a picture; alpha is left out. */
export function toPpm({ width, height, data }: Raster, mischief?: Mischief): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(`P6\n${mischief ? `#${mischief}\n` : ''}${width} ${height}\n255\n`);
  const bytes = new Uint8Array(header.length + width * height * 3);
  bytes.set(header);
  for (let i = 0; i < width * height; i++) bytes.set(data.subarray(i * 4, i * 4 + 3), header.length + i * 3);
  return bytes;
}

interface Ppm extends Raster {
  readonly mischief: Mischief | undefined;
}

/** Reads what `toPpm` writes, with the errors of a real decoder. */
function readPpm(bytes: Uint8Array): Ppm {
  const match = /^P6\n(?:#(\w+)\n)?(\d+) (\d+)\n255\n/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 80)));
  if (match === null) throw new ServiceError('UNSUPPORTED_IMAGE');
  const [header, mischief, ...sides] = match;
  const [width, height] = sides.map(Number) as [number, number];
  if (width * height > 1_000_000) throw new ServiceError('IMAGE_TOO_LARGE', { width, height, limitPixels: 1_000_000 });
  if (bytes.length !== header.length + width * height * 3)
    throw new ServiceError('UNREADABLE_IMAGE', { format: 'ppm', problem: 'it is cut short' });
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++)
    data.set(bytes.subarray(header.length + i * 3, header.length + i * 3 + 3), i * 4);
  return { width, height, data, mischief: mischief as Mischief | undefined };
}

export const ppmDecoder: ImageDecoder = {
  decode: async (bytes) => ({ ...readPpm(bytes), format: 'ppm' }),
};

/** One rectangle, as a path, for each run of equal pixels in a row. */
function drawRuns({ width, height, data }: Raster): Drawing {
  const items: DrawingItem[] = [];
  const coords: number[] = [];
  const commands: number[] = [];
  const at = (x: number, y: number) => new DataView(data.buffer, data.byteOffset).getUint32((y * width + x) * 4);
  for (let y = 0; y < height; y++) {
    for (let from = 0, to = 0; from < width; from = to) {
      const color = at(from, y);
      while (to < width && at(to, y) === color) to++;
      items.push({
        kind: 'shape',
        geometry: {
          kind: 'path',
          firstCommand: commands.length,
          commandCount: 4,
          firstCoord: coords.length,
          evenOdd: false,
        },
        fill: { kind: 'solid', color: color >>> 8, opacity: (color & 0xff) / 255 },
        stroke: null,
        visibleAreaPx: to - from,
      });
      commands.push(MOVE, LINE, LINE, LINE);
      coords.push(from, y, to, y, to, y + 1, from, y + 1);
    }
  }
  return {
    width,
    height,
    items,
    commands: Uint8Array.from(commands),
    coords: Float64Array.from(coords),
    crispEdges: true,
  };
}

function misbehave(mischief: Mischief | undefined, checkpoint: () => void) {
  if (mischief === 'throw') throw new Error('a fault inside the tracer, secret');
  if (mischief === 'exit') process.exit(7);
  const hoard: unknown[] = [];
  while (mischief === 'endless' || mischief === 'stuck' || mischief === 'hog' || mischief === 'swell') {
    const untilMs = performance.now() + 1;
    while (performance.now() < untilMs);
    if (mischief === 'endless') checkpoint();
    if (mischief === 'swell') hoard.push(Buffer.alloc(1_000_000, 1));
    if (mischief === 'hog') for (let i = 0; i < 10_000; i++) hoard.push({ i, text: `x${i}` });
  }
}

/** A small, honest tracer: every run of equal pixels becomes a rectangle. Pictures are PPM files or pixels. */
export const createRunTracer = (id = 'planar'): Tracer => ({
  id,
  version: `${id}-runs-1`,
  async trace({ picture, fidelity, timeoutMs, tier, onProgress }, signal) {
    const startMs = performance.now();
    const checkpoint = (stage: (typeof TRACE_STAGES)[number], fraction: number) => {
      if (signal?.aborted) throw new ServiceError('CANCELLED');
      if (performance.now() - startMs > timeoutMs)
        throw new ServiceError('CONVERSION_TIMEOUT', { limitMs: timeoutMs, tier: tier.id });
      onProgress?.(stage, fraction);
    };
    checkpoint('decode', 0);
    const read: Ppm = picture.kind === 'encoded' ? readPpm(picture.bytes) : { ...picture.raster, mischief: undefined };
    const { width, height, mischief } = read;
    // Like a real one that awaits its decoder: who aborts in the calling thread gets a turn.
    await new Promise((resolve) => setImmediate(resolve));
    misbehave(mischief, () => checkpoint('segment', 0.4));
    for (const [i, stage] of TRACE_STAGES.entries()) if (i > 0) checkpoint(stage, i / TRACE_STAGES.length);
    return {
      drawing: drawRuns(read),
      source: { width, height, format: picture.kind === 'encoded' ? 'ppm' : undefined },
      workingSize: { width, height },
      detectedType: 'pixel_art',
      typeConfidence: 1,
      typeReason: 'everything is runs here',
      edgeRecoveryResolved: 'off',
      edgeRecoveryReason: 'not asked for',
      decided: {},
      notes: [],
      fidelity: fidelity
        ? { psnr: 99, ssim: 1, deltaE00: 0, worst: { x: 0, y: 0, width: 1, height: 1, deltaE00: 0 } }
        : null,
      timingsMs: { decode: 1, recover: 0, segment: 1, fit: 1, write: 0, score: 0 },
    };
  },
});
