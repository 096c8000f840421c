/** Time, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds, with fractions, since a moment that does not change while the process runs; never goes back. For durations. */
  monotonicMs(): number;
  /** Milliseconds since 1970-01-01 UTC. For dates; may jump when somebody sets the machine's clock. */
  wallMs(): number;
}
