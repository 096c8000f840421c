import type { Drawing, DrawingItem, Geometry, Group, Paint, Shape, SolidPaint } from '#domain/drawing/drawing.js';
import { Polylines } from '#domain/drawing/polylines.js';
import { strokeOutline } from '#domain/drawing/stroke-outline.js';
import { Coverage } from './coverage.js';
import { flatten } from './flatten.js';
import { createGradientRamp } from './gradient-ramp.js';

/** Farthest that a curve's chords lie from it, in pixels: a hundredth is 2.5 steps of 255 at the worst pixel. */
const TOLERANCE_PX = 0.01;
const WHITE: SolidPaint = { kind: 'solid', color: 0xffffff, opacity: 1 };

/** Runs shorter than this are written one by one: a call costs more. */
const SHORT_RUN = 12;

/** RGBA, premultiplied, and the box of pixels that may not be empty. */
class Layer {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;

  constructor(width: number, height: number) {
    this.bytes = new Uint8Array(width * height * 4);
    this.words = new Uint32Array(this.bytes.buffer);
    this.forget(width, height);
  }

  forget(width: number, height: number): void {
    this.minX = width;
    this.minY = height;
    this.maxX = 0;
    this.maxY = 0;
  }

  /** Empties the used box. */
  clear(width: number, height: number): void {
    for (let y = this.minY; y < this.maxY; y++) this.words.fill(0, y * width + this.minX, y * width + this.maxX);
    this.forget(width, height);
  }
}

class Rasterizer {
  readonly #drawing: Drawing;
  readonly #width: number;
  readonly #height: number;
  readonly #scaleX: number;
  readonly #scaleY: number;
  readonly #tolerance: number;
  readonly #coverage: Coverage;
  readonly #lines = new Polylines();
  readonly #strokes = new Polylines();
  readonly #indices: Int32Array;
  readonly #color = new Uint8Array(4);
  readonly #colorWord = new Uint32Array(this.#color.buffer);
  /** Empty layers that wait for a group. */
  readonly #spare: Layer[] = [];

  constructor(drawing: Drawing, width: number, height: number) {
    this.#drawing = drawing;
    this.#width = width;
    this.#height = height;
    this.#scaleX = width / drawing.width;
    this.#scaleY = height / drawing.height;
    this.#tolerance = TOLERANCE_PX / Math.max(this.#scaleX, this.#scaleY);
    this.#coverage = new Coverage(width, height);
    this.#indices = new Int32Array(width);
  }

  render(): Uint8Array {
    const layer = this.#takeLayer();
    this.#paintItems(this.#drawing.items, layer);
    return layer.bytes;
  }

