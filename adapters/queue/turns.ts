/**
 * Whose turn it is, by start-time fair queueing: everybody's next turn has a number, one more than that of the turn before, but
 * never less than the number of the turn that was taken last when it was asked for. So callers alternate, who comes new goes
 * neither ahead of everybody nor behind a long line, and who has been away saves nothing up.
 */
export interface Turns {
  /** The number of the turn taken last; to be noted when somebody comes. */
  now(): number;
  /** The number that a caller's next turn has, who came when `now` was `arrival`. The least is next. */
  nextOf(caller: string, arrival: number): number;
  take(caller: string, turn: number): void;
}

/** Callers are forgotten past this many, once their turns are long over. */
const MAX_REMEMBERED = 1000;

export function createTurns(): Turns {
  let latest = 0;
  const followingOf = new Map<string, number>();
  return {
    now: () => latest,
    nextOf: (caller, arrival) => Math.max(arrival, followingOf.get(caller) ?? 0),
    take(caller, turn) {
      latest = Math.max(latest, turn);
      followingOf.set(caller, turn + 1);
      if (followingOf.size <= MAX_REMEMBERED) return;
      for (const [other, following] of followingOf) if (following <= latest) followingOf.delete(other);
    },
  };
}
