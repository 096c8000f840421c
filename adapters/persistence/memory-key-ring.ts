import type { Clock } from '#application/ports/clock.js';
import type { ApiKey, KeyRing } from '#application/ports/key-ring.js';
import { ServiceError } from '#domain/errors.js';
import { createKeyText, findByHash, LAST_USE_STEP_MS, MAX_KEY_NAME_LENGTH, prefixOf } from './api-key-text.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { randomId } from './secrets.js';

export function createMemoryKeyRing({
  accounts,
  clock,
}: {
  readonly accounts: MemoryAccountRepository;
  readonly clock: Clock;
}): KeyRing {
  const kept = new Map<string, { key: ApiKey; readonly hash: string }>();
  accounts.onRemove((accountId) => {
    for (const { key } of kept.values()) if (key.accountId === accountId) kept.delete(key.id);
  });
  return {
    async create(accountId, name) {
      if ((await accounts.find(accountId)) === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      const { secret, prefix, hash } = createKeyText();
      const key: ApiKey = {
        id: randomId(),
        accountId,
        prefix,
        name: name.slice(0, MAX_KEY_NAME_LENGTH),
        createdAtMs: clock.wallMs(),
        lastUsedAtMs: null,
        revokedAtMs: null,
      };
      kept.set(key.id, { key, hash });
      return { key, secret };
    },
    list: async (accountId) =>
      [...kept.values()].flatMap(({ key }) => (accountId === undefined || key.accountId === accountId ? [key] : [])),
    async revoke(idOrPrefix, accountId) {
      const found = [...kept.values()].find(
        ({ key }) =>
          (key.id === idOrPrefix || key.prefix === idOrPrefix) &&
          (accountId === undefined || key.accountId === accountId),
      );
      if (found === undefined) return undefined;
      found.key = { ...found.key, revokedAtMs: found.key.revokedAtMs ?? clock.wallMs() };
      return found.key;
    },
    async rename(id, name, accountId) {
      const found = kept.get(id);
      if (found?.key.accountId !== accountId) return undefined;
      found.key = { ...found.key, name: name.slice(0, MAX_KEY_NAME_LENGTH) };
      return found.key;
    },
    async authenticate(secret) {
      const prefix = prefixOf(secret);
      if (prefix === undefined) return undefined;
      const candidates = [...kept.values()].filter(({ key }) => key.prefix === prefix && key.revokedAtMs === null);
      const found = findByHash(candidates, secret);
      const account = found && (await accounts.find(found.key.accountId));
      if (found === undefined || account === undefined) return undefined;
      const { key } = found;
      const nowMs = clock.wallMs();
      if (key.lastUsedAtMs === null || key.lastUsedAtMs <= nowMs - LAST_USE_STEP_MS)
        found.key = { ...key, lastUsedAtMs: nowMs };
      return { key, account };
    },
  };
}