  #takeLayer(): Layer {
    return this.#spare.pop() ?? new Layer(this.#width, this.#height);
  }

  #giveBack(layer: Layer): void {
    layer.clear(this.#width, this.#height);
    this.#spare.push(layer);
  }

  #paintItems(items: readonly DrawingItem[], layer: Layer): void {
    for (const item of items) {
      if (item.kind === 'shape') this.#paintShape(item, layer);
      else if (item.kind === 'image')
        continue; // Only drawings that were read have images or masks, and those are not measured.
      else if (item.opacity >= 1 && item.clip === null) this.#paintItems(item.items, layer);
      else this.#paintGroup(item, layer);
    }
  }

  #paintShape({ geometry, fill, stroke }: Shape, layer: Layer): void {
    const lines = this.#lines;
    lines.clear();
    flatten(geometry, this.#drawing, this.#tolerance, lines);
    if (fill !== null) {
      this.#coverage.add(lines, this.#scaleX, this.#scaleY);
      this.#coverage.resolve(geometry.kind === 'path' && geometry.evenOdd, this.#drawing.crispEdges);
      this.#paint(fill, layer);
    }
    if (stroke !== null) {
      this.#strokes.clear();
      strokeOutline(lines, stroke, this.#tolerance, this.#strokes);
      this.#coverage.add(this.#strokes, this.#scaleX, this.#scaleY);
      this.#coverage.resolve(false, this.#drawing.crispEdges);
      this.#paint(stroke.paint, layer);
    }
  }

  #paintGroup({ opacity, clip, items }: Group, layer: Layer): void {
    const own = this.#takeLayer();
    this.#paintItems(items, own);
    const mask = clip === null ? undefined : this.#clipMask(clip);
    const from = own.bytes;
    const to = layer.bytes;
    for (let y = own.minY; y < own.maxY; y++) {
      for (let x = own.minX; x < own.maxX; x++) {
        const at = 4 * (y * this.#width + x);
        if (from[at + 3] === 0) continue;
        const part = mask === undefined ? opacity : (opacity * mask.bytes[at + 3]!) / 255;
        const rest = 1 - (part * from[at + 3]!) / 255;
        for (let c = at; c < at + 4; c++) to[c] = from[c]! * part + to[c]! * rest + 0.5;
      }
    }
    widen(layer, own.minX, own.minY, own.maxX, own.maxY);
    this.#giveBack(own);
    if (mask !== undefined) this.#giveBack(mask);
  }

  /** A layer whose alpha is 255 inside any of the outlines. */
  #clipMask(clip: readonly Geometry[]): Layer {
    const mask = this.#takeLayer();
    for (const geometry of clip) {
      this.#lines.clear();
      flatten(geometry, this.#drawing, this.#tolerance, this.#lines);
      this.#coverage.add(this.#lines, this.#scaleX, this.#scaleY);
      this.#coverage.resolve(geometry.kind === 'path' && geometry.evenOdd, this.#drawing.crispEdges);
      this.#paint(WHITE, mask);
    }
    return mask;
  }

  #paint(paint: Paint, layer: Layer): void {
    const { spanCount, spanRow, spanFrom, spanTo } = this.#coverage;
    if (spanCount === 0) return;
    if (paint.kind === 'solid') this.#paintSolid(paint, layer);
    else this.#paintGradient(paint, layer);
    let minX = this.#width;
    let maxX = 0;
    for (let k = 0; k < spanCount; k++) {
      if (spanFrom[k]! < minX) minX = spanFrom[k]!;
      if (spanTo[k]! > maxX) maxX = spanTo[k]!;
    }
    widen(layer, minX, spanRow[0]!, maxX, spanRow[spanCount - 1]! + 1);
  }

  #paintSolid({ color, opacity }: SolidPaint, layer: Layer): void {
    const { spanCount, spanRow, spanFrom, spanTo, spanCoverage } = this.#coverage;
    const { bytes, words } = layer;
    const width = this.#width;
    const red = color >> 16;
    const green = (color >> 8) & 0xff;
    const blue = color & 0xff;
    this.#color[0] = red;
    this.#color[1] = green;
    this.#color[2] = blue;
    this.#color[3] = 255;
    const word = this.#colorWord[0]!;
    for (let k = 0; k < spanCount; k++) {
      const alpha = spanCoverage[k]! * opacity;
      const from = spanRow[k]! * width + spanFrom[k]!;
      const to = spanRow[k]! * width + spanTo[k]!;
      if (alpha >= 1) {
        if (to - from < SHORT_RUN) for (let i = from; i < to; i++) words[i] = word;
        else words.fill(word, from, to);
        continue;
      }
      const rest = 1 - alpha;
      // One half more, for rounding.
      const r = red * alpha + 0.5;
      const g = green * alpha + 0.5;
      const b = blue * alpha + 0.5;
      const a = 255 * alpha + 0.5;
      for (let i = 4 * from; i < 4 * to; i += 4) {
        bytes[i] = bytes[i]! * rest + r;
        bytes[i + 1] = bytes[i + 1]! * rest + g;
        bytes[i + 2] = bytes[i + 2]! * rest + b;
        bytes[i + 3] = bytes[i + 3]! * rest + a;
      }
    }
  }

  #paintGradient(paint: Exclude<Paint, SolidPaint>, layer: Layer): void {
    const { spanCount, spanRow, spanFrom, spanTo, spanCoverage } = this.#coverage;
    const { bytes } = layer;
    const indices = this.#indices;
    const ramp = createGradientRamp(paint, this.#scaleX, this.#scaleY);
    const colors = ramp.colors;
    for (let k = 0; k < spanCount; k++) {
      const coverage = spanCoverage[k]!;
      const from = spanFrom[k]!;
      const to = spanTo[k]!;
      ramp.indexRow(spanRow[k]!, from, to, indices);
      let at = 4 * (spanRow[k]! * this.#width + from);
      for (let i = 0; i < to - from; i++, at += 4) {
        const index = indices[i]!;
        const rest = 1 - (coverage * colors[index + 3]!) / 255;
        for (let c = 0; c < 4; c++) bytes[at + c] = bytes[at + c]! * rest + colors[index + c]! * coverage + 0.5;
      }
    }
  }
}

function widen(layer: Layer, minX: number, minY: number, maxX: number, maxY: number): void {
  if (minX < layer.minX) layer.minX = minX;
  if (minY < layer.minY) layer.minY = minY;
  if (maxX > layer.maxX) layer.maxX = maxX;
  if (maxY > layer.maxY) layer.maxY = maxY;
}

/**
 * Draws a drawing, stretched onto `width` x `height` pixels: RGBA bytes, premultiplied, on transparent ground. Coverage is the
 * exact area of each shape in each pixel, shapes are laid over each other in sRGB as browsers do. Overlapping parts of one
 * outline are exact but for the pixels on their edges. Throws RangeError on sizes that are not whole and positive.
 */
export function renderDrawing(drawing: Drawing, width: number, height: number): Uint8Array {
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0))
    throw new RangeError(`cannot render at ${width} x ${height} pixels`);
  return new Rasterizer(drawing, width, height).render();
}
