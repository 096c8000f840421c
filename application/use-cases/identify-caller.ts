import type { Caller, KeyCaller, PersonCaller } from '#application/caller.js';
import type { AccountRepository } from '#application/ports/account-repository.js';
import type { KeyRing } from '#application/ports/key-ring.js';
import type { SessionStore } from '#application/ports/session-store.js';
import { ServiceError } from '#domain/errors.js';

export interface Credentials {
  /** The key as it was sent; undefined where none was. */
  readonly key: string | undefined;
  /** The token of a dashboard session, from a page of the service itself. */
  readonly sessionToken?: string | undefined;
  /** Whether a page of the service asks, on the machine it runs on and serves alone: then the owner is at it. */
  readonly atHome?: boolean;
  readonly address: string;
}

/**
 * Says who asks. Rejects with UNAUTHORIZED for a key that is unknown or revoked: nobody with a key is ever anonymous. A session
 * that has ended is nobody's.
 */
export type IdentifyCaller = (credentials: Credentials) => Promise<Caller>;

export interface IdentifyCallerDeps {
  readonly keys: KeyRing;
  readonly sessions: SessionStore;
  readonly accounts: AccountRepository;
}

export const createIdentifyCaller = ({ keys, sessions, accounts }: IdentifyCallerDeps): IdentifyCaller => {
  const withKey = async (secret: string): Promise<KeyCaller> => {
    const holder = await keys.authenticate(secret);
    if (holder === undefined) throw new ServiceError('UNAUTHORIZED', { problem: 'The API key is unknown or revoked.' });
    const { key, account } = holder;
    const confirm = async () => void (await withKey(secret));
    return { kind: 'key', plan: account.plan, account, keyId: key.id, keyPrefix: key.prefix, confirm };
  };
  const withSession = async (token: string): Promise<PersonCaller | undefined> => {
    const session = await sessions.find(token);
    const account = session && (await accounts.find(session.accountId));
    if (session === undefined || account === undefined) return undefined;
    const confirm = async () => {
      if ((await sessions.find(token)) === undefined)
        throw new ServiceError('UNAUTHORIZED', { problem: 'The session has ended; sign in again.' });
    };
    return { kind: 'person', plan: account.plan, account, session, confirm };
  };
  const owner = async (): Promise<PersonCaller | undefined> => {
    const account = await accounts.owner();
    return account && { kind: 'person', plan: account.plan, account, session: null, confirm: async () => {} };
  };
  return async ({ key, sessionToken, atHome = false, address }) => {
    if (key !== undefined) return withKey(key);
    const person =
      (sessionToken === undefined ? undefined : await withSession(sessionToken)) ??
      (atHome ? await owner() : undefined);
    return person ?? { kind: 'anonymous', plan: 'anonymous', address };
  };
};
