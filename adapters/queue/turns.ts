/**
 * Whose turn it is, by start-time fair queueing: everybody's next turn has a number, one more than that of their turn before, but
 * never below the turn that was taken last when they came, and for who has never been here above it. So callers alternate, who comes new goes neither ahead of those who
 * wait for their turn nor behind a long line, and who has been away saves nothing up.
 */
export interface Turns {
  /** The least number that a turn asked for now can have; to be noted when somebody comes. */
  upcoming(): number;
  /** The number of the next turn of a caller who came when `upcoming` was `arrival`. The least is next; of equals, the first. */
  nextOf(caller: string, arrival: number): number;
  take(caller: string, turn: number): void;
}

/** Callers are forgotten past this many, once their turns are long over. */
const MAX_REMEMBERED = 1000;

export function createTurns(): Turns {
  let latest = 0;
  const followingOf = new Map<string, number>();
  return {
    upcoming: () => latest + 1,
    nextOf(caller, arrival) {
      const following = followingOf.get(caller);
      // Who asks once at a time comes back just after the next turn was taken; it belongs to that round still, or a caller
      // with another request waiting would get two turns for its one.
      return following === undefined ? arrival : Math.max(arrival - 1, following);
    },
    take(caller, turn) {
      latest = Math.max(latest, turn);
      followingOf.set(caller, turn + 1);
      if (followingOf.size <= MAX_REMEMBERED) return;
      for (const [other, following] of followingOf) if (following <= latest) followingOf.delete(other);
    },
  };
}
