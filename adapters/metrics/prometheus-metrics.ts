import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observe } from '#application/observed.js';
import type { ConversionQueue, FleetState, QueueCaller, TierLoad } from '#application/ports/conversion-queue.js';
import type { EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import type { TierId } from '#domain/tiers/tier.js';

/** How many workers of a kind there are, and how many work. */
export interface PoolLoad {
  readonly workers: number;
  readonly busy: number;
}

export interface MetricsSources {
  readonly queueLoad: () => Promise<Readonly<Record<string, TierLoad>>>;
  /** Of a service that is many processes. */
  readonly fleet?: (() => Promise<FleetState>) | undefined;
  readonly pools: Readonly<Record<string, () => PoolLoad>>;
}

export interface Metrics {
  readonly contentType: string;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  /** Where what is counted at the moment of asking comes from. */
  observe(sources: MetricsSources): void;
  /** The same queue, with waits, runs and refusals counted by tier. */
  ofQueue(queue: ConversionQueue): ConversionQueue;
  /** The same work, counted by how it ended. */
  ofConversions(vectorizeToFile: VectorizeToFile): VectorizeToFile;
  ofExports(encodeDrawing: EncodeDrawing): EncodeDrawing;
  /** Work of the file store, and of the credit ledger, timed by operation, and what failed counted by code. */
  readonly ofStore: Observe;
  readonly ofLedger: Observe;
}

/** What a database or a store should take, and what it must not. */
const SHORT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const outcomeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : 'INTERNAL_ERROR');

/** Figures of the service in a registry of its own, with those of the process. */
export function createPrometheusMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let sources: MetricsSources | undefined;

  const waits = new Histogram({
    name: 'burin_queue_wait_seconds',
    help: 'How long conversions waited for a slot.',
    labelNames: ['tier'],
    buckets: SECONDS,
    registers,
  });
  const runs = new Histogram({
    name: 'burin_slot_held_seconds',
    help: 'How long conversions held their slot.',
    labelNames: ['tier'],
    buckets: SECONDS,
    registers,
  });
  const refused = new Counter({
    name: 'burin_queue_refusals_total',
    help: 'Conversions that were given no slot, by the code of the refusal.',
    labelNames: ['tier', 'code'],
    registers,
  });
  const conversions = new Counter({
    name: 'burin_conversions_total',
    help: 'Conversions that ran, by how they ended: ok, or the code of the error.',
    labelNames: ['outcome'],
    registers,
  });
  const conversionSeconds = new Histogram({
    name: 'burin_conversion_seconds',
    help: 'How long conversions that succeeded ran.',
    buckets: SECONDS,
    registers,
  });
  const exports = new Counter({
    name: 'burin_exports_total',
    help: 'Exports, by format and how they ended: ok, or the code of the error.',
    labelNames: ['format', 'outcome'],
    registers,
  });
  const exportSeconds = new Histogram({
    name: 'burin_export_seconds',
    help: 'How long exports that succeeded took, waiting included.',
    labelNames: ['format'],
    buckets: SECONDS,
    registers,
  });
  const observing = (name: string, what: string): Observe => {
    const seconds = new Histogram({
      name: `burin_${name}_seconds`,
      help: `How long operations of ${what} took that succeeded.`,
      labelNames: ['operation'],
      buckets: SHORT_SECONDS,
      registers,
    });
    const errors = new Counter({
      name: `burin_${name}_errors_total`,
      help: `Operations of ${what} that failed, by the code of the error.`,
      labelNames: ['operation', 'code'],
      registers,
    });
    return async (operation, work) => {
      const end = seconds.startTimer({ operation });
      try {
        const answer = await work();
        end();
        return answer;
      } catch (error) {
        const code = outcomeOf(error);
        // That somebody's credits are spent is an answer.
        if (code === 'INSUFFICIENT_CREDITS') end();
        else errors.inc({ operation, code });
        throw error;
      }
    };
  };
  new Gauge({
    name: 'burin_queue_conversions',
    help: 'Conversions by tier: waiting, running, and the most that may run.',
    labelNames: ['tier', 'state'],
    registers,
    async collect() {
      this.reset();
      // Where nobody can say it, the other figures are given all the same.
      const loads = await sources?.queueLoad().catch(() => undefined);
      for (const [tier, load] of Object.entries(loads ?? {}))
        for (const state of ['waiting', 'running', 'capacity'] as const) this.set({ tier, state }, load[state]);
    },
  });
  new Gauge({
    name: 'burin_queue_workers',
    help: 'Worker processes of a fleet by the tiers that they take.',
    labelNames: ['tier'],
    registers,
    async collect() {
      this.reset();
      const fleet = await sources?.fleet?.().catch(() => undefined);
      for (const [tier, workers] of Object.entries(fleet?.workers ?? {})) this.set({ tier }, workers);
    },
  });
  new Gauge({
    name: 'burin_queue_leases',
    help: 'Conversions that processes of a fleet hold, waiting and running.',
    registers,
    async collect() {
      const fleet = await sources?.fleet?.().catch(() => undefined);
      this.set(fleet?.leases ?? 0);
    },
  });
  new Gauge({
    name: 'burin_pool_workers',
    help: 'Worker threads by pool: all, and those at work.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, load] of Object.entries(sources?.pools ?? {})) {
        const { workers, busy } = load();
        this.set({ pool, state: 'all' }, workers);
        this.set({ pool, state: 'busy' }, busy);
      }
    },
  });

  const refusalsOf =
    <T>(ask: (tier: TierId, caller: QueueCaller) => T) =>
    (tier: TierId, caller: QueueCaller): T => {
      try {
        return ask(tier, caller);
      } catch (error) {
        refused.inc({ tier, code: outcomeOf(error) });
        throw error;
      }
    };

  return {
    ofStore: observing('store', 'the file store'),
    ofLedger: observing('ledger', 'the credit ledger'),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe(given) {
      sources = given;
    },
    ofQueue: (queue) => ({
      ...queue,
      ...(queue.requirePlace && { requirePlace: refusalsOf(queue.requirePlace) }),
      ...(queue.claimPlace && { claimPlace: refusalsOf(queue.claimPlace) }),
      async convert(conversion, signal) {
        const { tier, onTurn } = conversion;
        let end: (() => void) | undefined;
        try {
          return await queue.convert(
            {
              ...conversion,
              onTurn(waitedMs) {
                waits.observe({ tier }, waitedMs / 1000);
                end = runs.startTimer({ tier });
                return onTurn(waitedMs);
              },
            },
            signal,
          );
        } catch (error) {
          if (end === undefined) refused.inc({ tier, code: outcomeOf(error) });
          throw error;
        } finally {
          end?.();
        }
      },
    }),
    ofConversions: (vectorizeToFile) => async (input, signal) => {
      const end = conversionSeconds.startTimer();
      try {
        const output = await vectorizeToFile(input, signal);
        end();
        conversions.inc({ outcome: 'ok' });
        return output;
      } catch (error) {
        conversions.inc({ outcome: outcomeOf(error) });
        throw error;
      }
    },
    ofExports: (encodeDrawing) => async (input, signal) => {
      const { format } = input;
      const end = exportSeconds.startTimer({ format });
      try {
        const output = await encodeDrawing(input, signal);
        end();
        exports.inc({ format, outcome: 'ok' });
        return output;
      } catch (error) {
        exports.inc({ format, outcome: outcomeOf(error) });
        throw error;
      }
    },
  };
}
