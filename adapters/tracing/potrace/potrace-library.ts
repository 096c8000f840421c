import { createRequire } from 'node:module';

/**
 * As much of the npm package potrace as is used here. Its documented door reads picture files by jimp; pixels go in by the
 * door behind it, the luminance bitmap, and curves come out as they are, not as text.
 */
export interface PotraceLibrary {
  readonly Potrace: new () => PotraceRun;
  readonly Bitmap: new (width: number, height: number) => PotraceBitmap;
}

export interface PotraceBitmap {
  /** A byte a pixel, 0 black to 255 white. */
  readonly data: Uint8Array;
}

export interface PotraceRun {
  _luminanceData: PotraceBitmap;
  _imageLoaded: boolean;
  readonly _pathlist: readonly { readonly curve: PotraceCurve }[];
  setParameters(parameters: PotraceParameters): void;
  /** Traces, if it has not; the text is not used. */
  getPathTag(): string;
}

export interface PotraceParameters {
  /** Spots of up to so many px are left out. */
  readonly turdSize: number;
  /** 0 for polygons, up to 4/3 for no corners at all. */
  readonly alphaMax: number;
  readonly optCurve: boolean;
  /** How far joined curves may lie from those they replace, px. */
  readonly optTolerance: number;
  /** Pixels of this luminance and less are black. */
  readonly threshold: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A closed outline of `n` pieces: piece i has the points c[3i], c[3i+1], c[3i+2] and begins where the one before it ends. */
export interface PotraceCurve {
  readonly n: number;
  /** CURVE: a cubic by its three points; CORNER: two lines, to c[3i+1] and on to c[3i+2]. */
  readonly tag: readonly ('CURVE' | 'CORNER')[];
  readonly c: readonly Point[];
}

export interface PotracePackage {
  readonly version: string;
  readonly license: string;
  /** Loads the code, which takes some ten milliseconds, when it is first called. */
  readonly load: () => PotraceLibrary;
}

const require = createRequire(import.meta.url);

/** The package, an optional dependency; undefined where it is not installed. */
export function findPotrace(): PotracePackage | undefined {
  let manifest: { version: string; license: string };
  try {
    manifest = require('potrace/package.json');
  } catch {
    return undefined;
  }
  let library: PotraceLibrary | undefined;
  const load = (): PotraceLibrary => {
    library ??= {
      Potrace: require('potrace').Potrace,
      Bitmap: require('potrace/lib/types/Bitmap.js'),
    };
    return library;
  };
  return { version: manifest.version, license: manifest.license, load };
}
