import type { HeatRequest } from './heat.worker.js';
import type { VectorLayer } from './vector-layer.js';
import type { Size } from './view.js';

/** Larger pictures are compared reduced to this many pixels. */
const MAX_PIXELS = 1_500_000;

/** A picture of where the trace differs from the original, worked out beside the page. */
export async function paintHeat(original: ImageBitmap, trace: VectorLayer, size: Size): Promise<ImageBitmap> {
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (size.width * size.height)));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const surface = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  surface.drawImage(original, 0, 0, width, height);
  const request: HeatRequest = {
    width,
    height,
    original: surface.getImageData(0, 0, width, height).data.buffer as ArrayBuffer,
    trace: trace.pixels(width, height).data.buffer as ArrayBuffer,
  };
  const worker = new Worker(new URL('./heat.worker.ts', import.meta.url), { type: 'module' });
  try {
    const buffer = await new Promise<ArrayBuffer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => resolve(data);
      worker.onerror = () => reject(new Error('The difference could not be worked out.'));
      worker.postMessage(request, [request.original, request.trace]);
    });
    return await createImageBitmap(new ImageData(new Uint8ClampedArray(buffer), width, height));
  } finally {
    worker.terminate();
  }
}
