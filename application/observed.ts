import type { ArtifactStore } from './ports/artifact-store.js';
import type { Clock } from './ports/clock.js';
import type { CreditLedger } from './ports/credit-ledger.js';
import type { Telemetry } from './ports/telemetry.js';
import { TRACE_STAGES } from './ports/tracer.js';
import type { ConvertPicture } from './use-cases/convert-picture.js';

/** Does the work, and notes how long an operation of this name took and how it ended. */
export type Observe = <T>(operation: string, work: () => Promise<T>) => Promise<T>;

/** The same store, each of its operations observed. */
export function observedArtifactStore(store: ArtifactStore, observe: Observe): ArtifactStore {
  const { link } = store;
  return {
    async reserve(bytes) {
      const room = await observe('reserve', () => store.reserve(bytes));
      return { put: (artifact) => observe('put', () => room.put(artifact)), release: () => room.release() };
    },
    put: (artifact) => observe('put', () => store.put(artifact)),
    get: (basename, fileName) => observe('get', () => store.get(basename, fileName)),
    companion: (basename) => observe('companion', () => store.companion(basename)),
    remove: (basename) => observe('remove', () => store.remove(basename)),
    sweep: () => observe('sweep', () => store.sweep()),
    ...(link !== undefined && { link: (basename, fileName) => observe('link', () => link(basename, fileName)) }),
  };
}

/** The same ledger, each of its operations observed; a refusal for want of credits is an answer like another. */
export function observedCreditLedger(ledger: CreditLedger, observe: Observe): CreditLedger {
  return {
    async hold(...args) {
      const hold = await observe('hold', () => ledger.hold(...args));
      return {
        ...hold,
        settle: () => observe('settle', () => hold.settle()),
        release: () => observe('release', () => hold.release()),
      };
    },
    balance: (accountId) => observe('balance', () => ledger.balance(accountId)),
    grant: (...args) => observe('grant', () => ledger.grant(...args)),
    expireHolds: () => observe('expire', () => ledger.expireHolds()),
    entries: (...args) => observe('entries', () => ledger.entries(...args)),
  };
}

/**
 * The same conversion as a span, and within it the wait and each stage of the trace, as its answer tells them: wherever it was
 * traced, in a thread or in another process.
 */
export const observedConvertPicture =
  (convertPicture: ConvertPicture, telemetry: Telemetry, clock: Clock): ConvertPicture =>
  (input, signal) =>
    telemetry.span('convert', { 'burin.bytes': input.bytes.length }, async () => {
      let at = clock.wallMs();
      const converted = await convertPicture(input, signal);
      const { timingsMs } = converted.traceStats;
      const note = (name: string, ms: number) => {
        telemetry.record(name, {}, at, at + ms);
        at += ms;
      };
      note('queue.wait', timingsMs.queued);
      for (const stage of TRACE_STAGES) note(`trace.${stage}`, timingsMs[stage]);
      return converted;
    });
