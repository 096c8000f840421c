import type { Clock } from '#application/ports/clock.js';
import { SESSION_LIFETIMES_MS, type Session, type SessionStore } from '#application/ports/session-store.js';
import { ServiceError } from '#domain/errors.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { hashSecret, randomId, randomSecret } from './secrets.js';
import { MAX_USER_AGENT_LENGTH } from './session-text.js';

export function createMemorySessionStore({
  accounts,
  clock,
}: {
  readonly accounts: MemoryAccountRepository;
  readonly clock: Clock;
}): SessionStore {
  /** By the hash of the token. */
  const kept = new Map<string, Session>();
  const isLasting = (session: Session) => session.expiresAtMs > clock.wallMs();
  const dropWhere = (isGone: (session: Session, hash: string) => boolean) => {
    let gone = 0;
    for (const [hash, session] of kept) if (isGone(session, hash) && kept.delete(hash)) gone++;
    return gone;
  };
  const lasting = (token: string) => {
    const session = kept.get(hashSecret(token));
    return session !== undefined && isLasting(session) ? session : undefined;
  };
  const expiry = (createdAtMs: number) =>
    Math.min(clock.wallMs() + SESSION_LIFETIMES_MS.idle, createdAtMs + SESSION_LIFETIMES_MS.whole);
  accounts.onRemove((accountId) => void dropWhere((session) => session.accountId === accountId));

  return {
    async open(accountId, userAgent = '') {
      if ((await accounts.find(accountId)) === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      const token = randomSecret();
      const createdAtMs = clock.wallMs();
      const session: Session = {
        id: randomId(),
        accountId,
        createdAtMs,
        expiresAtMs: expiry(createdAtMs),
        userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      };
      kept.set(hashSecret(token), session);
      return { session, token };
    },
    async find(token) {
      const session = lasting(token);
      if (session === undefined) return undefined;
      const used = { ...session, expiresAtMs: expiry(session.createdAtMs) };
      kept.set(hashSecret(token), used);
      return used;
    },
    async rotate(token) {
      const session = lasting(token);
      if (session === undefined) return undefined;
      const next = randomSecret();
      kept.delete(hashSecret(token));
      kept.set(hashSecret(next), session);
      return { session, token: next };
    },
    list: async (accountId) =>
      [...kept.values()]
        .filter((session) => session.accountId === accountId && isLasting(session))
        .sort((a, b) => b.createdAtMs - a.createdAtMs),
    end: async (token) => lasting(token) !== undefined && kept.delete(hashSecret(token)),
    endAll: async (accountId, keepToken) => {
      const kept = keepToken === undefined ? undefined : hashSecret(keepToken);
      return dropWhere((session, hash) => session.accountId === accountId && isLasting(session) && hash !== kept);
    },
    sweep: async () => dropWhere((session) => !isLasting(session)),
  };
}
