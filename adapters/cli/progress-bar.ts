import type { Writable } from 'node:stream';
import type { SingleBar } from 'cli-progress';
import type { TraceStage } from '#application/ports/tracer.js';
import { oneLine } from './error-line.js';

export type MaybeTerminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** A bar at the bottom of a terminal that says how far the work is. */
export interface ProgressBar {
  /** Whether there is anything to see of it. */
  readonly shows: boolean;
  /** `fraction` 0..1 of one picture. */
  show(name: string, stage: TraceStage, fraction: number): void;
  /** One picture more is done, well or not. */
  advance(): void;
  /** Takes the bar away, so that other text can be written; the next `show` brings it back. */
  clear(): void;
}

const NOTHING: ProgressBar = { shows: false, show() {}, advance() {}, clear() {} };
/** Steps of one picture. */
const STEPS = 100;
/** What stands beside the name: bar, percentage, numbers. */
const BESIDE = 60;

/** Loads and shows nothing where the stream is no terminal. `total`: pictures to come. */
export async function createProgressBar(stream: MaybeTerminal, total: number): Promise<ProgressBar> {
  if (!stream.isTTY) return NOTHING;
  const progress = await import('cli-progress');
  const { SingleBar: Bar, Presets } = progress.default ?? progress;
  const one = total === 1;
  const bar: SingleBar = new Bar(
    {
      stream: stream as NodeJS.WritableStream,
      format: one
        ? '{bar} {percentage}% {stage} {name}'
        : '{bar} {percentage}% {done}/{total_pictures} {eta_formatted} {name}',
      clearOnComplete: true,
      barsize: 24,
      // What hides it must show it again, and an interrupt leaves no time for that.
      hideCursor: false,
      gracefulExit: false,
      etaBuffer: 20,
    },
    Presets.shades_classic,
  );
  let done = 0;
  let shown = false;
  const width = Math.max(10, (stream.columns ?? 80) - BESIDE);
  const payload = (name: string, stage: TraceStage) => ({
    name: oneLine(name).slice(-width),
    stage: stage.padEnd(7),
    done,
    total_pictures: total,
  });
  return {
    shows: true,
    show(name, stage, fraction) {
      const value = one ? Math.round(Math.min(1, Math.max(0, fraction)) * STEPS) : done;
      if (shown) return bar.update(value, payload(name, stage));
      shown = true;
      bar.start(one ? STEPS : total, value, payload(name, stage));
    },
    advance() {
      done++;
    },
    clear() {
      if (shown) bar.stop();
      shown = false;
    },
  };
}
