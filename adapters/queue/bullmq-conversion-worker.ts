import { type Job, Worker } from 'bullmq';
import { toFailureData } from '#application/failure-data.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { Logger } from '#application/ports/logger.js';
import type { TraceStage } from '#application/ports/tracer.js';
import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import type { TierId } from '#domain/tiers/tier.js';
import { LEASE_MS } from './bullmq-conversion-queue.js';
import {
  CANCEL,
  type ConversionJob,
  type ConversionOutcome,
  type ConversionWord,
  receivePicture,
  sendDrawing,
} from './conversion-job.js';
import { createFleetKeys, queueName } from './fleet-keys.js';
import { ANNOUNCE, LOOK, TAKE } from './fleet-scripts.js';
import { inTime, type RedisAccess } from './redis-access.js';

export interface BullmqConversionWorkerDeps {
  readonly redis: RedisAccess;
  readonly prefix: string;
  /** Of this process; nobody else's. */
  readonly name: string;
  /** Tiers that it takes, and how many of each it may run at once. */
  readonly tiers: Readonly<Partial<Record<TierId, { readonly running: number }>>>;
  /** Conversions that can run at once, whatever their tier. */
  readonly workers: number;
  readonly vectorizeToFile: VectorizeToFile;
  readonly artifacts: ArtifactStore;
  /** Whether anything is there that could run conversions now; always, when left out. */
  readonly isAlive?: () => boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Takes conversions of a fleet's queue and runs them. */
export interface ConversionWorker {
  /** Conversions that run here now. */
  running(): number;
  /** Takes no more, and resolves when what runs has ended. */
  close(): Promise<void>;
  /** What runs is left as it is, for others to begin again. */
  abandon(): void;
}

/**
 * A worker that is killed is noticed when its locks have run out and somebody has looked twice: well within 10 s. Everything of a
 * conversion that takes long runs in other threads, so that a worker that is alive renews in time.
 */
const LOCK_MS = 4000;
const LOOK_FOR_LOST_EVERY_MS = 1500;
const RENEW_EVERY_MS = 1000;
/** What a worker says of itself is believed for so long. */
const ANNOUNCED_FOR_MS = 4000;
/** For wake-up calls that were missed. */
const LOOK_EVERY_MS = 500;
/** A drawing waits for whoever asked for it, who is there already. */
const DRAWING_LIFETIME_MS = 60_000;
const PROGRESS_EVERY_MS = 100;
const TELL_AGAIN_MS = 200;

interface Run {
  readonly tier: TierId;
  readonly job: Job<ConversionJob, ConversionOutcome>;
  readonly token: string;
  readonly aborting: AbortController;
  /** Whether it was found that somebody waits for it. */
  wanted: boolean;
  /** It hears how long it had waited, once it may begin, and where its picture lies. */
  readonly hear: Readonly<Record<ConversionWord, (what: string) => void>>;
}

/** What scripts answer of `go` and `picture`, so far as it has been said. */
type Words = [go?: string | null, picture?: string | null];

function tell({ hear }: Run, [go, picture]: Words): void {
  if (typeof go === 'string') hear.go(go);
  if (typeof picture === 'string') hear.picture(picture);
}

/** A promise that others keep; nothing is said where it is broken and nobody waits. */
function promised<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((keep, breakIt) => {
    [resolve, reject] = [keep, breakIt];
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

const cancelled = (reason: string) => new ServiceError('CANCELLED', undefined, { cause: new Error(reason) });

/** Resolves when it is at work. */
export async function startBullmqConversionWorker(deps: BullmqConversionWorkerDeps): Promise<ConversionWorker> {
  const { redis, prefix, name, tiers, workers, vectorizeToFile, artifacts, isAlive = () => true, logger } = deps;
  const keys = createFleetKeys(prefix);
  const taken = Object.keys(tiers) as TierId[];
  // Where there are two threads or more and fast conversions come here, one thread is kept for them.
  const slowWorkers = workers >= 2 && taken.includes('fast') ? workers - 1 : workers;
  const capacityOf = (tier: TierId) => Math.min(tiers[tier]?.running ?? 0, tier === 'fast' ? workers : slowWorkers);
  const runs = new Map<string, Run>();
  /** Of those, the ones that have a thread, or wait to be told that they may begin. */
  const slots = new Set<Run>();
  const whenIdle: (() => void)[] = [];
  let closing = false;
  let abandoned = false;
  let tokens = 0;
  /** Wake-up calls heard. */
  let calls = 0;

  const countOf = (holds: (tier: TierId) => boolean) => [...slots].filter((run) => holds(run.tier)).length;
  const isFree = (tier: TierId) =>
    slots.size < workers &&
    countOf((other) => other === tier) < capacityOf(tier) &&
    (tier === 'fast' || countOf((other) => other !== 'fast') < slowWorkers);

  const onError = (err: unknown) => {
    if (redis.client.status === 'ready') logger.warn({ err }, 'a worker has trouble with Redis');
  };
  const subscriber = redis.connect('subscribing');
  subscriber.on('message', (channel: string, message: string) => {
    if (channel === keys.wake) {
      calls++;
      return takeMore(message as TierId);
    }
    const [id, word, what] = message.split(' ') as [string, ConversionWord | typeof CANCEL, string];
    const run = runs.get(id);
    if (word === CANCEL) run?.aborting.abort(new Error('it is not wanted any more'));
    else run?.hear[word](what);
  });
  const opened = taken.map((tier) => {
    const worker = new Worker<ConversionJob, ConversionOutcome>(queueName(tier), null, {
      connection: redis.client,
      prefix,
      name,
      autorun: false,
      skipVersionCheck: true,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_FOR_LOST_EVERY_MS,
      maxStalledCount: 1,
    });
    worker.on('error', onError);
    worker.on('stalled', (id) => logger.warn({ id }, 'a conversion whose worker was lost is begun again'));
    return [tier, worker] as const;
  });
  const queues = Object.fromEntries(opened) as Partial<Record<TierId, Worker<ConversionJob, ConversionOutcome>>>;

  /** Says what became of a conversion; where Redis is away, as long as that may still help. */
  const finish = async ({ job, token }: Run, outcome: ConversionOutcome) => {
    for (const untilMs = performance.now() + LOCK_MS; !abandoned; ) {
      try {
        await redis.guard(job.moveToCompleted(outcome, token, false));
        return;
      } catch (error) {
        const isAway = error instanceof ServiceError;
        if (!isAway || performance.now() > untilMs) {
          // It has been given to somebody else, or is gone.
          logger.warn({ err: error, id: job.id }, 'what became of a conversion could not be told');
          if (outcome.ok) await artifacts.remove(outcome.drawing).catch(onError);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, TELL_AGAIN_MS));
      }
    }
  };

  const progressOf = (job: Job<ConversionJob, ConversionOutcome>) => {
    if (!job.data.watched) return undefined;
    let told: TraceStage | undefined;
    let toldAtMs = 0;
    return (stage: TraceStage, fraction: number) => {
      const now = performance.now();
      if (stage === told && now - toldAtMs < PROGRESS_EVERY_MS) return;
      [told, toldAtMs] = [stage, now];
      job.updateProgress({ stage, fraction }).catch(onError);
    };
  };

  const work = async (run: Run, begun: Promise<number>, sent: Promise<string>): Promise<ConversionOutcome> => {
    const { tier, job, aborting } = run;
    const id = job.id as string;
    const { signal } = aborting;
    try {
      const picture = sent.then((name) => receivePicture(artifacts, name));
      picture.catch(() => {});
      const called = calls;
      const [wanted, waiting, ...words] = (await redis.run(
        TAKE,
        [keys.waiting(tier), keys.running(tier), keys.turns(tier), keys.conversion(id)],
        [id, job.data.turn, keys.worker(name), LEASE_MS],
      )) as [number, number, ...Words];
      // Who comes from now on calls.
      if (waiting === 0 && calls === called) maybe.delete(tier);
      if (wanted === 0) throw cancelled('nobody waits for it');
      run.wanted = true;
      tell(run, words);
      const queuedMs = await begun;
      const onProgress = progressOf(job);
      const made = await vectorizeToFile(
        {
          picture: { kind: 'encoded', bytes: await picture },
          settings: job.data.settings,
          queuedMs,
          ...(onProgress && { onProgress }),
        },
        signal,
      );
      // While it is sent, the thread is the next one's.
      slots.delete(run);
      takeMore();
      return { ok: true, drawing: await sendDrawing(artifacts, made, DRAWING_LIFETIME_MS) };
    } catch (error) {
      return { ok: false, ...toFailureData(error) };
    }
  };

  const take = async (tier: TierId, job: Job<ConversionJob, ConversionOutcome>, token: string) => {
    const aborting = new AbortController();
    const id = job.id as string;
    const { promise: begun, resolve: go, reject: stop } = promised<number>();
    const { promise: sent, resolve: fetch, reject: forgo } = promised<string>();
    aborting.signal.addEventListener(
      'abort',
      () => {
        for (const reject of [stop, forgo]) reject(cancelled('nobody waits for it'));
      },
      { once: true },
    );
    const hear = { go: (waitedMs: string) => go(Number(waitedMs)), picture: fetch };
    const run: Run = { tier, job, token, aborting, wanted: false, hear };
    runs.set(id, run);
    slots.add(run);
    try {
      await finish(run, await work(run, begun, sent));
    } finally {
      runs.delete(id);
      slots.delete(run);
      if (runs.size === 0) for (const tell of whenIdle.splice(0)) tell();
      takeMore();
    }
  };

  let taking: Promise<void> | undefined;
  let looking = false;
  /** Tiers in which there may be something to do. */
  const maybe = new Set<TierId>(taken);
  let asked = false;
  let next = 0;
  /** Takes conversions as long as there are any and slots for them, from one tier after the other. */
  function takeMore(first?: TierId): void {
    asked = true;
    if (first !== undefined && taken.includes(first)) {
      maybe.add(first);
      next = taken.indexOf(first);
    }
    if (!looking) taking = look();
  }
  async function look(): Promise<void> {
    looking = true;
    try {
      for (let misses = 0; asked; ) {
        asked = false;
        for (misses = 0; misses < taken.length && !closing && isAlive(); ) {
          const tier = taken[next++ % taken.length] as TierId;
          const token = `${name}:${tokens++}`;
          const looks = maybe.has(tier) && isFree(tier);
          // Who calls meanwhile is heard.
          if (looks) maybe.delete(tier);
          const job = looks ? await queues[tier]?.getNextJob(token, { block: false }) : undefined;
          if (job === undefined) misses++;
          else {
            misses = 0;
            maybe.add(tier);
            void take(tier, job, token);
          }
        }
      }
    } catch (error) {
      onError(error);
    } finally {
      looking = false;
    }
  }

  const announce = () => {
    if (closing || !isAlive()) return Promise.resolve();
    const members = taken.map((tier) => `${name}|${capacityOf(tier)}|${tier === 'fast' ? workers : slowWorkers}`);
    return redis.run(ANNOUNCE, taken.map(keys.takers), [ANNOUNCED_FOR_MS, ...members]);
  };
  const renew = async () => {
    await announce();
    const all = [...runs].filter(([, { aborting }]) => !aborting.signal.aborted);
    if (all.length === 0) return;
    for (const [tier, worker] of opened) {
      const own = all.filter(([, run]) => run.tier === tier);
      if (own.length === 0) continue;
      const lost = await worker.extendJobLocks(
        own.map(([id]) => id),
        own.map(([, { token }]) => token),
        LOCK_MS,
      );
      // It was taken for dead: somebody else has begun them again.
      for (const id of lost) runs.get(id)?.aborting.abort(new Error('its lock was lost'));
    }
    const looks = (await redis.run(
      LOOK,
      all.flatMap(([id, { tier }]) => [keys.running(tier), keys.conversion(id)]),
      all.map(([id]) => id),
    )) as [number, ...Words][];
    for (const [i, [, run]] of all.entries()) {
      const [wanted, ...words] = looks[i] as (typeof looks)[number];
      if (wanted === 0 && run.wanted) run.aborting.abort(new Error('whoever asked for it is gone'));
      // Where the message was missed.
      else tell(run, words);
    }
  };

  await subscriber.subscribe(keys.wake, keys.worker(name));
  for (const [, worker] of opened) {
    await worker.waitUntilReady();
    await worker.startStalledCheckTimer();
  }
  await announce();
  const timers = [
    setInterval(() => void renew().catch(onError), RENEW_EVERY_MS),
    setInterval(() => {
      for (const tier of taken) maybe.add(tier);
      takeMore();
    }, LOOK_EVERY_MS),
  ];
  takeMore();

  return {
    abandon() {
      abandoned = true;
    },
    running: () => runs.size,
    async close() {
      closing = true;
      const gone = taken.map((tier) =>
        redis.client.zrem(keys.takers(tier), `${name}|${capacityOf(tier)}|${tier === 'fast' ? workers : slowWorkers}`),
      );
      await Promise.allSettled(gone);
      // What was on its way when we were told to stop is done as well.
      await taking;
      if (runs.size > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      for (const timer of timers) clearInterval(timer);
      await inTime(opened.map(([, worker]) => worker.close(true)));
      subscriber.disconnect();
    },
  };
}
