import fc from 'fast-check';

/** The same cases on every run; a failure prints it beside the case it found. */
export const SEED = 20260131;

// What went wrong is said beside the case, and not left to whoever prints an error's cause.
fc.configureGlobal({ includeErrorInReport: true });

/** Runs a property under the fixed seed; `BURIN_TEST_SEED` tries another. */
export function holds<T extends [unknown, ...unknown[]]>(
  property: fc.IProperty<T> | fc.IPropertyWithHooks<T>,
  numRuns = 300,
): void {
  fc.assert(property, { seed: Number(process.env.BURIN_TEST_SEED ?? SEED), numRuns });
}
