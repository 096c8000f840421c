import type { TraceStats } from '#application/use-cases/vectorize-answer.js';
import type { Fidelity } from '#domain/diagnostics/diagnostics.js';
import { oneLine } from '../error-line.js';
import { PIPE, type TraceJob } from '../output-paths.js';
import { table } from '../table.js';

/** One picture that became a drawing. */
export interface TraceRow {
  readonly job: TraceJob;
  readonly stats: TraceStats;
  readonly fidelity: Fidelity | null;
  /** Of all files that were written. */
  readonly bytes: number;
}

const shownInput = (path: string) => (path === PIPE ? 'standard input' : path);
const shownOutput = ({ outputs }: TraceJob) =>
  outputs.length === 0 ? 'JSON' : outputs.map(({ path }) => (path === PIPE ? 'standard output' : path)).join(', ');

/** One line for one picture. */
export function jobLine({ job, stats }: TraceRow): string {
  const { width, height, shapes, nodes, svgBytes, timingsMs } = stats;
  const figures = `${width} x ${height}, ${shapes} shapes, ${nodes} nodes, ${svgBytes} bytes, ${Math.round(timingsMs.total)} ms`;
  return oneLine(`${shownInput(job.input)} -> ${shownOutput(job)}: ${figures}`);
}

/** A table of every picture, in the order of their names. */
export function summaryOf(rows: readonly TraceRow[]): string {
  const cells = [...rows]
    .sort((a, b) => (a.job.input < b.job.input ? -1 : 1))
    .map(({ job, stats, fidelity, bytes }) => [
      shownInput(job.input),
      `${stats.width} x ${stats.height}`,
      String(stats.shapes),
      String(stats.nodes),
      String(bytes),
      fidelity === null ? '' : fidelity.deltaE00.toFixed(2),
      String(Math.round(stats.timingsMs.total)),
    ]);
  return table(['PICTURE', 'SIZE', 'SHAPES', 'NODES', 'BYTES', 'DELTA E', 'MS'], cells, [1, 2, 3, 4, 5, 6]);
}

/** `198 of 200 pictures traced, 2 not; 5.3 s, 37.4 a second` */
export function totalsLine(rows: readonly TraceRow[], asked: number, tookMs: number): string {
  const seconds = tookMs / 1000;
  const left = asked - rows.length;
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const which = left === 0 ? `${asked} pictures traced` : `${rows.length} of ${asked} pictures traced, ${left} not`;
  return `${which}; ${bytes} bytes, ${seconds.toFixed(1)} s, ${(rows.length / Math.max(seconds, 0.001)).toFixed(1)} a second`;
}
