import { TIERS, type TierId } from '#domain/tiers/tier.js';

/** Credits that one conversion costs. Exports are free. */
export const priceOfConversion = (tier: TierId): number => TIERS[tier].credits;
