import { ACCOUNT_STATUSES } from '#domain/accounts/account.js';
import { ACCOUNT_PLAN_IDS, CREDIT_PACKS } from '#domain/credits/plans.js';
import Type, { type Static } from './type.js';

/** What the dashboard sends. Addresses, passwords and packs are judged where they are used, in plainer words. */

const closed = { additionalProperties: false } as const;
const Email = Type.String({ maxLength: 254 });
const Password = Type.String({ maxLength: 1000, description: '10 to 200 characters.' });
const Token = Type.String({ maxLength: 200, description: 'The token of a one-time link.' });

export const SignInRequest = Type.Object({ email: Email, password: Password }, closed);
export type SignInRequest = Static<typeof SignInRequest>;

export const LinkRequest = Type.Object({ token: Token, password: Type.Optional(Password) }, closed);
export type LinkRequest = Static<typeof LinkRequest>;

export const LinkQuery = Type.Object({ token: Token }, closed);
export type LinkQuery = Static<typeof LinkQuery>;

export const AccountRequest = Type.Object(
  {
    email: Type.Optional(Email),
    password: Type.Optional(Password),
    current_password: Type.Optional(Password),
  },
  closed,
);
export type AccountRequest = Static<typeof AccountRequest>;

export const KeyRequest = Type.Object({ name: Type.String({ maxLength: 100 }) }, closed);
export type KeyRequest = Static<typeof KeyRequest>;

export const LimitQuery = Type.Object(
  { limit: Type.Optional(Type.String({ description: 'How many, newest first: 1 to 500; 100 when left out.' })) },
  closed,
);
export type LimitQuery = Static<typeof LimitQuery>;

export const InviteRequest = Type.Object({ email: Email, plan: Type.Enum([...ACCOUNT_PLAN_IDS]) }, closed);
export type InviteRequest = Static<typeof InviteRequest>;

export const AccountChangeRequest = Type.Object(
  {
    plan: Type.Optional(Type.Enum([...ACCOUNT_PLAN_IDS])),
    status: Type.Optional(Type.Enum([...ACCOUNT_STATUSES])),
  },
  closed,
);
export type AccountChangeRequest = Static<typeof AccountChangeRequest>;

export const GrantRequest = Type.Object(
  {
    credits: Type.Integer({ description: `A pack: ${CREDIT_PACKS.join(', ')}.` }),
    reference: Type.Optional(Type.String({ description: 'A name of your own: granted twice, it counts once.' })),
  },
  closed,
);
export type GrantRequest = Static<typeof GrantRequest>;
