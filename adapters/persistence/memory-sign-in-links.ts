import type { Clock } from '#application/ports/clock.js';
import type { SignInLink, SignInLinks } from '#application/ports/sign-in-links.js';
import { LINK_LIFETIMES_MS } from '#domain/accounts/account.js';
import { ServiceError } from '#domain/errors.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { hashSecret, randomSecret } from './secrets.js';

export function createMemorySignInLinks({
  accounts,
  clock,
}: {
  readonly accounts: MemoryAccountRepository;
  readonly clock: Clock;
}): SignInLinks {
  const kept = new Map<string, SignInLink>();
  const dropWhere = (isGone: (link: SignInLink) => boolean) => {
    let gone = 0;
    for (const [hash, link] of kept) if (isGone(link) && kept.delete(hash)) gone++;
    return gone;
  };
  const find = (token: string) => {
    const link = kept.get(hashSecret(token));
    return link !== undefined && link.expiresAtMs > clock.wallMs() ? link : undefined;
  };
  accounts.onRemove((accountId) => void dropWhere((link) => link.accountId === accountId));
  return {
    async create(accountId, purpose) {
      if ((await accounts.find(accountId)) === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      const token = randomSecret();
      const link = { accountId, purpose, expiresAtMs: clock.wallMs() + LINK_LIFETIMES_MS[purpose] };
      kept.set(hashSecret(token), link);
      return { ...link, token };
    },
    find: async (token) => find(token),
    async redeem(token) {
      const link = find(token);
      kept.delete(hashSecret(token));
      return link;
    },
    cancelAll: async (accountId) => dropWhere((link) => link.accountId === accountId),
    sweep: async () => dropWhere(({ expiresAtMs }) => expiresAtMs <= clock.wallMs()),
  };
}
