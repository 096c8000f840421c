import { composeVectorizeImage } from '#config/compose.js';
import { checkerboard, gradient, noise, pixelwise, single } from '#test/support/pictures.js';
import { soundSettingsFrom } from '../random-settings.js';
import { acceptedRefusal, type Surface } from '../surface.js';

/** Tiny pictures of every kind through the engine, with any parameters. */
export async function tracingSurface(): Promise<Surface> {
  const vectorize = composeVectorizeImage();
  return {
    limitMs: 30_000,
    async run(choices) {
      const side = () => (choices.chance(0.2) ? 1 + choices.below(3) : 1 + choices.below(40));
      const [width, height] = [side(), side()];
      const color = () => choices.below(0x1000000);
      const raster = choices.pick([
        () => noise(width, height, color()),
        () => gradient(width, height),
        () => checkerboard(width, height, 1 + choices.below(5), color(), color()),
        () => single(width, height, color(), choices.pick([0, 1, 128, 255])),
        () => {
          const colors = Array.from({ length: 1 + choices.below(5) }, color);
          return pixelwise(width, height, () => {
            const rgb = choices.pick(colors);
            return [rgb >> 16, (rgb >> 8) & 255, rgb & 255, choices.pick([255, 255, 255, 0, 90])];
          });
        },
      ])();
      const settings = soundSettingsFrom(choices);
      // What it restores is the subject of its own tests, and takes a second a picture.
      if (settings.edge_recovery === 'real_esrgan') delete settings.edge_recovery;
      try {
        const { svg } = await vectorize({ picture: { kind: 'raster', raster }, settings });
        if (/NaN|Infinity|undefined/.test(String(svg))) throw new Error(`a drawing with what is no number`);
        return 'traced';
      } catch (error) {
        return acceptedRefusal(error, ['INVALID_REQUEST', 'IMAGE_TOO_LARGE']);
      }
    },
    checkLeaks: async () => {},
    close: async () => {},
  };
}
