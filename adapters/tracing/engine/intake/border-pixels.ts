interface Size {
  readonly width: number;
  readonly height: number;
}

/** Visits every pixel along a picture's border once. */
export function eachBorderPixel({ width, height }: Size, visit: (pixel: number) => void): void {
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 1; y + 1 < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
}

/** How many pixels lie along the border of a picture of two rows and columns or more. */
export function countBorderPixels({ width, height }: Size): number {
  return 2 * width + 2 * height - 4;
}
