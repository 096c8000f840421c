import type { Clock } from '#application/ports/clock.js';
import type { RetraceMemory } from '#application/ports/retrace-memory.js';
import type { TierId } from '#domain/tiers/tier.js';
import { RETRACE_LIFETIME_MS, tiersFrom } from './retrace-rules.js';

export function createMemoryRetraceMemory({ clock }: { readonly clock: Clock }): RetraceMemory {
  const paidAtMs = new Map<string, number>();
  const nameOf = (caller: string, picture: string, tier: TierId) => JSON.stringify([caller, picture, tier]);
  const isYoung = (timeMs: number | undefined) => timeMs !== undefined && timeMs > clock.wallMs() - RETRACE_LIFETIME_MS;
  return {
    isFree: async ({ caller, picture, tier }) =>
      tiersFrom(tier).some((paid) => isYoung(paidAtMs.get(nameOf(caller, picture, paid)))),
    async remember({ caller, picture, tier }) {
      paidAtMs.set(nameOf(caller, picture, tier), clock.wallMs());
    },
    async sweep() {
      let gone = 0;
      for (const [name, timeMs] of paidAtMs) if (!isYoung(timeMs) && paidAtMs.delete(name)) gone++;
      return gone;
    },
  };
}
