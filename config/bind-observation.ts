import { hostname } from 'node:os';
import type { Container } from 'inversify';
import { createOtlpTelemetry } from '#adapters/telemetry/otlp-telemetry.js';
import type { Observe } from '#application/observed.js';
import { noTelemetry, type Telemetry } from '#application/ports/telemetry.js';
import { PACKAGE_VERSION } from './package-version.js';
import { CONFIG, TELEMETRY } from './tokens.js';

/** Spans, where a collector is named; without one, nothing of OpenTelemetry is loaded. */
export function bindObservation(container: Container): void {
  container.bind(TELEMETRY).toResolvedValue(
    async ({ telemetry }) =>
      telemetry === null
        ? noTelemetry
        : createOtlpTelemetry({
            ...telemetry,
            version: PACKAGE_VERSION,
            attributes: { 'service.instance.id': `${hostname()}-${process.pid}` },
          }),
    [CONFIG],
  );
}

/** One operation as a span and as a figure: `store.put`, `ledger.hold`. */
export const observeBoth =
  (name: string, telemetry: Telemetry, measure: Observe): Observe =>
  (operation, work) =>
    telemetry.span(`${name}.${operation}`, {}, () => measure(operation, work));
