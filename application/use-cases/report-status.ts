import type { Clock } from '#application/ports/clock.js';

export interface ServiceStatus {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  /** The tracing engine's version. */
  readonly engine: string;
  readonly uptime_seconds: number;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/** Whether each thing that the service stands on is there. */
export type Checks = Readonly<Record<string, 'ok' | 'failing'>>;

export interface ReportStatusDeps {
  readonly clock: Clock;
  readonly version: string;
  readonly engine: string;
  readonly checks: () => Checks;
}

export interface ReportStatus {
  (): ServiceStatus;
  /** The single checks; work can be taken when none fails. */
  checks(): Checks;
}

export function createReportStatus({ clock, version, engine, checks }: ReportStatusDeps): ReportStatus {
  const startMs = clock.monotonicMs();
  const report = (): ServiceStatus => ({
    status: Object.values(checks()).includes('failing') ? 'degraded' : 'ok',
    version,
    engine,
    uptime_seconds: Math.floor((clock.monotonicMs() - startMs) / 1000),
    time: new Date(clock.wallMs()).toISOString(),
  });
  return Object.assign(report, { checks });
}
