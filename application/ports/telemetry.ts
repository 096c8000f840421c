export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One piece of work that is being timed. */
export interface Span {
  /** What became known on the way. */
  set(attributes: SpanAttributes): void;
  /** Once; with the code of what went wrong, where something did. */
  end(errorCode?: string): void;
}

/**
 * Times pieces of work, each within the one that it is part of, for those who watch a fleet. Never fails, and costs next to
 * nothing where nobody watches. Attributes hold no keys, no names of files and nothing of pictures.
 */
export interface Telemetry {
  /** Begins a span and calls `within` with it as the present one, of which spans begun meanwhile are part. `traceparent` is a caller's, by W3C. */
  begin<T>(name: string, attributes: SpanAttributes, within: (span: Span) => T, traceparent?: string): T;
  /** A span within the present one that lasts as long as the work, and fails with it. */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
  /** A span within the present one that is over: milliseconds since 1970. */
  record(name: string, attributes: SpanAttributes, startMs: number, endMs: number): void;
  /** Of the present span, for another process that does a part of it; undefined where there is none. */
  traceparent(): string | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

const NO_SPAN: Span = { set() {}, end() {} };

/** Where nobody watches. */
export const noTelemetry: Telemetry = {
  begin: (_name, _attributes, within) => within(NO_SPAN),
  span: (_name, _attributes, work) => work(),
  record() {},
  traceparent: () => undefined,
  close: async () => {},
};
