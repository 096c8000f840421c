import type { Account } from '#domain/accounts/account.js';

/** An API key without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** The beginning of the key, by which people tell keys apart: `brn_live_` and 8 characters. */
  readonly prefix: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** To the minute; null before its first use. */
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** The whole key, `brn_live_…`: told this once and kept nowhere. */
  readonly secret: string;
}

export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
}

/** API keys. Only their SHA-256 is kept; they carry 256 random bits beside their prefix. */
export interface KeyRing {
  /** Rejects with NOT_FOUND where the account is not there. `name` is for people, at most 100 characters. */
  create(accountId: string, name: string): Promise<CreatedKey>;
  /** Of one account, or of all; oldest first, revoked ones included. */
  list(accountId?: string): Promise<readonly ApiKey[]>;
  /** By id or prefix; undefined where there is no such key (of this account, where one is given). A revoked key stays revoked. */
  revoke(idOrPrefix: string, accountId?: string): Promise<ApiKey | undefined>;
  /** By id; undefined where the account has no such key. */
  rename(id: string, name: string, accountId: string): Promise<ApiKey | undefined>;
  /** Whose key this is; undefined for anything but a whole key that is not revoked. Notes the time of use. */
  authenticate(secret: string): Promise<KeyHolder | undefined>;
}
