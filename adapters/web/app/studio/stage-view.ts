import { type Inks, paintScene, type Scene } from './painter.js';
import { between, fitView, focusView, keepInSight, panBy, type Size, type View, zoomAt } from './view.js';

/** The view has come to rest after so long without a change. */
const REST_MS = 140;
const GLIDE_MS = 260;

const prefersStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Colors as the page's theme has them; the properties are registered as colors, so that they come resolved. */
function readInks(element: Element): Inks {
  const style = getComputedStyle(element);
  const ink = (name: string) => style.getPropertyValue(name).trim();
  return { paper: ink('--paper'), gridDark: ink('--grid'), accent: ink('--accent'), node: ink('--node') };
}

/** The canvas of the stage and the view on it. Paints at most once a frame, and only when something has changed. */
export class StageView {
  readonly #canvas: HTMLCanvasElement;
  readonly #surface: CanvasRenderingContext2D;
  readonly #onScale: (scale: number) => void;
  readonly #observer: ResizeObserver;
  #scene: Scene | null = null;
  #inks: Inks | null = null;
  #stage: Size = { width: 1, height: 1 };
  #view: View = { scale: 1, x: 0, y: 0 };
  #isFitted = true;
  #frame = 0;
  #resting = 0;
  #isMoving = false;

  constructor(canvas: HTMLCanvasElement, onScale: (scale: number) => void) {
    this.#canvas = canvas;
    this.#surface = canvas.getContext('2d') as CanvasRenderingContext2D;
    this.#onScale = onScale;
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
  }

  get scale(): number {
    return this.#view.scale;
  }

  #resize(): void {
    const { width, height } = this.#canvas.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    const [dx, dy] = [(width - this.#stage.width) / 2, (height - this.#stage.height) / 2];
    this.#stage = { width, height };
    this.#canvas.width = Math.round(width * devicePixelRatio);
    this.#canvas.height = Math.round(height * devicePixelRatio);
    if (this.#isFitted) this.fit(false);
    else this.#move({ ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy });
    // A canvas that was given a size is empty: it must not be seen so.
    this.#paint();
  }

  /** Shows a scene; another picture is shown whole. */
  show(scene: Scene, isOther: boolean): void {
    this.#scene = scene;
    this.#tellRest(false);
    if (isOther) this.fit(false);
    this.#invalidate();
  }

  #invalidate(): void {
    this.#frame ||= requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const scene = this.#scene;
    if (scene === null) return;
    const ratio = devicePixelRatio;
    const layer = scene.isolated ?? scene.trace;
    const showsTrace = scene.mode === 'split' || scene.mode === 'trace';
    if (!this.#isMoving && showsTrace && layer !== null && !layer.isSharp(this.#view, this.#stage, ratio))
      layer.sharpen(this.#view, this.#stage, ratio);
    this.#inks ??= readInks(this.#canvas);
    paintScene(this.#surface, scene, this.#view, this.#stage, ratio, this.#inks, this.#isMoving);
    const isWhole =
      (!showsTrace || layer?.isSharp(this.#view, this.#stage, ratio) === true) &&
      (scene.mode !== 'difference' || scene.heat !== null);
    this.#tellRest(!this.#isMoving && isWhole);
  }

  /** The element says whether all there is to see stands still on it, at its finest. */
  #tellRest(rests: boolean): void {
    this.#canvas.dataset.rests = rests ? 'yes' : 'no';
  }

  #move(view: View): void {
    this.#view = view;
    this.#isMoving = true;
    this.#tellRest(false);
    clearTimeout(this.#resting);
    this.#resting = window.setTimeout(() => {
      this.#isMoving = false;
      this.#invalidate();
    }, REST_MS);
    this.#onScale(view.scale);
    this.#invalidate();
  }

  #glide(to: View): void {
    if (prefersStill()) {
      this.#move(to);
      return;
    }
    const from = this.#view;
    const start = performance.now();
    const step = () => {
      const t = Math.min(1, (performance.now() - start) / GLIDE_MS);
      this.#move(between(from, to, 1 - (1 - t) ** 3));
      if (t < 1) requestAnimationFrame(step);
    };
    step();
  }

  /** The whole picture. */
  fit(glides = true): void {
    if (this.#scene === null) return;
    this.#isFitted = true;
    const to = fitView(this.#scene.size, this.#stage);
    if (glides) this.#glide(to);
    else this.#move(to);
  }

  focus(part: NonNullable<Scene['marker']>): void {
    if (this.#scene === null) return;
    this.#isFitted = false;
    this.#glide(keepInSight(focusView(part, this.#stage), this.#scene.size, this.#stage));
  }

  pan(dx: number, dy: number): void {
    if (this.#scene === null) return;
    this.#isFitted = false;
    this.#move(panBy(this.#view, dx, dy, this.#scene.size, this.#stage));
  }

  /** Around a point in pixels of the page; around the middle where none is given. */
  zoom(factor: number, at?: { readonly clientX: number; readonly clientY: number }): void {
    if (this.#scene === null) return;
    this.#isFitted = false;
    const box = this.#canvas.getBoundingClientRect();
    const point =
      at === undefined
        ? { x: this.#stage.width / 2, y: this.#stage.height / 2 }
        : { x: at.clientX - box.left, y: at.clientY - box.top };
    this.#move(zoomAt(this.#view, factor, point, this.#scene.size, this.#stage));
  }

  zoomTo(scale: number): void {
    this.zoom(scale / this.#view.scale);
  }

  /** Paints again with the colors of a theme that has changed. */
  repaint(): void {
    this.#inks = null;
    this.#invalidate();
  }

  end(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#resting);
  }
}
