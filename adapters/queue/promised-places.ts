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

interface Promised {
  readonly caller: string;
  readonly dueMs: number;
}

export function createPromisedPlaces(nowMs: () => number, places: number): PromisedPlaces {
  const mostKept = Math.floor(places / 2);
  const promises: Promised[] = [];

  /** Forgets what has lapsed, in one pass that leaves nothing to be swept up: a crowd is judged by the hundred. */
  const judge = (caller: string, freePlaces: number) => {
    const now = nowMs();
    let own: Promised | undefined;
    let soon = 0;
    let kept = 0;
    for (const promise of promises) {
      if (promise.dueMs + GRACE_MS <= now) continue;
      promises[kept++] = promise;
      if (promise.dueMs - LEAD_MS <= now) soon++;
      // Before its time it is another request of the same caller that comes.
      if (own === undefined && promise.caller === caller && promise.dueMs - EARLY_MS <= now) own = promise;
    }
    promises.length = kept;
    if (own !== undefined && freePlaces > 0) return { own, isIn: true };
    return { own: undefined, isIn: freePlaces > Math.min(mostKept, soon) };
  };
  return {
    promise(caller, retryAfterMs) {
      if (promises.length < MAX_REMEMBERED) promises.push({ caller, dueMs: nowMs() + retryAfterMs });
    },
    letIn(caller, freePlaces) {
      const { own, isIn } = judge(caller, freePlaces);
      if (own !== undefined) promises.splice(promises.indexOf(own), 1);
      return isIn;
    },
    wouldLetIn: (caller, freePlaces) => judge(caller, freePlaces).isIn,
  };
}
