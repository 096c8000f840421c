import type { Clock } from '#application/ports/clock.js';
import type { QueueCaller, TierLoad } from '#application/ports/conversion-queue.js';
import { ServiceError } from '#domain/errors.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { createPromisedPlaces } from './promised-places.js';
import { createTurns } from './turns.js';

export interface TierQueueLimits {
  readonly running: number;
  readonly waiting: number;
  readonly waitLimitMs: number;
}

/** Leave to run one conversion. `release` gives it back; a second call does nothing. */
export interface ConversionSlot {
  readonly waitedMs: number;
  release(): void;
}

/** Who of one process may convert when. */
export interface ConversionSlots {
  /**
   * Resolves when a slot is free and there is room for what the conversion needs of the memory budget, nothing where it is not
   * said; rejects as ConversionQueue does before a conversion's turn has come. What needs more than the whole budget runs alone.
   */
  enter(tier: TierId, caller: QueueCaller, signal?: AbortSignal, memoryBytes?: number): Promise<ConversionSlot>;
  /** Throws as `enter` would reject at once; takes nothing. */
  requirePlace(tier: TierId, caller: QueueCaller): void;
  /** As `requirePlace`, and keeps the place until this caller enters the tier, or the answer is called. */
  claimPlace(tier: TierId, caller: QueueCaller): () => void;
  /** Whether anybody waits, or nobody is let in. */
  isCrowded(): boolean;
  load(): Readonly<Record<TierId, TierLoad>>;
  /** Refuses who waits and who comes; who runs goes on. Resolves when nobody runs any more. */
  close(): Promise<void>;
}

export interface ConversionSlotsDeps {
  /** Conversions that can run at once, whatever their tier. */
  readonly workers: number;
  readonly tiers: Readonly<Record<TierId, TierQueueLimits>>;
  readonly clock: Clock;
  /** What those that run at once may need of memory; no bound when left out. */
  readonly memoryBudgetBytes?: number;
  /** Whether anything is there that could run conversions now; always, when left out. */
  readonly isAlive?: () => boolean;
  /** Calls back after so long; the answer calls it off. The system's timers when left out. */
  readonly schedule?: (delayMs: number, callback: () => void) => () => void;
}

interface Waiter {
  readonly tier: TierId;
  readonly caller: string;
  readonly memoryBytes: number;
  /** The tier's upcoming turn when it came. */
  readonly arrival: number;
  readonly admit: (turn: number) => void;
  readonly refuse: (error: ServiceError) => void;
}

interface Claim {
  readonly tier: TierId;
  readonly caller: string;
}

interface Run {
  readonly tier: TierId;
  readonly caller: string;
  readonly memoryBytes: number;
  readonly startMs: number;
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

const toRetrySeconds = (ms: number) => Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(ms / 1000)));

