import type { Clock } from '#application/ports/clock.js';
import type { RetraceMemory } from '#application/ports/retrace-memory.js';
import type { Database } from './create-database.js';
import { RETRACE_LIFETIME_MS, tiersFrom } from './retrace-rules.js';

const TABLE = 'paid_pictures';

export function createKnexRetraceMemory({
  database: { knex },
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): RetraceMemory {
  return {
    async isFree({ caller, picture, tier }) {
      const found = await knex(TABLE)
        .where({ caller, picture })
        .whereIn('tier', tiersFrom(tier))
        .where('paid_at_ms', '>', clock.wallMs() - RETRACE_LIFETIME_MS)
        .limit(1)
        .pluck('tier');
      return found.length > 0;
    },
    async remember(traced) {
      await knex(TABLE)
        .insert({ ...traced, paid_at_ms: clock.wallMs() })
        .onConflict(['caller', 'picture', 'tier'])
        .merge(['paid_at_ms']);
    },
    sweep: () =>
      knex(TABLE)
        .where('paid_at_ms', '<=', clock.wallMs() - RETRACE_LIFETIME_MS)
        .delete(),
  };
}
