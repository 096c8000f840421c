import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Raster, TraceOutcome, TraceRequest, Tracer } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { CLOSE, COORDS_PER_COMMAND, CUBIC, type Drawing, LINE, MOVE, type Shape } from '#domain/drawing/drawing.js';
import type { SettingValues } from '#domain/presets/resolve-settings.js';
import { fidelityOf } from '../fidelity/fidelity-of.js';
import { reduceRaster, reductionNotes } from '../reduce-raster.js';
import { scaleDrawing } from '../scale-drawing.js';
import { Stopwatch } from '../stopwatch.js';
import type {
  PotraceBitmap,
  PotraceCurve,
  PotraceLibrary,
  PotracePackage,
  PotraceParameters,
} from './potrace-library.js';
import { findTones, lumaOf, SOLID, type Tone, type Tones } from './tones.js';

export interface PotraceTracerDeps {
  readonly decoder: ImageDecoder;
  readonly potrace: PotracePackage;
}

/** Tones of a picture that is not black and white, unless a palette count says otherwise. */
const TONES = 6;
const SPOT_PX = 2;
const JOIN_TOLERANCE_PX = 0.2;
const CORNERS = 1;
/** Potrace errs where black touches the border of its bitmap, and rounds corners; so far outside the picture neither shows. */
const MARGIN_PX = 4;
/** `simplification` at which nothing is multiplied. */
const NEUTRAL = 0.25;

/**
 * Potrace (Selinger 2003) behind the Tracer port: black and white, and for anything else a stack of tones, each an outline
 * around everything that is as dark or darker. It knows bits, not sub-pixel edges; it is here because people ask for it.
 */
export const createPotraceTracer = ({ decoder, potrace }: PotraceTracerDeps): Tracer => ({
  id: 'potrace',
  version: `potrace-${potrace.version}`,
  async trace(request, signal) {
    const stopwatch = new Stopwatch(request, signal);
    stopwatch.begin('decode', 0);
    const { picture, settings, tier } = request;
    const decoded = picture.kind === 'raster' ? undefined : await decoder.decode(picture.bytes);
    const raster: Raster = picture.kind === 'raster' ? picture.raster : (decoded as Raster);
    const { values } = settings;

    stopwatch.begin('segment', 0);
    const working = reduceRaster(raster, tier.maxWorkingPixels);
    const tones = findTones(working, toneCount(values));
    const parameters = parametersOf(values);
    const layers = new Layers(potrace.load(), working, tones, parameters);
    const first = tones.opaque ? 1 : 0;
    if (tones.opaque) layers.addGround(paintOf(tones.classes[0] as Tone, values));
    for (let k = first; k < tones.classes.length; k++) {
      stopwatch.begin('fit', (k - first) / tones.classes.length);
      layers.add(tones.classes[k] as Tone, paintOf(tones.classes[k] as Tone, values, k));
    }
    stopwatch.begin('write', 0);
    const drawing = scaleDrawing(layers.finish(), raster.width, raster.height);
    stopwatch.begin('score', 0);
    const fidelity = fidelityOf(request, raster, drawing);
    stopwatch.end();
    const bw = values.color_mode === 'bw';
    const outcome: TraceOutcome = {
      drawing,
      source: { width: raster.width, height: raster.height, format: decoded?.format },
      workingSize: { width: working.width, height: working.height },
      detectedType: bw ? 'line_art' : 'illustration',
      typeConfidence: 0,
      typeReason: 'potrace does not look at what kind of picture it is',
      edgeRecoveryResolved: 'off',
      edgeRecoveryReason: values.edge_recovery === 'off' ? 'not asked for' : 'potrace traces the picture as it is',
      decided: {},
      notes: notesOf(request, raster, working),
      get fidelity() {
        return fidelity();
      },
      timingsMs: stopwatch.timingsMs,
    };
    return outcome;
  },
});

function toneCount(values: SettingValues): number {
  if (values.color_mode === 'bw') return 2;
  return values.palette_count_mode === 'manual' ? (values.palette_count ?? TONES) : TONES;
}

function parametersOf(values: SettingValues): Omit<PotraceParameters, 'threshold'> {
  const simpler = 4 ** (2 * (values.simplification - NEUTRAL));
  return {
    turdSize: Math.max(SPOT_PX, Math.round(values.tiny_path_area)),
    alphaMax: values.curves.includes('cubic') ? CORNERS : 0,
    optCurve: true,
    optTolerance: JOIN_TOLERANCE_PX * simpler,
  };
}

/** The color a tone is painted in; `k` is its number, the lightest being 0. */
function paintOf(tone: Tone, values: SettingValues, k = 0): number {
  if (values.color_mode === 'bw') return k === 0 ? 0xffffff : 0x000000;
  let { red, green, blue } = tone;
  if (values.color_mode === 'grayscale') red = green = blue = lumaOf(red, green, blue);
  const color = (red << 16) | (green << 8) | blue;
  return values.fixed_palette.length === 0 ? color : nearest(color, values.fixed_palette);
}

