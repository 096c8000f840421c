import type { Clock } from '#application/ports/clock.js';
import type { ConversionQueue, ConversionSlot, TierLoad } from '#application/ports/conversion-queue.js';
import { ServiceError } from '#domain/errors.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';

export interface TierQueueLimits {
  readonly running: number;
  readonly waiting: number;
  readonly waitLimitMs: number;
}

export interface InProcessConversionQueueDeps {
  /** Conversions that can run at once, whatever their tier. */
  readonly workers: number;
  readonly tiers: Readonly<Record<TierId, TierQueueLimits>>;
  readonly clock: Clock;
  /** Calls back after so long; the answer calls it off. The system's timers when left out. */
  readonly schedule?: (delayMs: number, callback: () => void) => () => void;
}

interface Waiter {
  readonly tier: TierId;
  readonly admit: () => void;
  readonly refuse: (error: ServiceError) => void;
}

/** Until a tier has run something, a run is taken to last this long. */
const FIRST_GUESS_MS = 1000;
/** Weight of the latest run in the mean by which waiting times are told. */
const LATEST_WEIGHT = 0.2;
const MAX_RETRY_AFTER_SECONDS = 60;

const systemSchedule = (delayMs: number, callback: () => void) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

/** The queue of a service that is one process. Where there are two workers or more, one is kept for the fast tier. */
export function createInProcessConversionQueue(deps: InProcessConversionQueueDeps): ConversionQueue {
  const { workers, tiers, clock, schedule = systemSchedule } = deps;
  const slowWorkers = workers >= 2 ? workers - 1 : workers;
  const capacityOf = (tier: TierId) => Math.min(tiers[tier].running, tier === 'fast' ? workers : slowWorkers);
  const perTier = <T>(value: (tier: TierId) => T) =>
    Object.fromEntries(TIER_IDS.map((tier) => [tier, value(tier)])) as Record<TierId, T>;

  const running = perTier(() => 0);
  const meanRunMs = perTier(() => FIRST_GUESS_MS);
  /** In order of arrival. */
  const waiters = new Set<Waiter>();
  let closed = false;
  const whenIdle: (() => void)[] = [];

  const runningInAll = () => TIER_IDS.reduce((sum, tier) => sum + running[tier], 0);
  const waitingIn = (tier: TierId) => [...waiters].filter((waiter) => waiter.tier === tier).length;
  const isFree = (tier: TierId) =>
    running[tier] < capacityOf(tier) &&
    runningInAll() < workers &&
    (tier === 'fast' || runningInAll() - running.fast < slowWorkers);

  /** About when one more of this tier could begin. */
  const retryAfterSeconds = (tier: TierId) => {
    const ahead = (waitingIn(tier) + 1) / capacityOf(tier);
    return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil((ahead * meanRunMs[tier]) / 1000)));
  };
  const atCapacity = (tier: TierId) =>
    new ServiceError('AT_CAPACITY', { tier, retryAfterSeconds: retryAfterSeconds(tier) });

  const admitNext = () => {
    for (const waiter of [...waiters]) if (isFree(waiter.tier)) waiter.admit();
  };

  const take = (tier: TierId, waitedMs: number): ConversionSlot => {
    running[tier]++;
    const startMs = clock.monotonicMs();
    let held = true;
    return {
      waitedMs,
      release() {
        if (!held) return;
        held = false;
        running[tier]--;
        meanRunMs[tier] += LATEST_WEIGHT * (clock.monotonicMs() - startMs - meanRunMs[tier]);
        admitNext();
        if (runningInAll() === 0) for (const tell of whenIdle.splice(0)) tell();
      },
    };
  };

  const wait = (tier: TierId, signal: AbortSignal | undefined) =>
    new Promise<ConversionSlot>((resolve, reject) => {
      const sinceMs = clock.monotonicMs();
      const leave = () => {
        waiters.delete(waiter);
        callOff();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        tier,
        admit() {
          leave();
          resolve(take(tier, clock.monotonicMs() - sinceMs));
        },
        refuse(error) {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.refuse(new ServiceError('CANCELLED', undefined, { cause: signal?.reason }));
      const { waitLimitMs } = tiers[tier];
      const callOff = schedule(waitLimitMs, () =>
        waiter.refuse(
          new ServiceError('QUEUE_TIMEOUT', {
            tier,
            waitedMs: waitLimitMs,
            retryAfterSeconds: retryAfterSeconds(tier),
          }),
        ),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
    });

  return {
    async enter(tier, signal) {
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      if (closed) throw atCapacity(tier);
      // Who waits in this tier goes first.
      if (isFree(tier) && waitingIn(tier) === 0) return take(tier, 0);
      if (waitingIn(tier) >= tiers[tier].waiting)
        throw new ServiceError('QUEUE_FULL', { tier, retryAfterSeconds: retryAfterSeconds(tier) });
      return wait(tier, signal);
    },
    load: () =>
      perTier((tier): TierLoad => ({ waiting: waitingIn(tier), running: running[tier], capacity: capacityOf(tier) })),
    close() {
      closed = true;
      for (const waiter of [...waiters]) waiter.refuse(atCapacity(waiter.tier));
      return runningInAll() === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve));
    },
  };
}
