import { formatCount } from '../shared/text.js';
import { api, type ChargeView } from './api.js';
import { Box, When } from './parts.js';
import { useLoaded } from './use-loaded.js';

interface ChargeLine {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  /** Change of the credits that can be spent. */
  readonly credits: number;
  readonly reference: string | null;
}

const amount = ({ monthly, pack }: ChargeView) => monthly + pack;

/** The ledger as people think of it: what was set aside and then paid or given back is one line. */
export function linesOf(charges: readonly ChargeView[]): readonly ChargeLine[] {
  const ends = new Map(
    charges.flatMap((entry) =>
      entry.hold_id !== null && entry.kind !== 'hold' ? [[entry.hold_id, entry.kind] as const] : [],
    ),
  );
  return charges.flatMap((entry, i): ChargeLine[] => {
    const line = { id: `${entry.at} ${i}`, at: entry.at, reference: entry.reference };
    switch (entry.kind) {
      case 'quota':
        return [{ ...line, what: `Credits of ${entry.period}`, credits: amount(entry), reference: null }];
      case 'grant':
        return [{ ...line, what: 'Pack', credits: amount(entry) }];
      case 'hold': {
        const end = entry.hold_id === null ? undefined : ends.get(entry.hold_id);
        if (end === 'settle') return [{ ...line, what: 'Conversion', credits: amount(entry) }];
        if (end === undefined) return [{ ...line, what: 'Conversion under way', credits: amount(entry) }];
        return [{ ...line, what: 'Conversion that failed: given back', credits: 0 }];
      }
      default:
        return [];
    }
  });
}

/** What credits came and went for. */
export function Charges() {
  const charges = useLoaded(api.charges);
  return (
    <Box title="Credits in and out" loaded={charges}>
      {(all) =>
        all.length === 0 ? (
          <p class="empty">Nothing was charged yet.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled with the keys.
          <section class="table tall" tabIndex={0} aria-label="Entries">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">What for</th>
                  <th scope="col" class="number">
                    Credits
                  </th>
                </tr>
              </thead>
              <tbody>
                {linesOf(all).map(({ id, at, what, credits, reference }) => (
                  <tr key={id}>
                    <td>
                      <When at={at} />
                    </td>
                    <td>
                      {what}
                      {reference !== null && <span class="quiet"> {reference}</span>}
                    </td>
                    <td class="number">
                      {credits > 0 ? '+' : credits < 0 ? '−' : ''}
                      {formatCount(Math.abs(credits))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      }
    </Box>
  );
}

/** What was refused lately, with what to name when asking about it. */
export function RecentErrors() {
  const errors = useLoaded(api.errors);
  return (
    <Box
      title="Recent errors"
      loaded={errors}
      tools={
        <button type="button" class="button quiet-button" onClick={() => void errors.reload()}>
          Refresh
        </button>
      }
    >
      {(all) =>
        all.length === 0 ? (
          <p class="empty">Nothing was refused in the last seven days.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled with the keys.
          <ul class="error-list" tabIndex={0} aria-label="Refusals, newest first">
            {all.map(({ request_id, code, error, operation, at }) => (
              <li key={request_id}>
                <p>{error}</p>
                <p class="quiet">
                  <When at={at} /> · {operation} · {code} · request <code>{request_id}</code>
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Box>
  );
}
