/** The seed of this run's properties: `TEST_SEED`, or always the same. Printed by fast-check with every failure. */
export const PROPERTY_SEED = Number(process.env.TEST_SEED ?? 20_240_607);
