import { type Account, assertPassword, type LinkPurpose, parseEmail } from '#domain/accounts/account.js';
import { invalid, ServiceError } from '#domain/errors.js';
import type { AccountRepository } from '../ports/account-repository.js';
import type { Passwords } from '../ports/passwords.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { OpenedSession, SessionStore } from '../ports/session-store.js';
import type { SignInLink, SignInLinks } from '../ports/sign-in-links.js';

export interface SignedIn extends OpenedSession {
  readonly account: Account;
}

/** What a page must know of a link before it uses it. */
export interface LinkDescription {
  readonly purpose: LinkPurpose;
  /** Whose it is; null where the account has no address. */
  readonly email: string | null;
  readonly expiresAtMs: number;
  /** Whether a password must be set with it. */
  readonly needsPassword: boolean;
}

/** The ways into the dashboard and out of it. Who had a session before gets a new one, and the old one ends. */
export interface SignIn {
  /** UNAUTHORIZED where address or password is wrong, RATE_LIMITED after ten tries for one address in a minute. */
  withPassword(credentials: { readonly email: string; readonly password: string }, browser: Browser): Promise<SignedIn>;
  /** What a link is for; NOT_FOUND where it was used, has expired or never was. */
  describeLink(token: string): Promise<LinkDescription>;
  /** Uses a link up, and sets the password that comes with it. NOT_FOUND, or INVALID_REQUEST (`password`), which leaves the link. */
  withLink(
    link: { readonly token: string; readonly password?: string | undefined },
    browser: Browser,
  ): Promise<SignedIn>;
  /** False where the session had ended already. */
  out(sessionToken: string): Promise<boolean>;
}

export interface Browser {
  readonly userAgent: string;
  /** Of the session that it has so far. */
  readonly sessionToken: string | undefined;
}

export interface SignInDeps {
  readonly accounts: AccountRepository;
  readonly passwords: Passwords;
  readonly sessions: SessionStore;
  readonly links: SignInLinks;
  readonly rateLimiter: RateLimiter;
}

/** Guesses at one account's password in a minute, from wherever they come. */
export const PASSWORD_TRIES_PER_MINUTE = 10;

const gone = () => new ServiceError('NOT_FOUND', { what: 'The link' });

export function createSignIn({ accounts, passwords, sessions, links, rateLimiter }: SignInDeps): SignIn {
  const open = async (accountId: string, { userAgent, sessionToken }: Browser): Promise<SignedIn> => {
    const account = await accounts.find(accountId);
    if (account === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
    if (sessionToken !== undefined) await sessions.end(sessionToken);
    return { account, ...(await sessions.open(accountId, userAgent)) };
  };
  const accountAndNeed = async ({ accountId, purpose }: SignInLink) => {
    const account = await accounts.find(accountId);
    if (account === undefined) throw gone();
    // Without an address there is nothing to sign in with but links.
    return { account, needsPassword: purpose !== 'sign-in' && account.email !== null };
  };
  return {
    async withPassword({ email: written, password }, browser) {
      const email = parseEmail(written);
      const tries = await rateLimiter.take(`sign-in:${email}`, PASSWORD_TRIES_PER_MINUTE);
      if (!tries.allowed)
        throw new ServiceError('RATE_LIMITED', {
          limit: PASSWORD_TRIES_PER_MINUTE,
          retryAfterSeconds: tries.resetSeconds,
        });
      const accountId = await passwords.check(email, password);
      if (accountId === undefined)
        throw new ServiceError('UNAUTHORIZED', { problem: 'The address or the password is wrong.' });
      return open(accountId, browser);
    },
    async describeLink(token) {
      const link = await links.find(token);
      if (link === undefined) throw gone();
      const { account, needsPassword } = await accountAndNeed(link);
      return { purpose: link.purpose, email: account.email, expiresAtMs: link.expiresAtMs, needsPassword };
    },
    async withLink({ token, password }, browser) {
      const found = await links.find(token);
      if (found === undefined) throw gone();
      const { needsPassword } = await accountAndNeed(found);
      if (password !== undefined) assertPassword(password);
      else if (needsPassword) throw invalid('password', 'is missing; this link sets a new one');
      const link = await links.redeem(token);
      if (link === undefined) throw gone();
      if (password !== undefined) {
        await passwords.set(link.accountId, password);
        // Whoever knew the old one is out.
        await sessions.endAll(link.accountId);
      }
      return open(link.accountId, browser);
    },
    out: (sessionToken) => sessions.end(sessionToken),
  };
}
