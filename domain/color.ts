/** `#rrggbb` of a color packed as 0xRRGGBB. */
export const toHexColor = (rgb: number): string => `#${rgb.toString(16).padStart(6, '0')}`;

/** Red, green and blue, 0..255, of a color packed as 0xRRGGBB. */
export const toChannels = (rgb: number): readonly [number, number, number] => [
  rgb >> 16,
  (rgb >> 8) & 0xff,
  rgb & 0xff,
];
