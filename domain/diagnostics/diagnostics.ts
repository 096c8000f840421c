/** What a picture was taken for. */
export const PICTURE_TYPES = [
  'pixel_art',
  'line_art',
  'flat_art',
  'illustration',
  'photo',
  'scan',
  'screenshot',
] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** How well the drawing, rendered at the picture's own size, matches the picture. */
export interface Fidelity {
  /** dB, at most 99 (identical). */
  readonly psnr: number;
  /** Structural similarity of the luma, -1..1. */
  readonly ssim: number;
  /** Mean CIEDE2000 on a fixed 1/16 sample of the pixels; 0 is identical, about 1 is just noticeable. */
  readonly deltaE00: number;
  /** The square block of the picture that differs most, in source pixels. */
  readonly worst: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly deltaE00: number;
  };
}

/** Something the person should know about how the answer was made. */
export interface Note {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
}
