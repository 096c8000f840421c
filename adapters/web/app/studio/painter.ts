import type { Outlines } from './shapes.js';
import type { VectorLayer } from './vector-layer.js';
import type { Size, View } from './view.js';

export const COMPARE_MODES = ['split', 'trace', 'original', 'difference'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

/** Everything that is to be seen on the stage. */
export interface Scene {
  /** Size of the picture, in pixels. */
  readonly size: Size;
  readonly original: ImageBitmap | null;
  readonly trace: VectorLayer | null;
  /** Shown instead of the trace: one color of it, the others faded. */
  readonly isolated: VectorLayer | null;
  readonly outlines: Outlines | null;
  readonly heat: ImageBitmap | null;
  /** A part of the picture to point at. */
  readonly marker: (Size & { readonly x: number; readonly y: number }) | null;
  readonly mode: CompareMode;
  /** Where the split is, 0..1 of the stage. */
  readonly split: number;
  /** Show what is transparent as a pattern rather than as plain paper. */
  readonly grid: boolean;
}

export interface Inks {
  readonly paper: string;
  readonly gridDark: string;
  readonly accent: string;
  readonly node: string;
}

const GRID_PX = 8;
/** Enlarged past this, the pixels of the picture are shown as squares. */
const PIXELATED_FROM = 1.5;
const MAX_NODES_SHOWN = 20_000;

function paintPaper(surface: CanvasRenderingContext2D, scene: Scene, view: View, ratio: number, inks: Inks): void {
  const [x, y] = [view.x * ratio, view.y * ratio];
  const [width, height] = [scene.size.width * view.scale * ratio, scene.size.height * view.scale * ratio];
  surface.fillStyle = inks.paper;
  surface.fillRect(x, y, width, height);
  if (!scene.grid) return;
  const cell = GRID_PX * ratio;
  surface.save();
  surface.beginPath();
  surface.rect(x, y, width, height);
  surface.clip();
  surface.fillStyle = inks.gridDark;
  surface.beginPath();
  const { width: across, height: down } = surface.canvas;
  for (let row = 0; row * cell < down; row++)
    for (let column = row % 2; column * cell < across; column += 2) surface.rect(column * cell, row * cell, cell, cell);
  surface.fill();
  surface.restore();
}

function paintBitmap(
  surface: CanvasRenderingContext2D,
  bitmap: ImageBitmap,
  { size }: Scene,
  view: View,
  ratio: number,
): void {
  surface.imageSmoothingEnabled = view.scale * ratio < PIXELATED_FROM;
  surface.imageSmoothingQuality = 'high';
  const [width, height] = [size.width * view.scale * ratio, size.height * view.scale * ratio];
  surface.drawImage(bitmap, view.x * ratio, view.y * ratio, width, height);
  surface.imageSmoothingEnabled = true;
}

function paintOutlines(
  surface: CanvasRenderingContext2D,
  { outline, nodes }: Outlines,
  view: View,
  ratio: number,
  inks: Inks,
  isMoving: boolean,
): void {
  const { scale, x, y } = view;
  surface.save();
  surface.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
  surface.strokeStyle = inks.accent;
  surface.lineWidth = 1.2 / scale;
  surface.stroke(outline);
  surface.restore();
  if (isMoving) return;
  const { width, height } = surface.canvas;
  const side = Math.max(3, Math.min(7, scale * 3)) * ratio;
  surface.fillStyle = inks.node;
  surface.strokeStyle = inks.accent;
  surface.lineWidth = ratio;
  surface.beginPath();
  let shown = 0;
  for (let i = 0; i < nodes.length && shown < MAX_NODES_SHOWN; i += 2) {
    const nodeX = ((nodes[i] as number) * scale + x) * ratio;
    const nodeY = ((nodes[i + 1] as number) * scale + y) * ratio;
    if (nodeX < 0 || nodeY < 0 || nodeX > width || nodeY > height) continue;
    surface.rect(nodeX - side / 2, nodeY - side / 2, side, side);
    shown++;
  }
  surface.fill();
  surface.stroke();
}

/** Paints the stage: what it shows depends on nothing but what is given. */
export function paintScene(
  surface: CanvasRenderingContext2D,
  scene: Scene,
  view: View,
  stage: Size,
  ratio: number,
  inks: Inks,
  isMoving: boolean,
): void {
  const { width, height } = surface.canvas;
  surface.setTransform(1, 0, 0, 1, 0, 0);
  surface.clearRect(0, 0, width, height);
  paintPaper(surface, scene, view, ratio, inks);
  const { original, trace, isolated, heat, mode } = scene;
  const drawn = isolated ?? trace;
  const traceLeft = mode === 'split' ? scene.split * width : 0;

  if (mode === 'original' || drawn === null) {
    if (original !== null) paintBitmap(surface, original, scene, view, ratio);
  } else if (mode === 'difference' && heat !== null) paintBitmap(surface, heat, scene, view, ratio);
  else {
    if (mode === 'split' && original !== null && isolated === null) {
      surface.save();
      surface.beginPath();
      surface.rect(0, 0, traceLeft, height);
      surface.clip();
      paintBitmap(surface, original, scene, view, ratio);
      surface.restore();
    }
    surface.save();
    surface.beginPath();
    const from = isolated === null && original !== null ? traceLeft : 0;
    surface.rect(from, 0, width - from, height);
    surface.clip();
    drawn.paint(surface, view, stage, ratio);
    surface.restore();
  }

  if (scene.outlines !== null && mode !== 'original') {
    surface.save();
    surface.beginPath();
    surface.rect(traceLeft, 0, width - traceLeft, height);
    surface.clip();
    paintOutlines(surface, scene.outlines, view, ratio, inks, isMoving);
    surface.restore();
  }
  if (scene.marker !== null) {
    const { x, y, width: across, height: down } = scene.marker;
    surface.strokeStyle = inks.accent;
    surface.lineWidth = 2 * ratio;
    const place = (value: number, offset: number) => (value * view.scale + offset) * ratio;
    surface.strokeRect(place(x, view.x), place(y, view.y), across * view.scale * ratio, down * view.scale * ratio);
  }
}
