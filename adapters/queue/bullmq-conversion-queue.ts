import { Job, Queue, QueueEvents, type RedisQueueBackend } from 'bullmq';
import { toError } from '#application/failure-data.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { ConversionQueue, QueueCaller, QueuedConversion, TierLoad } from '#application/ports/conversion-queue.js';
import type { IdSource } from '#application/ports/id-source.js';
import type { Logger } from '#application/ports/logger.js';
import { ServiceError } from '#domain/errors.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import {
  type ConversionJob,
  type ConversionOutcome,
  type ConversionProgress,
  type ConversionWord,
  receiveDrawing,
  sendPicture,
} from './conversion-job.js';
import { createFleetKeys, loadKeys, queueName, tierNumber } from './fleet-keys.js';
import { ADMIT, END, LOAD, RENEW, SAY } from './fleet-scripts.js';
import { inTime, type RedisAccess } from './redis-access.js';

export interface FleetTierLimits {
  readonly waiting: number;
  readonly waitLimitMs: number;
  readonly runLimitMs: number;
}

export interface BullmqConversionQueueDeps {
  readonly redis: RedisAccess;
  /** Of every key in Redis. */
  readonly prefix: string;
  readonly tiers: Readonly<Record<TierId, FleetTierLimits>>;
  /** Where pictures and drawings travel through; the same for every process. */
  readonly artifacts: ArtifactStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What this process holds is free so long after its death. */
export const LEASE_MS = 6000;
const RENEW_EVERY_MS = 1000;
/** BullMQ's priorities end here; who comes later than so many turns waits in order of arrival. */
const LAST_PRIORITY = 2 ** 21;
/** A conversion that goes on past its limit by so much has lost its worker, and nobody else takes it up. */
const LOST_AFTER_MS = 15_000;
/** Jobs that have ended stay so long, for a process that was cut off meanwhile. */
const REMEMBER_SECONDS = 60;
const EVENTS_KEPT = 10_000;
/** What has travelled is removed when the answer is on its way. */
const CLEAR_AFTER_MS = 100;

const away = (cause?: unknown) =>
  new ServiceError('UPSTREAM_UNAVAILABLE', { what: 'Redis', retryAfterSeconds: 2 }, { cause });

/** A worker that stops because it finds no lease was cut off from us, or we from Redis: nobody here has cancelled anything. */
const wantedAfterAll = (error: Error, signal: AbortSignal | undefined): Error =>
  error instanceof ServiceError && error.code === 'CANCELLED' && !signal?.aborted ? away(error) : error;

/** A conversion that this process was asked for and that has not ended. */
interface Pending {
  readonly id: string;
  readonly tier: TierId;
  readonly caller: QueueCaller;
  readonly sinceMs: number;
  renewedAtMs: number;
  /** When its turn came; undefined while it waits. */
  beganAtMs: number | undefined;
  /** What is done at its turn has been done, well or not. */
  turned: Promise<void>;
  /** Called when a worker has taken it up; again where another has to. */
  taken(): void;
  progress(progress: ConversionProgress): void;
  settle(outcome: ConversionOutcome): void;
  refuse(error: unknown): void;
}

type Refusal = 'AT_CAPACITY' | 'API_KEY_BUSY' | 'QUEUE_FULL';

/**
 * The queue of a fleet, as the process sees it that is asked for conversions: BullMQ hands them to the worker processes, one queue
 * for each tier. Resolves when its connections stand.
 */
export async function createBullmqConversionQueue(deps: BullmqConversionQueueDeps): Promise<ConversionQueue> {
  const { redis, prefix, tiers, artifacts, clock, ids, logger } = deps;
  const keys = createFleetKeys(prefix);
  const pending = new Map<string, Pending>();
  const whenIdle: (() => void)[] = [];
  let closed = false;

  const onError = (err: unknown) => {
    if (redis.client.status === 'ready') logger.warn({ err }, 'the queue has trouble with Redis');
  };
  const openTier = async (tier: TierId) => {
    const name = queueName(tier);
    const queue = new Queue<ConversionJob, ConversionOutcome>(name, {
      connection: redis.client,
      prefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: EVENTS_KEPT } },
    });
    queue.on('error', onError);
    await queue.waitUntilReady();
    const client = await (queue.backend as RedisQueueBackend).client;
    // From a known place on, so that nothing is missed where the connection is lost before the first event.
    const [latest] = await redis.client.xrevrange(queue.toKey('events'), '+', '-', 'COUNT', 1);
    const events = new QueueEvents(name, {
      connection: redis.connect('blocking'),
      prefix,
      skipVersionCheck: true,
      lastEventId: latest?.[0] ?? '0',
    });
    events.on('error', onError);
    events.on('active', ({ jobId }) => pending.get(jobId)?.taken());
    events.on('progress', ({ jobId, data }) => pending.get(jobId)?.progress(data as unknown as ConversionProgress));
    events.on('completed', ({ jobId, returnvalue }) =>
      pending.get(jobId)?.settle(returnvalue as unknown as ConversionOutcome),
    );
    events.on('failed', ({ jobId, failedReason }) =>
      pending.get(jobId)?.refuse(new Error(`a conversion failed in the queue: ${failedReason}`)),
    );
    await events.waitUntilReady();
    return { queue, client, events };
  };
  const opened = await Promise.all(TIER_IDS.map(async (tier) => [tier, await openTier(tier)] as const));
  const queues = Object.fromEntries(opened) as Record<TierId, Awaited<ReturnType<typeof openTier>>>;

  /** Resolves with the turn. */
  const admit = async (id: string, tier: TierId, { id: caller, maxInFlight }: QueueCaller): Promise<number> => {
    const [answer, number] = (await redis.run(
      ADMIT,
      [
        keys.caller(caller),
        keys.promised(tier),
        keys.turns(tier),
        keys.turnOf(tier, caller),
        keys.means,
        ...loadKeys(keys),
      ],
      [id, caller, maxInFlight, tierNumber(tier), tiers[tier].waiting, LEASE_MS],
    )) as ['IN' | Refusal, number];
    if (answer === 'IN') return number;
    if (answer === 'API_KEY_BUSY')
      throw new ServiceError('API_KEY_BUSY', { limit: maxInFlight, retryAfterSeconds: number });
    throw new ServiceError(answer, { tier, retryAfterSeconds: number });
  };

  const end = async ({ id, tier, caller, beganAtMs }: Pending, abandoned: boolean) => {
    const ends = [keys.waiting(tier), keys.running(tier), keys.caller(caller.id), keys.turnOf(tier, caller.id)];
    const ranMs = beganAtMs === undefined ? '' : Math.round(clock.monotonicMs() - beganAtMs);
    const values = [id, tierNumber(tier), ranMs, abandoned ? 1 : 0];
    await Promise.allSettled([
      // What cannot be said now ends by itself.
      redis.run(END, [...ends, keys.means, keys.conversion(id)], values),
      // Of no effect where a worker has it: that one hears of it, or sees that it is not wanted.
      ...(abandoned ? [queues[tier].queue.remove(id)] : []),
    ]);
  };
  const say = ({ id, tier }: Pending, word: ConversionWord, what: number | string) =>
    redis.run(SAY, [keys.conversion(id), keys.waiting(tier), keys.running(tier)], [id, word, what, LEASE_MS]);

  /** What `queue.add` does, with the call to the workers right behind it on the same connection. */
  const enqueue = async ({ id, tier }: Pending, job: ConversionJob) => {
    const { queue, client } = queues[tier];
    const kept = { age: REMEMBER_SECONDS };
    const priority = Math.min(job.turn, LAST_PRIORITY);
    const options = { jobId: id, priority, attempts: 1, removeOnComplete: kept, removeOnFail: kept };
    const adding = new Job(queue, 'convert', job, options, id).addJob(client);
    await redis.guard(Promise.all([adding, redis.client.publish(keys.wake, tier)]));
  };

  /** Files that have travelled, and lie in the store still. */
  const travelled = new Set<string>();
  const clear = async (name: string) => {
    if (travelled.delete(name)) await artifacts.remove(name).catch(onError);
  };
  const clearSoon = (name: string) => {
    travelled.add(name);
    setTimeout(() => void clear(name), CLEAR_AFTER_MS).unref();
  };

  const renew = async () => {
    const all = [...pending.values()];
    if (all.length === 0) return;
    const now = clock.monotonicMs();
    try {
      const held = (await redis.run(
        RENEW,
        all.flatMap(({ id, tier, caller }) => [
          keys.waiting(tier),
          keys.running(tier),
          keys.caller(caller.id),
          keys.conversion(id),
        ]),
        [LEASE_MS, ...all.map(({ id }) => id)],
      )) as number[];
      for (const [i, one] of all.entries())
        if (held[i] === 1) one.renewedAtMs = now;
        else if (pending.has(one.id)) one.refuse(away(new Error('Redis has forgotten a conversion')));
    } catch (error) {
      for (const one of all) if (now - one.renewedAtMs > LEASE_MS) one.refuse(away(error));
    }
    for (const one of all) {
      const { runLimitMs } = tiers[one.tier];
      if (one.beganAtMs !== undefined && now - one.beganAtMs > runLimitMs + LOST_AFTER_MS)
        one.refuse(new ServiceError('AT_CAPACITY', { tier: one.tier, retryAfterSeconds: 2 }));
    }
  };
  const renewing = setInterval(() => void renew(), RENEW_EVERY_MS).unref();

  const convert = async (
    conversion: QueuedConversion,
    { id, turn, sinceMs }: { readonly id: string; readonly turn: number; readonly sinceMs: number },
    signal: AbortSignal | undefined,
  ) => {
    const { tier, caller, bytes, settings, onTurn, onProgress } = conversion;
    const { waitLimitMs, runLimitMs } = tiers[tier];
    const lifetimeMs = waitLimitMs + 2 * runLimitMs + LOST_AFTER_MS;
    let picture: string | undefined;
    let one: Pending | undefined;
    let ending: Promise<void> | undefined;
    let ended = false;
    let callOff = () => {};
    try {
      const outcome = await new Promise<ConversionOutcome>((resolve, reject) => {
        const waiting: Pending = {
          id,
          tier,
          caller,
          sinceMs,
          renewedAtMs: sinceMs,
          beganAtMs: undefined,
          turned: Promise.resolve(),
          taken() {
            const again = waiting.beganAtMs !== undefined;
            waiting.beganAtMs = clock.monotonicMs();
            // Its turn comes once; who takes it up again finds that it may begin.
            if (again) return;
            clearTimeout(patience);
            const waitedMs = waiting.beganAtMs - sinceMs;
            waiting.turned = onTurn(waitedMs)
              .then(async () => {
                if (!ended) await say(waiting, 'go', waitedMs);
              })
              .catch(reject);
          },
          progress: ({ stage, fraction }) => onProgress?.(stage, fraction),
          settle: resolve,
          refuse: reject,
        };
        one = waiting;
        pending.set(id, waiting);
        const patience = setTimeout(
          () =>
            reject(
              new ServiceError('QUEUE_TIMEOUT', {
                tier,
                waitedMs: waitLimitMs,
                retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(waitLimitMs / 1000))),
              }),
            ),
          waitLimitMs,
        );
        const onAbort = () => reject(new ServiceError('CANCELLED', undefined, { cause: signal?.reason }));
        signal?.addEventListener('abort', onAbort, { once: true });
        callOff = () => {
          clearTimeout(patience);
          signal?.removeEventListener('abort', onAbort);
        };
        // While it was let in.
        if (signal?.aborted) return onAbort();
        if (closed) return reject(new ServiceError('AT_CAPACITY', { tier, retryAfterSeconds: 1 }));
        // A worker takes it up while its picture is being kept.
        enqueue(waiting, { settings, turn, watched: onProgress !== undefined }).catch(reject);
        const send = async () => {
          const sent = await sendPicture(artifacts, bytes, lifetimeMs);
          if (ended) return artifacts.remove(sent);
          picture = sent;
          await say(waiting, 'picture', sent);
        };
        send().catch(reject);
      });
      // Its place is free while the drawing is fetched.
      if (one !== undefined) ending = end(one, false);
      if (!outcome.ok) throw wantedAfterAll(toError(outcome), signal);
      const made = await receiveDrawing(artifacts, outcome.drawing);
      clearSoon(outcome.drawing);
      return made;
    } finally {
      ended = true;
      callOff();
      pending.delete(id);
      if (one !== undefined) {
        // What was set aside at its turn is known before anybody is told that it came to nothing.
        await one.turned;
        await (ending ?? end(one, true));
      }
      if (picture !== undefined) clearSoon(picture);
      if (pending.size === 0) for (const tell of whenIdle.splice(0)) tell();
    }
  };

  const load = async () => {
    const all = (await redis.run(LOAD, loadKeys(keys), [])) as number[];
    const of = (i: number): TierLoad => {
      const [waiting, running, capacity] = all.slice(3 * i, 3 * i + 3) as [number, number, number];
      return { waiting, running, capacity };
    };
    return Object.fromEntries(TIER_IDS.map((tier, i) => [tier, of(i)])) as Record<TierId, TierLoad>;
  };

  return {
    async convert(conversion, signal) {
      const { tier, caller } = conversion;
      if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      if (closed) throw new ServiceError('AT_CAPACITY', { tier, retryAfterSeconds: 1 });
      // Never a number, which BullMQ would not take for a name.
      const id = `c${ids.next()}`;
      const sinceMs = clock.monotonicMs();
      return convert(conversion, { id, turn: await admit(id, tier, caller), sinceMs }, signal);
    },
    load,
    async fleet() {
      const loads = Object.values(await load());
      const workers = await redis.guard(Promise.all(TIER_IDS.map((tier) => redis.client.zcard(keys.takers(tier)))));
      return {
        workers: Object.fromEntries(TIER_IDS.map((tier, i) => [tier, workers[i]])) as Record<TierId, number>,
        leases: loads.reduce((sum, { waiting, running }) => sum + waiting + running, 0),
      };
    },
    async close() {
      closed = true;
      for (const one of pending.values())
        if (one.beganAtMs === undefined)
          one.refuse(new ServiceError('AT_CAPACITY', { tier: one.tier, retryAfterSeconds: 1 }));
      if (pending.size > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      clearInterval(renewing);
      await Promise.all([...travelled].map(clear));
      await inTime(Object.values(queues).flatMap(({ queue, events }) => [queue.close(), events.close()]));
    },
  };
}
