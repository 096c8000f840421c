/** One window of requests, as it stands. */
export interface RateWindow {
  readonly limit: number;
  /** Requests that may still come before the window ends. */
  readonly remaining: number;
  /** Until the window ends: 1 or more. */
  readonly resetSeconds: number;
}

export interface RateDecision extends RateWindow {
  readonly allowed: boolean;
}

/** Counts requests by name in windows of a minute, each beginning with its first request. */
export interface RateLimiter {
  /** Counts one more, unless the window is full. */
  take(name: string, limit: number): Promise<RateDecision>;
  /** As it stands, without counting. */
  peek(name: string, limit: number): Promise<RateWindow>;
}
