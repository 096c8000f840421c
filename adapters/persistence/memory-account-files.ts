import type { AccountFiles } from '#application/ports/account-files.js';
import type { Clock } from '#application/ports/clock.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';

interface Kept {
  readonly accountId: string;
  readonly basename: string;
  readonly expiresAtMs: number;
}

export function createMemoryAccountFiles({
  accounts,
  clock,
}: {
  readonly accounts: MemoryAccountRepository;
  readonly clock: Clock;
}): AccountFiles {
  let kept: readonly Kept[] = [];
  accounts.onRemove((accountId) => {
    kept = kept.filter((file) => file.accountId !== accountId);
  });
  const isLasting = ({ expiresAtMs }: Kept) => expiresAtMs > clock.wallMs();
  return {
    async add(accountId, { basename, expiresAtMs }) {
      kept = [...kept, { accountId, basename, expiresAtMs }];
    },
    list: async (accountId) =>
      kept
        .filter((file) => file.accountId === accountId && isLasting(file))
        .sort((a, b) => a.expiresAtMs - b.expiresAtMs)
        .map(({ basename }) => basename),
    async sweep() {
      const before = kept.length;
      kept = kept.filter(isLasting);
      return before - kept.length;
    },
  };
}
