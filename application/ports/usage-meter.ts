/** One thing that was done, or failed. */
export interface UsageEvent {
  readonly accountId: string;
  readonly kind: 'conversion' | 'export' | 'failure';
  /** Credits charged for it, all times together. */
  readonly credits: number;
  /** How often; once where left out. */
  readonly times?: number;
}

/** One UTC day. */
export interface UsageDay {
  /** `2026-11-21` */
  readonly date: string;
  readonly conversions: number;
  readonly exports: number;
  readonly credits_used: number;
  readonly failures: number;
}

export const USAGE_DAYS = 30;

/** A refusal as its account's dashboard shows it. */
export interface AccountError {
  readonly accountId: string;
  readonly requestId: string;
  readonly code: string;
  /** The public message. */
  readonly message: string;
  /** Such as `POST /api/v1/convert`. */
  readonly operation: string;
}

export interface RecordedError extends AccountError {
  readonly atMs: number;
}

/** What accounts did. Counts are for looking at; what is owed stands in the CreditLedger alone. */
export interface UsageMeter {
  record(event: UsageEvent): Promise<void>;
  /** The last 30 days up to and with today, oldest first, days without anything included. */
  history(accountId: string): Promise<readonly UsageDay[]>;
  recordError(error: AccountError): Promise<void>;
  /** Of the last 7 days, newest first, at most `limit`. */
  recentErrors(accountId: string, limit: number): Promise<readonly RecordedError[]>;
  /** Removes what no answer shows any more; resolves with how many rows went. */
  sweep(): Promise<number>;
}
