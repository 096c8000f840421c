import type { Writable } from 'node:stream';
import type { TraceStage } from '#application/ports/tracer.js';
import { oneLine } from './error-line.js';

/** One line at the bottom of a terminal that says how far the work is. */
export interface ProgressLine {
  show(name: string, stage: TraceStage, fraction: number): void;
  /** Takes the line away, so that other text can be written. */
  clear(): void;
}

const BAR_WIDTH = 20;
const CLEAR_LINE = '\r\u001b[2K';

/** Writes nothing where the stream is no terminal. */
export function createProgressLine(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
): ProgressLine {
  if (!stream.isTTY) return { show() {}, clear() {} };
  let shown = '';
  return {
    show(name, stage, fraction) {
      const filled = Math.round(Math.min(1, Math.max(0, fraction)) * BAR_WIDTH);
      const text = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${stage.padEnd(7)} ${oneLine(name)}`;
      const line = text.slice(0, Math.max(1, (stream.columns ?? 80) - 1));
      if (line === shown) return;
      shown = line;
      stream.write(CLEAR_LINE + line);
    },
    clear() {
      if (shown !== '') stream.write(CLEAR_LINE);
      shown = '';
    },
  };
}
