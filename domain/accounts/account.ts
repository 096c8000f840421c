import type { AccountPlanId } from '#domain/credits/plans.js';
import { invalid } from '#domain/errors.js';

export const ACCOUNT_STATUSES = ['active', 'suspended', 'canceled'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** `owner`: whose service it is; there is exactly one. */
export type AccountRole = 'owner' | 'member';

export interface Account {
  readonly id: string;
  readonly role: AccountRole;
  /** For signing in with a password; null where only keys and links are used. */
  readonly email: string | null;
  readonly plan: AccountPlanId;
  readonly status: AccountStatus;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
}

/** The address in the one form it is kept in. Throws INVALID_REQUEST for what is none. */
export function parseEmail(text: string, field = 'email'): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !/^[^\s@"<>]+@[^\s@"<>]+$/.test(email))
    throw invalid(field, `${JSON.stringify(text)} is no e-mail address; give one like name@example.org`);
  return email;
}

const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Throws INVALID_REQUEST for a password too short to keep anybody out, or too long to be one. */
export function assertPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max)
    throw invalid('password', `has ${password.length} characters; give ${min} to ${max}`);
}

const HOUR_MS = 60 * 60 * 1000;

/** How long one-time links can be used, by what they are for. */
export const LINK_LIFETIMES_MS = {
  /** Printed at first start. */
  'sign-in': 72 * HOUR_MS,
  invite: 72 * HOUR_MS,
  reset: 24 * HOUR_MS,
} as const;
export type LinkPurpose = keyof typeof LINK_LIFETIMES_MS;
