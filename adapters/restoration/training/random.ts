/** A seeded source of randomness: the same seed gives the same drawings on any machine. */
export interface Random {
  /** In [0, 1). */
  unit(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  oneOf<T>(values: readonly T[]): T;
}

/** Mulberry32. Good enough to place shapes, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number): number => low + (high - low) * unit();
  const whole = (low: number, high: number): number => low + Math.floor(unit() * (high - low + 1));
  return {
    unit,
    between,
    whole,
    chance: (probability) => unit() < probability,
    oneOf: (values) => values[whole(0, values.length - 1)] as (typeof values)[number],
  };
}
