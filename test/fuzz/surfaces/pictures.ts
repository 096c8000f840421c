import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { mutatePicture, PICTURE_KINDS } from '../mutate-picture.js';
import { samplePictures } from '../sample-pictures.js';
import { acceptedRefusal, type Surface } from '../surface.js';

const MAX_PIXELS = 1_000_000;
const REFUSALS = ['UNSUPPORTED_IMAGE', 'UNREADABLE_IMAGE', 'IMAGE_TOO_LARGE'];

/** Picture files through the decoder. */
export async function picturesSurface(): Promise<Surface> {
  const samples = await samplePictures();
  const decoder = createImageDecoder({ maxPixels: MAX_PIXELS });
  return {
    limitMs: 10_000,
    async run(choices) {
      const wanted = choices.pick(PICTURE_KINDS);
      const { kind, bytes } = choices.pick(samples.filter((sample) => sample.kind === wanted));
      const file = mutatePicture(kind, bytes, choices);
      try {
        const { width, height, data } = await decoder.decode(file);
        if (data.length !== width * height * 4) throw new Error(`${data.length} bytes for ${width} x ${height} pixels`);
        if (width * height > MAX_PIXELS) throw new Error(`${width} x ${height} pixels were decoded`);
        return `${kind} decoded`;
      } catch (error) {
        return `${kind} ${acceptedRefusal(error, REFUSALS)}`;
      }
    },
    checkLeaks: async () => {},
    close: async () => {},
  };
}
