import type { TierId } from '#domain/tiers/tier.js';

export interface TracedPicture {
  /** The key that paid, or another name for who asks. */
  readonly caller: string;
  /** A digest of the picture file's bytes. */
  readonly picture: string;
  readonly tier: TierId;
}

/** Which pictures were converted lately: the same one again, by the same caller at the same or a lower tier, is free. */
export interface RetraceMemory {
  /** Whether this was paid within the last 24 hours, at this tier or a higher one. */
  isFree(traced: TracedPicture): Promise<boolean>;
  /** Notes a paid conversion; free ones are not noted, so that the 24 hours end. */
  remember(traced: TracedPicture): Promise<void>;
  sweep(): Promise<number>;
}
