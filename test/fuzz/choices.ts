import { createSeededRandom } from '#test/support/seeded-random.js';

/** Seeded choices: the same ones for the same seed. */
export interface Choices {
  /** From 0 up to and without 1. */
  readonly random: () => number;
  /** A whole number from 0 up to and without `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function createChoices(seed: number): Choices {
  const random = createSeededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return {
    random,
    below,
    chance: (probability) => random() < probability,
    pick: (from) => {
      if (from.length === 0) throw new RangeError('there is nothing to choose from');
      return from[below(from.length)]!;
    },
  };
}

/** The seed of one case: neighbours have nothing in common. */
export function seedOfCase(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
