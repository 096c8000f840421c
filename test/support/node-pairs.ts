import fc from 'fast-check';

/** Pairs of so many nodes, some of them twice, and some of a node with itself. */
export const somePairs = fc.integer({ min: 1, max: 40 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    pairs: fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: 90 }),
    seed: fc.integer(),
  }),
);
