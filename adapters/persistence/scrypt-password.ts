import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (
  password: string,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
) => Promise<Buffer>;

/** 32 MB and about a tenth of a second: dear for who guesses, bearable for who signs in. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** The same letters in one form, however a keyboard made them. */
const normalized = (password: string) => password.normalize('NFKC');

/** `scrypt$N$r$p$salt$key`: what is needed to check a password, and no way back to it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(normalized(password), salt, KEY_BYTES, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes the same time for a wrong password, a right one and, with undefined, none to compare with. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (hash ?? '').split('$');
  const cost = hash === undefined ? COST : { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const derived = await derive(normalized(password), Buffer.from(salt, 'base64url'), KEY_BYTES, cost);
  const wanted = Buffer.from(key, 'base64url');
  return wanted.length === derived.length && timingSafeEqual(wanted, derived);
}
