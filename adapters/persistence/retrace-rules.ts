import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';

/** How long a paid picture stays free. */
export const RETRACE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** This tier and those above it: having paid one of them is enough. */
export const tiersFrom = (tier: TierId): readonly TierId[] => TIER_IDS.slice(TIER_IDS.indexOf(tier));
