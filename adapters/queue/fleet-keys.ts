import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';

/**
 * What the processes of a fleet hold in Redis beside BullMQ's own keys. A lease is a member of a sorted set whose score is the
 * time at which it ends unless it is renewed: what a dead process held is free soon after.
 */
export interface FleetKeys {
  /** Conversions that wait, and those that run: leases by id, held by the process that was asked for them. */
  waiting(tier: TierId): string;
  running(tier: TierId): string;
  /** Worker processes that take a tier: leases by `name|capacity|threads`. */
  takers(tier: TierId): string;
  /** What one caller has in flight: leases by id. */
  caller(id: string): string;
  /** Who was told to come again, and when. */
  promised(tier: TierId): string;
  /** Whose turn it is: of the tier, and the next of one caller. */
  turns(tier: TierId): string;
  turnOf(tier: TierId, caller: string): string;
  /** How long conversions take, by tier. */
  readonly means: string;
  /** What both sides say of a conversion: `taker`, the worker that has it, `picture`, once that can be fetched, and `go`, once it may begin: how long it had waited. */
  conversion(id: string): string;
  /** Where a worker hears of its conversions: `<id> go <how long it had waited>` may begin, `<id> picture <its name>` can be fetched, `<id> cancel` is not wanted any more. */
  worker(name: string): string;
  /** Where workers hear of the tier in which there is something to do. */
  readonly wake: string;
}

export const createFleetKeys = (prefix: string): FleetKeys => ({
  waiting: (tier) => `${prefix}:waiting:${tier}`,
  running: (tier) => `${prefix}:running:${tier}`,
  takers: (tier) => `${prefix}:takers:${tier}`,
  caller: (id) => `${prefix}:caller:${id}`,
  promised: (tier) => `${prefix}:promised:${tier}`,
  turns: (tier) => `${prefix}:turns:${tier}`,
  turnOf: (tier, caller) => `${prefix}:turn:${tier}:${caller}`,
  means: `${prefix}:means`,
  conversion: (id) => `${prefix}:conversion:${id}`,
  worker: (name) => `${prefix}:worker:${name}`,
  wake: `${prefix}:wake`,
});

/** Waiting, running and takers of every tier, in the order in which the scripts know them. */
export const loadKeys = (keys: FleetKeys): readonly string[] =>
  TIER_IDS.flatMap((tier) => [keys.waiting(tier), keys.running(tier), keys.takers(tier)]);

/** A tier by its number in the scripts. */
export const tierNumber = (tier: TierId): number => TIER_IDS.indexOf(tier) + 1;

/** The name of a tier's queue in BullMQ. */
export const queueName = (tier: TierId): string => `conversions-${tier}`;
