/**
 * Places in a full line that are kept for who was told to come again: without them, those inside are back in line before who
 * waits outside as told, who then might never get in. Half of the places at most are kept, so that who never comes back costs
 * little.
 */
export interface PromisedPlaces {
  /** Somebody was refused, and told to come again after so long. */
  promise(caller: string, retryAfterMs: number): void;
  /** Whether somebody gets in where so many places are free; uses up what was promised to them. */
  letIn(caller: string, freePlaces: number): boolean;
}

/** Who comes later than told by more than this has lost the place. */
const GRACE_MS = 2000;
/** Timers of clients may be as much too early. */
const EARLY_MS = 50;

export function createPromisedPlaces(nowMs: () => number, places: number): PromisedPlaces {
  const mostKept = Math.floor(places / 2);
  let promises: readonly { readonly caller: string; readonly fromMs: number; readonly untilMs: number }[] = [];
  const forgetOld = () => {
    const now = nowMs();
    promises = promises.filter(({ untilMs }) => untilMs > now);
  };
  return {
    promise(caller, retryAfterMs) {
      forgetOld();
      // The earliest promises are kept; more than there are places cannot be.
      if (promises.length >= mostKept) return;
      const dueMs = nowMs() + retryAfterMs;
      promises = [...promises, { caller, fromMs: dueMs - EARLY_MS, untilMs: dueMs + GRACE_MS }];
    },
    letIn(caller, freePlaces) {
      forgetOld();
      // Before its time it is another request of the same caller that comes.
      const own = promises.findIndex((promise) => promise.caller === caller && promise.fromMs <= nowMs());
      if (own < 0) return freePlaces > promises.length;
      if (freePlaces <= 0) return false;
      promises = promises.filter((_, i) => i !== own);
      return true;
    },
  };
}
