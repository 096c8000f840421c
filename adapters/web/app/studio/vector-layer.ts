import type { Size, View } from './view.js';

/** Longest side of the copy that is shown while the view moves. */
const BASE_PX = 2048;

type Surface = CanvasRenderingContext2D;

const canvasOf = (width: number, height: number): Surface => {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  return canvas.getContext('2d') as Surface;
};

/** Loads markup as an image: scripts do not run in it, and it fetches nothing. Rejects where it cannot be shown. */
export async function loadSvg(svg: string): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } finally {
    // What is decoded stays; the address is not needed again.
    URL.revokeObjectURL(url);
  }
  return image;
}

/**
 * A drawing on the stage. Painting thousands of paths takes longer than a frame, so a copy is painted once for moving, and the
 * paths themselves only where the view has come to rest.
 */
export class VectorLayer {
  readonly #image: HTMLImageElement;
  readonly #size: Size;
  readonly #base: HTMLCanvasElement;
  #sharp: { readonly canvas: HTMLCanvasElement; readonly view: View; readonly ratio: number } | undefined;

  constructor(image: HTMLImageElement, size: Size) {
    this.#image = image;
    this.#size = size;
    const scale = BASE_PX / Math.max(size.width, size.height);
    const base = canvasOf(size.width * scale, size.height * scale);
    base.drawImage(image, 0, 0, base.canvas.width, base.canvas.height);
    this.#base = base.canvas;
  }

  /** The drawing at the size of the picture. */
  pixels(width: number, height: number): ImageData {
    const surface = canvasOf(width, height);
    surface.drawImage(this.#image, 0, 0, width, height);
    return surface.getImageData(0, 0, width, height);
  }

  /** Whether the paths themselves are painted for this view. */
  isSharp(view: View, stage: Size, ratio: number): boolean {
    const at = this.#sharp;
    return (
      at !== undefined &&
      at.ratio === ratio &&
      at.view.scale === view.scale &&
      at.view.x === view.x &&
      at.view.y === view.y &&
      at.canvas.width === Math.round(stage.width * ratio) &&
      at.canvas.height === Math.round(stage.height * ratio)
    );
  }

  /** Paints the paths for this view; takes as long as there are paths. */
  sharpen(view: View, stage: Size, ratio: number): void {
    const surface = canvasOf(stage.width * ratio, stage.height * ratio);
    const { scale, x, y } = view;
    surface.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    surface.drawImage(this.#image, 0, 0, this.#size.width, this.#size.height);
    this.#sharp = { canvas: surface.canvas, view, ratio };
  }

  /** Paints what there is of it, in device pixels of the stage. */
  paint(target: Surface, view: View, stage: Size, ratio: number): void {
    const { width, height } = this.#size;
    if (this.isSharp(view, stage, ratio)) {
      target.drawImage((this.#sharp as { canvas: HTMLCanvasElement }).canvas, 0, 0);
      return;
    }
    const place = [view.x * ratio, view.y * ratio, width * view.scale * ratio, height * view.scale * ratio] as const;
    const sharp = this.#sharp;
    const delta = sharp === undefined ? 0 : (view.scale / sharp.view.scale) * (ratio / sharp.ratio);
    // An older view that is still about as fine is shown where it reaches, the copy around it.
    if (sharp === undefined || delta > 4 || delta < 0.25) {
      target.drawImage(this.#base, ...place);
      return;
    }
    const left = view.x * ratio - sharp.view.x * sharp.ratio * delta;
    const top = view.y * ratio - sharp.view.y * sharp.ratio * delta;
    const [across, down] = [sharp.canvas.width * delta, sharp.canvas.height * delta];
    target.save();
    const around = new Path2D();
    around.rect(0, 0, target.canvas.width, target.canvas.height);
    around.rect(left, top, across, down);
    target.clip(around, 'evenodd');
    target.drawImage(this.#base, ...place);
    target.restore();
    target.drawImage(sharp.canvas, left, top, across, down);
  }
}
