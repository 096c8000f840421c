import type { Caller, KeyCaller } from '#application/caller.js';
import type { KeyRing } from '#application/ports/key-ring.js';
import { ServiceError } from '#domain/errors.js';

export interface Credentials {
  /** The key as it was sent; undefined where none was. */
  readonly key: string | undefined;
  readonly address: string;
}

/** Says who asks. Rejects with UNAUTHORIZED for a key that is unknown or revoked: nobody with a key is ever anonymous. */
export type IdentifyCaller = (credentials: Credentials) => Promise<Caller>;

export const createIdentifyCaller = ({ keys }: { readonly keys: KeyRing }): IdentifyCaller => {
  const authenticate = async (secret: string): Promise<KeyCaller> => {
    const holder = await keys.authenticate(secret);
    if (holder === undefined) throw new ServiceError('UNAUTHORIZED', { problem: 'The API key is unknown or revoked.' });
    const { key, account } = holder;
    const confirm = async () => void (await authenticate(secret));
    return { kind: 'key', plan: account.plan, account, keyId: key.id, keyPrefix: key.prefix, confirm };
  };
  return async ({ key, address }) =>
    key === undefined ? { kind: 'anonymous', plan: 'anonymous', address } : authenticate(key);
};
