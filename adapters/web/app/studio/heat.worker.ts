import { labDistance, toOklab } from './oklab.js';

/** Two pictures of one size, RGBA; answered with the picture of how they differ. */
export interface HeatRequest {
  readonly width: number;
  readonly height: number;
  readonly original: ArrayBuffer;
  readonly trace: ArrayBuffer;
}

/** A difference of this much in Oklab, plain to see, is the hottest color. */
const HOTTEST = 0.12;
/** From cold to hot, dark to light, so that it can be read without telling colors apart. */
const RAMP = [
  [13, 13, 30],
  [72, 24, 92],
  [170, 50, 80],
  [236, 120, 50],
  [255, 240, 170],
] as const;

function heatColor(heat: number): readonly [number, number, number] {
  const at = Math.min(1, heat) * (RAMP.length - 1);
  const from = RAMP[Math.floor(at)] as (typeof RAMP)[number];
  const to = RAMP[Math.ceil(at)] as (typeof RAMP)[number];
  const t = at - Math.floor(at);
  return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t];
}

/** A channel over white, as both are seen on paper. */
const overWhite = (channel: number, alpha: number) => Math.round((channel * alpha + 255 * (255 - alpha)) / 255);

self.onmessage = ({ data }: MessageEvent<HeatRequest>) => {
  const { width, height } = data;
  const [a, b] = [new Uint8ClampedArray(data.original), new Uint8ClampedArray(data.trace)];
  const out = new Uint8ClampedArray(4 * width * height);
  const colorAt = (pixels: Uint8ClampedArray, at: number) => {
    const alpha = pixels[at + 3] as number;
    const channel = (offset: number) => overWhite(pixels[at + offset] as number, alpha);
    return toOklab(channel(0), channel(1), channel(2));
  };
  for (let at = 0; at < out.length; at += 4) {
    const heat = labDistance(colorAt(a, at), colorAt(b, at)) / HOTTEST;
    const [red, green, blue] = heatColor(heat);
    out[at] = red;
    out[at + 1] = green;
    out[at + 2] = blue;
    out[at + 3] = 255;
  }
  self.postMessage(out.buffer, { transfer: [out.buffer] });
};
