import { drawFlatArt } from './flat-art.js';
import { drawFlag, drawIcons, type IconFiles, type Part } from './icon-art.js';
import { createRandom } from './random.js';

export interface TrainingDrawing {
  /** In user units: half of what the restored picture has in pixels. */
  readonly width: number;
  readonly height: number;
  readonly svg: string;
}

/** Far apart, so that no drawing is ever in both parts. */
const FIRST_SEED = { train: 1_000_000, aside: 900_000_000 } as const satisfies Record<Part, number>;

/**
 * The drawing with that number: half of them flat art out of nothing, the rest icons and flags. Its size is that of the
 * small pictures that people bring, 64 to 256 pixels.
 */
export function drawingAt(index: number, part: Part, files: IconFiles): TrainingDrawing {
  const random = createRandom(FIRST_SEED[part] + index * 7919);
  const side = random.whole(64, 256);
  const width = side;
  const height = Math.max(64, Math.round(side * (random.chance(0.5) ? 1 : random.between(0.6, 1))));
  const kind = random.unit();
  if (kind < 0.5) return { width, height, svg: drawFlatArt(random, width, height) };
  if (kind < 0.85) return { width, height, svg: drawIcons(random, files, width, height) };
  return { width, height, svg: drawFlag(random, files, width, height) };
}
