/** Passwords of accounts, kept by scrypt with a salt each. */
export interface Passwords {
  /** INVALID_REQUEST (field `password`) for one that is too short or too long, NOT_FOUND without the account. */
  set(accountId: string, password: string): Promise<void>;
  /** The account with this address and password; takes as long where there is none. */
  check(email: string, password: string): Promise<string | undefined>;
  has(accountId: string): Promise<boolean>;
}
