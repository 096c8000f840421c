/** Quality tiers, cheapest first: what one conversion costs, how large a picture is traced, and how long it may take. */

export const TIER_IDS = ['fast', 'balanced_crisp', 'high_precision'] as const;
export type TierId = (typeof TIER_IDS)[number];

export interface Tier {
  readonly id: TierId;
  /** One sentence for people. */
  readonly meaning: string;
  /** Price of one conversion. */
  readonly credits: number;
  /** Larger pictures are traced reduced to this many pixels, drawings to four times as many; the SVG keeps the original size. */
  readonly maxWorkingPixels: number;
  /** The work itself may take this long (CONVERSION_TIMEOUT past it). */
  readonly runLimitMs: number;
  /** Requests that may wait for a slot (QUEUE_FULL past it). */
  readonly maxWaiting: number;
  /** A request may wait this long for a slot (QUEUE_TIMEOUT past it). */
  readonly waitLimitMs: number;
}

/** Of 1024 x 1024 pixels: pictures have sides like 2048 and 4096, which are to be within the limits and not just beyond them. */
const MEGAPIXEL = 1024 * 1024;

/** Working pixels in megapixels, a whole number. */
export const megapixelsOf = ({ maxWorkingPixels }: Tier): number => maxWorkingPixels / MEGAPIXEL;

export const TIERS = {
  fast: {
    id: 'fast',
    meaning: 'A quick draft: working size up to 2 megapixels, no refinement.',
    credits: 1,
    maxWorkingPixels: 2 * MEGAPIXEL,
    runLimitMs: 10_000,
    maxWaiting: 64,
    waitLimitMs: 10_000,
  },
  balanced_crisp: {
    id: 'balanced_crisp',
    meaning: 'The everyday tier: working size up to 4 megapixels, refined edges.',
    credits: 2,
    maxWorkingPixels: 4 * MEGAPIXEL,
    runLimitMs: 30_000,
    maxWaiting: 32,
    waitLimitMs: 20_000,
  },
  high_precision: {
    id: 'high_precision',
    meaning: 'The most exact: working size up to 16 megapixels, most refinement.',
    credits: 5,
    maxWorkingPixels: 16 * MEGAPIXEL,
    runLimitMs: 120_000,
    maxWaiting: 8,
    waitLimitMs: 60_000,
  },
} as const satisfies { readonly [Id in TierId]: Tier & { readonly id: Id } };

export const tierOf = (id: TierId): Tier => TIERS[id];
