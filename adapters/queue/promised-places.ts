/**
 * Places in a full line that are kept for who was told to come again: without them, those inside are back in line before who
 * waits outside as told, who then might never get in. A place is kept from shortly before the time, so that one has become free
 * by then, and half of all places at most, so that who never comes back costs little.
 */
export interface PromisedPlaces {
  /** Somebody was refused, and told to come again after so long. */
  promise(caller: string, retryAfterMs: number): void;
  /** Whether somebody gets in where so many places are free; uses up what was promised to them. */
  letIn(caller: string, freePlaces: number): boolean;
  /** The same, with nothing used up. */
  wouldLetIn(caller: string, freePlaces: number): boolean;
}

/** A place becomes free well within this time where a line moves at all. */
const LEAD_MS = 3000;
/** Who comes later than told by more than this has lost the place. */
const GRACE_MS = 2000;
/** Timers of clients may be as much too early. */
const EARLY_MS = 50;
/** Promises that are remembered; more people than that wait outside only where nobody counts on being let in. */
const MAX_REMEMBERED = 1000;

export function createPromisedPlaces(nowMs: () => number, places: number): PromisedPlaces {
  const mostKept = Math.floor(places / 2);
  let promises: readonly { readonly caller: string; readonly dueMs: number }[] = [];
  const judge = (caller: string, freePlaces: number) => {
    const now = nowMs();
    promises = promises.filter(({ dueMs }) => dueMs + GRACE_MS > now);
    // Before its time it is another request of the same caller that comes.
    const own = promises.findIndex((promise) => promise.caller === caller && promise.dueMs - EARLY_MS <= now);
    if (own >= 0 && freePlaces > 0) return { own, isIn: true };
    const soon = promises.filter(({ dueMs }) => dueMs - LEAD_MS <= now).length;
    return { own: -1, isIn: freePlaces > Math.min(mostKept, soon) };
  };
  return {
    promise(caller, retryAfterMs) {
      if (promises.length < MAX_REMEMBERED) promises = [...promises, { caller, dueMs: nowMs() + retryAfterMs }];
    },
    letIn(caller, freePlaces) {
      const { own, isIn } = judge(caller, freePlaces);
      if (isIn && own >= 0) promises = promises.filter((_, i) => i !== own);
      return isIn;
    },
    wouldLetIn: (caller, freePlaces) => judge(caller, freePlaces).isIn,
  };
}
