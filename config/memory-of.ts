import { readPictureSize } from '#adapters/imaging/picture-size.js';
import type { MemoryOf } from '#adapters/queue/memory-room.js';
import { ServiceError } from '#domain/errors.js';
import { conversionMemoryBytes, pixelsWithinMemory } from '#domain/tiers/memory.js';
import { tierOf } from '#domain/tiers/tier.js';

/**
 * What a picture file will need, by the size in its header. Throws IMAGE_TOO_LARGE where that is more than the whole budget. A
 * file that is no picture, or has more than `maxPixels`, is refused before it is decoded, and one that does not say is taken for
 * the largest that may be.
 */
export const createMemoryOf =
  (budgetBytes: number, maxPixels: number): MemoryOf =>
  (bytes, tierId) => {
    const tier = tierOf(tierId);
    const size = readPictureSize(bytes);
    if (size === 'unreadable') return conversionMemoryBytes(0, tier);
    const limitPixels = Math.min(maxPixels, pixelsWithinMemory(budgetBytes, tier));
    if (size === 'unseen') return conversionMemoryBytes(limitPixels, tier);
    const { width, height } = size;
    if (width * height > limitPixels) throw new ServiceError('IMAGE_TOO_LARGE', { width, height, limitPixels });
    return conversionMemoryBytes(width * height, tier);
  };