/** The slots of a service that is one process. Where there are two workers or more, one is kept for the fast tier. */
export function createConversionSlots(deps: ConversionSlotsDeps): ConversionSlots {
  const { workers, tiers, clock, isAlive = () => true, schedule = systemSchedule } = deps;
  const { memoryBudgetBytes = Number.POSITIVE_INFINITY } = deps;
  const slowWorkers = workers >= 2 ? workers - 1 : workers;
  const capacityOf = (tier: TierId) => Math.min(tiers[tier].running, tier === 'fast' ? workers : slowWorkers);
  const perTier = <T>(value: (tier: TierId) => T) =>
    Object.fromEntries(TIER_IDS.map((tier) => [tier, value(tier)])) as Record<TierId, T>;

  const meanRunMs = perTier(() => FIRST_GUESS_MS);
  const turns = perTier(() => createTurns());
  const promised = perTier((tier) => createPromisedPlaces(() => clock.monotonicMs(), tiers[tier].waiting));
  const runs = new Set<Run>();
  /** In order of arrival. */
  const waiters = new Set<Waiter>();
  /** Places of who is on the way here. */
  const claims = new Set<Claim>();
  let closed = false;
  const whenIdle: (() => void)[] = [];

  const countOf = (kept: ReadonlySet<{ readonly tier: TierId }>, tier: TierId) => {
    let count = 0;
    for (const one of kept) if (one.tier === tier) count++;
    return count;
  };
  const runningIn = (tier: TierId) => countOf(runs, tier);
  const waitingIn = (tier: TierId) => countOf(waiters, tier);
  const countOfCaller = (kept: ReadonlySet<{ readonly caller: string }>, caller: string) => {
    let count = 0;
    for (const one of kept) if (one.caller === caller) count++;
    return count;
  };
  const inFlightOf = (caller: string) => countOfCaller(runs, caller) + countOfCaller(waiters, caller);
  const freeSlotsIn = (tier: TierId) =>
    Math.min(
      capacityOf(tier) - runningIn(tier),
      workers - runs.size,
      tier === 'fast' ? workers : slowWorkers - (runs.size - runningIn('fast')),
    );
  const isFree = (tier: TierId) => freeSlotsIn(tier) > 0;

  let takenBytes = 0;
  const fits = (memoryBytes: number) => runs.size === 0 || takenBytes + memoryBytes <= memoryBudgetBytes;

  const leftMs = ({ tier, startMs }: Run) => Math.max(0, meanRunMs[tier] - (clock.monotonicMs() - startMs));
  /** About how long until everything that is here now has run, as far as this tier has to wait for it. */
  const backlogMs = (tier: TierId) => {
    let workMs = meanRunMs[tier];
    for (const run of runs) workMs += leftMs(run);
    for (const waiter of waiters) workMs += meanRunMs[waiter.tier];
    return workMs / capacityOf(tier);
  };
  const retryAfterSeconds = (tier: TierId) => toRetrySeconds(backlogMs(tier));
  /** About when a caller's first conversion ends. */
  const busySeconds = (caller: string, tier: TierId) => {
    const own = [...runs].filter((run) => run.caller === caller).map(leftMs);
    return own.length > 0 ? toRetrySeconds(Math.min(...own)) : retryAfterSeconds(tier);
  };
  const atCapacity = (tier: TierId) =>
    new ServiceError('AT_CAPACITY', { tier, retryAfterSeconds: retryAfterSeconds(tier) });

  /** Whose turn it is in a tier: nobody's where nobody waits. */
  const nextIn = (tier: TierId) => {
    let next: { waiter: Waiter; turn: number } | undefined;
    for (const waiter of waiters) {
      if (waiter.tier !== tier) continue;
      const turn = turns[tier].nextOf(waiter.caller, waiter.arrival);
      if (next === undefined || turn < next.turn) next = { waiter, turn };
    }
    return next;
  };
  const admitNext = () => {
    for (;;) {
      const order = [...waiters];
      // Within a tier, nobody passes who waits for memory; another tier's may, for as long as that is waited for at all.
      const next = TIER_IDS.flatMap((tier) => (isFree(tier) ? (nextIn(tier) ?? []) : [])).filter(({ waiter }) =>
        fits(waiter.memoryBytes),
      );
      // Of tiers that could go on, the one whose waiter came first.
      next.sort((a, b) => order.indexOf(a.waiter) - order.indexOf(b.waiter));
      if (next[0] === undefined) return;
      next[0].waiter.admit(next[0].turn);
    }
  };

  const take = (
    { tier, caller, memoryBytes }: Pick<Waiter, 'tier' | 'caller' | 'memoryBytes'>,
    turn: number,
    waitedMs: number,
  ): ConversionSlot => {
    turns[tier].take(caller, turn);
    const run: Run = { tier, caller, memoryBytes, startMs: clock.monotonicMs() };
    runs.add(run);
    takenBytes += memoryBytes;
    return {
      waitedMs,
      release() {
        if (!runs.delete(run)) return;
        takenBytes -= memoryBytes;
        meanRunMs[tier] += LATEST_WEIGHT * (clock.monotonicMs() - run.startMs - meanRunMs[tier]);
        admitNext();
        if (runs.size === 0) for (const tell of whenIdle.splice(0)) tell();
      },
    };
  };

  const wait = (tier: TierId, caller: string, memoryBytes: number, signal: AbortSignal | undefined) =>
    new Promise<ConversionSlot>((resolve, reject) => {
      const sinceMs = clock.monotonicMs();
      const leave = () => {
        waiters.delete(waiter);
        callOff();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        tier,
        caller,
        memoryBytes,
        arrival: turns[tier].upcoming(),
        admit(turn) {
          leave();
          resolve(take(waiter, turn, clock.monotonicMs() - sinceMs));
        },
        refuse(error) {
          leave();
          reject(error);
          // Who stood behind it may need less memory.
          if (!closed) admitNext();
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
      // A slot may be free that is meant for who is on the way: they have a place in line as well.
      admitNext();
    });

  const requireOpen = (tier: TierId, { id: caller, maxInFlight }: QueueCaller, coming = 0) => {
    if (closed || !isAlive()) throw atCapacity(tier);
    if (inFlightOf(caller) + coming >= maxInFlight)
      throw new ServiceError('API_KEY_BUSY', {
        limit: maxInFlight,
        retryAfterSeconds: busySeconds(caller, tier),
      });
  };
  const claimOf = (tier: TierId, caller: string) =>
    [...claims].find((claim) => claim.tier === tier && claim.caller === caller);
  /** Slots and places that are left when all who have a claim have come. */
  const leftIn = (tier: TierId) => {
    const slots = waitingIn(tier) === 0 ? Math.max(0, freeSlotsIn(tier)) : 0;
    const claimed = countOf(claims, tier);
    const waiting = waitingIn(tier) + Math.max(0, claimed - slots);
    return { slots: slots - claimed, places: tiers[tier].waiting - waiting };
  };
  const requireLeft = (tier: TierId, caller: string) => {
    const { slots, places } = leftIn(tier);
    if (slots <= 0 && !promised[tier].wouldLetIn(caller, places)) refuseFull(tier, caller);
  };
  const refuseFull = (tier: TierId, caller: string): never => {
    const seconds = retryAfterSeconds(tier);
    promised[tier].promise(caller, seconds * 1000);
    throw new ServiceError('QUEUE_FULL', { tier, retryAfterSeconds: seconds });
  };

  return {
    requirePlace(tier, caller) {
      requireOpen(tier, caller);
      if (claimOf(tier, caller.id) === undefined) requireLeft(tier, caller.id);
    },
    claimPlace(tier, caller) {
      const { id } = caller;
      requireOpen(tier, caller, countOfCaller(claims, id));
      requireLeft(tier, id);
      const claim = { tier, caller: id };
      claims.add(claim);
      return () => void claims.delete(claim);
    },
    isCrowded: () => waiters.size > 0 || closed || !isAlive(),
    async enter(tier, queueCaller, signal, memoryBytes = 0) {
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      const { id: caller } = queueCaller;
      requireOpen(tier, queueCaller);
      const claim = claimOf(tier, caller);
      if (claim !== undefined) claims.delete(claim);
      const { slots, places } = leftIn(tier);
      // Who waits in this tier goes first.
      if (slots > 0 && fits(memoryBytes))
        return take({ tier, caller, memoryBytes }, turns[tier].nextOf(caller, turns[tier].upcoming()), 0);
      if (!(claim !== undefined && places > 0) && !promised[tier].letIn(caller, places)) refuseFull(tier, caller);
      return wait(tier, caller, memoryBytes, signal);
    },
    load: () =>
      perTier((tier): TierLoad => ({ waiting: waitingIn(tier), running: runningIn(tier), capacity: capacityOf(tier) })),
    close() {
      closed = true;
      for (const waiter of [...waiters]) waiter.refuse(atCapacity(waiter.tier));
      return runs.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve));
    },
  };
}
