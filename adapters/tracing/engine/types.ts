/**
 * What goes into the engine and what comes out. The engine imports nothing outside its folder; the result is structurally a
 * Drawing, which the adapter that returns it as one has the compiler check.
 */

/** RGBA bytes, not premultiplied, row by row from the top left. */
export interface EnginePicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** The front ends: who decides which pixels belong together. */
export type Frontend = 'flat' | 'photo' | 'pixel';

export interface EngineSettings {
  readonly frontend: Frontend | 'auto';
  readonly colorMode: 'color' | 'grayscale' | 'bw' | 'outline';
  /** Draw what is a line of even width as a stroke along its middle. */
  readonly centerline: boolean;
  /** Largest distance of a curve from the edge samples it replaces, px. */
  readonly tolerancePx: number;
  /** Turns cut by more than this many px by the arc that would round them are corners. */
  readonly cornerPx: number;
  /** Multiplies the price of every segment: 1 is neutral, larger is simpler. */
  readonly segmentPrice: number;
  /** Rounds in which each edge is refined against its own samples. */
  readonly refineRounds: number;
  /** Rounds, at most, in which all edges together are refined against the pixels along them; 0 for none. */
  readonly settleRounds: number;
  /** What a segment that misses the pixels must gain by being split: 1 is neutral, larger is simpler, Infinity for never. */
  readonly splitPrice: number;
  /**
   * Levels (root mean square over the mixed pixels) that settling leaves of flat art from which it is drawn anew from a finer picture; Infinity for
   * never.
   */
  readonly finerFrom: number;
  /** Regions smaller than this many px are absorbed by a neighbor. */
  readonly minAreaPx: number;
  /** As `minAreaPx`, in pictures of up to 64 x 64 px and a margin, and for dots on one ground. */
  readonly minDetailAreaPx: number;
  /** As `minDetailAreaPx`, for dots in pictures of up to 160 x 160 px and a margin: a face's eyes may be a pixel each. */
  readonly minDotAreaPx: number;
  /** How much of those areas every level of noise adds to again, up to two times: what compression leaves is larger than other specks. */
  readonly noiseAreaPx: number;
  /** Colors nearer than this in OKLab (0..1) are one; 0 keeps every exact color. */
  readonly mergeDistance: number;
  /** Only colors that the picture has, also where an area shows none of its own. */
  readonly exactColors: boolean;
  /** At most (or exactly, where the picture has them) this many colors; 0 for as many as there are. */
  readonly colorCount: number;
  /** 0xRRGGBB; only these are used. Empty for free choice. */
  readonly fixedPalette: readonly number[];
  /** Region merging of the photo front end: squared error that one px of boundary is worth. */
  readonly photoLambda: number;
  /** More regions than this are not drawn of a photograph, or of noise: boundaries have to be worth more then. */
  readonly mostRegions: number;
  /** 0..4: strength of noise removal. */
  readonly cleanup: number;
  readonly sharpen: boolean;
  /** Smooth color changes: looked for and drawn as gradients, even in photographs, or not looked for. */
  readonly gradients: 'on' | 'auto' | 'off';
  readonly stacking: 'stacked' | 'cutouts';
  /** What hides the hairlines between cutouts: nothing, or a stroke beneath each edge that two of them share. */
  readonly gapCleanup: 'off' | 'stroke' | 'underlap';
  readonly primitives: boolean;
  /** No curves: every outline is made of straight segments. */
  readonly straightOnly: boolean;
  /** What is a circular arc is drawn as one. */
  readonly arcs: boolean;
  /** Leave out the even area along the picture's border. */
  readonly removeBackground: boolean;
  /** Look for a pixel grid and trace the small picture behind it. */
  readonly recoverPixelGrid: boolean;
}

/** Called between stages with a name and the fraction done (0..1); throws to stop the engine. */
export type Checkpoint = (stage: 'recover' | 'segment' | 'fit' | 'write', fraction: number) => void;

