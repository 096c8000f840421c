import type { ImageDecoder } from '#application/ports/image-decoder.js';
import { TRACE_STAGES, type TraceRequest, type Tracer } from '#application/ports/tracer.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';

export interface SingleColorTracerOptions {
  readonly id?: string;
  readonly decoder?: ImageDecoder;
  /** What it says that it decided. */
  readonly decided?: Readonly<Record<string, unknown>>;
  /** Runs before the picture is looked at. */
  readonly before?: (request: TraceRequest, signal: AbortSignal | undefined) => void | Promise<void>;
}

/** Traces pictures of one color, as one rectangle. Keeps the requests it was given. */
export function createSingleColorTracer(
  options: SingleColorTracerOptions = {},
): Tracer & { readonly requests: TraceRequest[] } {
  const { id = 'planar', decoder, decided = {}, before } = options;
  const requests: TraceRequest[] = [];
  return {
    id,
    version: `${id}-test-1`,
    requests,
    async trace(request, signal) {
      requests.push(request);
      await before?.(request, signal);
      if (signal?.aborted) throw new ServiceError('CANCELLED');
      const { picture } = request;
      let format: string | undefined;
      let raster = picture.kind === 'raster' ? picture.raster : undefined;
      if (picture.kind === 'encoded') {
        if (decoder === undefined) throw new ServiceError('UNSUPPORTED_IMAGE');
        const decoded = await decoder.decode(picture.bytes);
        format = decoded.format;
        raster = decoded;
      }
      const { width, height, data } = raster!;
      for (const [i, stage] of TRACE_STAGES.entries()) request.onProgress?.(stage, i / TRACE_STAGES.length);
      const drawing: Drawing = {
        width,
        height,
        commands: new Uint8Array(),
        coords: new Float64Array(),
        crispEdges: false,
        items: [
          {
            kind: 'shape',
            geometry: { kind: 'rect', x: 0, y: 0, width, height, radius: 0 },
            fill: { kind: 'solid', color: (data[0]! << 16) | (data[1]! << 8) | data[2]!, opacity: data[3]! / 255 },
            stroke: null,
            visibleAreaPx: width * height,
          },
        ],
      };
      return {
        drawing,
        source: { width, height, format },
        workingSize: { width, height },
        detectedType: 'flat_art',
        typeConfidence: 1,
        typeReason: 'one color',
        edgeRecoveryResolved: 'off',
        edgeRecoveryReason: 'not asked for',
        decided,
        notes: [],
        fidelity: request.fidelity
          ? { psnr: 99, ssim: 1, deltaE00: 0, worst: { x: 0, y: 0, width, height, deltaE00: 0 } }
          : null,
        timingsMs: { decode: 1, recover: 2, segment: 3, fit: 4, write: 5, score: 6 },
      };
    },
  };
}

/** RGBA pixels of one color, 0xRRGGBBAA. */
export function singleColorRaster(width: number, height: number, rgba: number) {
  const data = new Uint8Array(width * height * 4);
  const channels = [rgba >>> 24, (rgba >>> 16) & 0xff, (rgba >>> 8) & 0xff, rgba & 0xff];
  for (let i = 0; i < data.length; i++) data[i] = channels[i % 4]!;
  return { width, height, data };
}
