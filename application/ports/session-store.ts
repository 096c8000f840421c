/** A dashboard session, of which the browser has the token in a cookie. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** What the browser calls itself, at most 200 characters. */
  readonly userAgent: string;
}

export interface OpenedSession {
  readonly session: Session;
  /** 256 random bits, for the cookie; only its SHA-256 is kept. */
  readonly token: string;
}

/** Sessions end 7 days after their last use and 30 days after they were opened, whichever is first. */
export const SESSION_LIFETIMES_MS = { idle: 7 * 24 * 60 * 60 * 1000, whole: 30 * 24 * 60 * 60 * 1000 } as const;

export interface SessionStore {
  /** To be called at every sign-in, so that a token from before it is worth nothing. NOT_FOUND without the account. */
  open(accountId: string, userAgent?: string): Promise<OpenedSession>;
  /** The session of this token while it lasts; notes its use. */
  find(token: string): Promise<Session | undefined>;
  /** The same session under a new token; the old one ends. Undefined where it had ended already. */
  rotate(token: string): Promise<OpenedSession | undefined>;
  /** Newest first. */
  list(accountId: string): Promise<readonly Session[]>;
  /** Ends the session of this token; false where there was none. */
  end(token: string): Promise<boolean>;
  /** Ends all of an account but that of the token to keep; resolves with how many. */
  endAll(accountId: string, keepToken?: string): Promise<number>;
  sweep(): Promise<number>;
}
