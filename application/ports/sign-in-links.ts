import type { LinkPurpose } from '#domain/accounts/account.js';

export interface SignInLink {
  readonly accountId: string;
  readonly purpose: LinkPurpose;
  readonly expiresAtMs: number;
}

/** One-time tokens for links that sign in, invite, or let somebody set a new password. Only their SHA-256 is kept. */
export interface SignInLinks {
  /** Answers the token; NOT_FOUND without the account. Lasts as LINK_LIFETIMES_MS says. */
  create(accountId: string, purpose: LinkPurpose): Promise<SignInLink & { readonly token: string }>;
  /** What the token is for, to show a page before it is used. */
  find(token: string): Promise<SignInLink | undefined>;
  /** Uses it up: of many who try at once, one gets it. */
  redeem(token: string): Promise<SignInLink | undefined>;
  /** Makes all of an account worthless; resolves with how many. */
  cancelAll(accountId: string): Promise<number>;
  sweep(): Promise<number>;
}