/** As the Drawing's geometries. */
export type EngineGeometry =
  | {
      readonly kind: 'path';
      readonly firstCommand: number;
      readonly commandCount: number;
      readonly firstCoord: number;
      readonly evenOdd: boolean;
    }
  | { readonly kind: 'circle'; readonly cx: number; readonly cy: number; readonly r: number }
  | {
      readonly kind: 'ellipse';
      readonly cx: number;
      readonly cy: number;
      readonly rx: number;
      readonly ry: number;
      /** Degrees, clockwise on screen. */
      readonly rotation: number;
    }
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
    };

export interface EngineSolidPaint {
  readonly kind: 'solid';
  /** 0xRRGGBB */
  readonly color: number;
  readonly opacity: number;
}

export interface EngineGradientStop {
  readonly offset: number;
  readonly color: number;
  readonly opacity: number;
}

/** As the Drawing's paints. */
export type EnginePaint =
  | EngineSolidPaint
  | {
      readonly kind: 'linear';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly stops: readonly EngineGradientStop[];
    }
  | {
      readonly kind: 'radial';
      readonly cx: number;
      readonly cy: number;
      readonly r: number;
      readonly fx: number;
      readonly fy: number;
      readonly matrix?: readonly [number, number, number, number, number, number];
      readonly stops: readonly EngineGradientStop[];
    };

export interface EngineStroke {
  readonly paint: EnginePaint;
  readonly width: number;
  readonly cap: 'round' | 'butt';
  readonly join: 'round' | 'miter';
  readonly miterLimit: number;
  readonly dashes: readonly number[];
  readonly dashOffset: number;
}

export interface EngineShape {
  readonly kind: 'shape';
  readonly geometry: EngineGeometry;
  readonly fill: EnginePaint | null;
  readonly stroke: EngineStroke | null;
  readonly visibleAreaPx: number;
}

export interface EngineDrawing {
  readonly width: number;
  readonly height: number;
  readonly commands: Uint8Array;
  readonly coords: Float64Array;
  readonly items: readonly EngineShape[];
  readonly crispEdges: boolean;
}

export type EnginePictureType =
  | 'pixel_art'
  | 'line_art'
  | 'flat_art'
  | 'illustration'
  | 'photo'
  | 'scan'
  | 'screenshot';

/**
 * An unsharp mask: to a picture, `amount` times what it differs by from itself blurred by a Gaussian of this standard deviation was added.
 * What went below black or beyond white was cut off.
 */
export interface UnsharpMask {
  readonly radiusPx: number;
  readonly amount: number;
}

export interface EngineResult {
  readonly drawing: EngineDrawing;
  readonly pictureType: EnginePictureType;
  /** How sure that is, 0..1, and in words why. */
  readonly confidence: number;
  readonly reason: string;
  /** The pixel grid that was found and traced, if one was. */
  readonly pixelCell: number | null;
  /** In words, what the search for a pixel grid found; null where there was none to be made. */
  readonly gridFinding: string | null;
  /**
   * The blur that edges had, as far as it was taken out before they were sought, px of the picture as it came (standard deviation); null where none was. Where all of it was blurred by a pixel and more it
   * was traced with fewer pixels, and the drawing has that size.
   */
  readonly edgeBlurPx: number | null;
  /** How deep the halos beside edges were that were left out, as a share of the contrast (0..1); null where none were. */
  readonly haloDepth: number | null;
  /** The unsharp mask that was undone; null where there was none. */
  readonly unsharpMask: UnsharpMask | null;
  /** Whether edges were steps, and were given the anti-aliasing of what these stand for. */
  readonly stepped: boolean;
  /** Whether edges were mixed in linear light, and were mixed anew. */
  readonly linearLight: boolean;
  /** The grain that lay evenly over the picture and was taken off, levels (standard deviation); null where none was. */
  readonly grain: number | null;
  /**
   * The size of the picture that the one given was enlarged from, where it was traced at that: the drawing's own then, px. Null where it was
   * traced as it is.
   */
  readonly enlargedFrom: { readonly width: number; readonly height: number } | null;
}