function nearest(color: number, palette: readonly number[]): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((color >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

const inside = (value: number, size: number) => (value < 0 ? 0 : value > size ? size : value);

/** Collects a drawing tone by tone, the lightest beneath. */
class Layers {
  private readonly commands: number[] = [];
  private readonly coords: number[] = [];
  private readonly items: Shape[] = [];
  private readonly library: PotraceLibrary;
  private readonly raster: Raster;
  private readonly tones: Tones;
  private readonly parameters: Omit<PotraceParameters, 'threshold'>;

  constructor(library: PotraceLibrary, raster: Raster, tones: Tones, parameters: Omit<PotraceParameters, 'threshold'>) {
    this.library = library;
    this.raster = raster;
    this.tones = tones;
    this.parameters = parameters;
  }

  addGround(color: number): void {
    const { width, height } = this.raster;
    const geometry = { kind: 'rect', x: 0, y: 0, width, height, radius: 0 } as const;
    this.push(geometry, color, (this.tones.classes[0] as Tone).pixels);
  }

  add(tone: Tone, color: number): void {
    const { library, commands, coords } = this;
    const bitmap = this.maskOf(tone);
    const run = new library.Potrace();
    run.setParameters({ ...this.parameters, threshold: 128 });
    run._luminanceData = bitmap;
    run._imageLoaded = true;
    run.getPathTag();
    const firstCommand = commands.length;
    const firstCoord = coords.length;
    for (const { curve } of run._pathlist) this.outline(curve);
    const commandCount = commands.length - firstCommand;
    if (commandCount === 0) return;
    this.push({ kind: 'path', firstCommand, commandCount, firstCoord, evenOdd: true }, color, tone.pixels);
  }

  finish(): Drawing {
    const { width, height } = this.raster;
    const commands = Uint8Array.from(this.commands);
    return { width, height, commands, coords: Float64Array.from(this.coords), items: this.items, crispEdges: false };
  }

  /** Black where the picture is of this tone or a darker one, its border pixels repeated outside, and white all around. */
  private maskOf(tone: Tone): PotraceBitmap {
    const { raster, tones } = this;
    const { width, height, data } = raster;
    const stride = width + 2 * MARGIN_PX;
    const rows = height + 2 * MARGIN_PX;
    const bitmap = new this.library.Bitmap(stride, rows);
    bitmap.data.fill(255);
    for (let row = 1; row < rows - 1; row++) {
      const y = Math.max(0, Math.min(height - 1, row - MARGIN_PX));
      for (let column = 1; column < stride - 1; column++) {
        const i = y * width + Math.max(0, Math.min(width - 1, column - MARGIN_PX));
        const there = tones.opaque || (data[i * 4 + 3] as number) >= SOLID;
        if (there && (tones.luminance[i] as number) <= tone.upTo) bitmap.data[row * stride + column] = 0;
      }
    }
    return bitmap;
  }

  private outline({ n, tag, c }: PotraceCurve): void {
    const { width, height } = this.raster;
    const point = (k: number) => c[k] as { x: number; y: number };
    const draw = (command: number, ...at: readonly number[]) => {
      this.commands.push(command);
      for (let k = 0; k < (COORDS_PER_COMMAND[command] as number) / 2; k++) {
        const { x, y } = point(at[k] as number);
        this.coords.push(inside(x - MARGIN_PX, width), inside(y - MARGIN_PX, height));
      }
    };
    draw(MOVE, 3 * n - 1);
    for (let i = 0; i < n; i++) {
      if (tag[i] === 'CURVE') draw(CUBIC, 3 * i, 3 * i + 1, 3 * i + 2);
      else {
        draw(LINE, 3 * i + 1);
        draw(LINE, 3 * i + 2);
      }
    }
    draw(CLOSE);
  }

  private push(geometry: Shape['geometry'], color: number, visibleAreaPx: number): void {
    this.items.push({
      kind: 'shape',
      geometry,
      fill: { kind: 'solid', color, opacity: 1 },
      stroke: null,
      visibleAreaPx,
    });
  }
}

function notesOf(request: TraceRequest, raster: Raster, working: Raster): Note[] {
  const notes = reductionNotes(raster, working, request.tier);
  const { values } = request.settings;
  if (values.color_mode === 'outline' || values.stroke_mode === 'centerline') {
    notes.push({ code: 'strokes-not-traced', message: 'potrace draws filled outlines; engine=planar draws strokes.' });
  }
  if (values.color_mode === 'color') {
    notes.push({
      code: 'traced-by-tone',
      message:
        'potrace parts a picture by how light it is: colors of one lightness become one. engine=planar traces colors.',
    });
  }
  return notes;
}
