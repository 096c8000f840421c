import type { AccountRepository } from '../ports/account-repository.js';
import type { KeyRing } from '../ports/key-ring.js';
import type { SignInLinks } from '../ports/sign-in-links.js';

export interface FirstStart {
  readonly accountId: string;
  /** For the one-time link that signs the owner in. */
  readonly signInToken: string;
  /** A whole key of plan pro. */
  readonly apiKey: string;
}

/**
 * Makes the owner's account where the service starts for the first time, and answers what to print, once; undefined at every
 * other start. Of processes that start at once, one gets the answer. Who loses it makes a link and a key again by command.
 */
export type StartFirst = () => Promise<FirstStart | undefined>;

export interface StartFirstDeps {
  readonly accounts: AccountRepository;
  readonly keys: KeyRing;
  readonly links: SignInLinks;
}

export const createStartFirst =
  ({ accounts, keys, links }: StartFirstDeps): StartFirst =>
  async () => {
    const { account, created } = await accounts.ensureOwner();
    if (!created) return undefined;
    const { token } = await links.create(account.id, 'sign-in');
    const { secret } = await keys.create(account.id, 'first key');
    return { accountId: account.id, signInToken: token, apiKey: secret };
  };
