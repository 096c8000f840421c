import { ACCOUNT_STATUSES, type Account, LINK_LIFETIMES_MS } from '#domain/accounts/account.js';
import { ENTRY_KINDS } from '#domain/credits/balance.js';
import { ACCOUNT_PLAN_IDS } from '#domain/credits/plans.js';
import { UsageAnswer } from './answers.js';
import Type, { type Static, type TSchema } from './type.js';

/** Bodies of what the dashboard asks: sessions, one's own account, and for the owner everybody's. */

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Id = Type.String();

const accountFields = {
  id: Id,
  role: Type.Enum(['owner', 'member']),
  email: orNull(Type.String()),
  plan: Type.Enum([...ACCOUNT_PLAN_IDS]),
  status: Type.Enum([...ACCOUNT_STATUSES]),
  created_at: Time,
};
export const AccountView = Type.Object(accountFields, closed);
export type AccountView = Static<typeof AccountView>;

export const toTime = (ms: number): string => new Date(ms).toISOString();
export const toAccountView = ({ id, role, email, plan, status, createdAtMs }: Account): AccountView => ({
  id,
  role,
  email,
  plan,
  status,
  created_at: toTime(createdAtMs),
});

const SessionView = Type.Object({ id: Id, user_agent: Type.String(), created_at: Time, expires_at: Time }, closed);

export const SessionAnswer = Type.Object(
  {
    as: Type.Enum(['nobody', 'session', 'owner_at_home', 'key'], {
      description: '`owner_at_home`: nobody is signed in, and the page is open on the machine that runs the service.',
    }),
    account: orNull(AccountView),
    credits: orNull(Count),
    session: orNull(SessionView),
    anonymous_allowed: Type.Boolean({ description: 'Whether work is done for who has no account.' }),
  },
  closed,
);

export const LinkAnswer = Type.Object(
  {
    purpose: Type.Enum(Object.keys(LINK_LIFETIMES_MS) as (keyof typeof LINK_LIFETIMES_MS)[]),
    email: orNull(Type.String()),
    expires_at: Time,
    needs_password: Type.Boolean(),
  },
  closed,
);

const { key_prefix: _, ...accountUsage } = UsageAnswer.properties;
export const AccountAnswer = Type.Object(
  { account: AccountView, has_password: Type.Boolean(), usage: Type.Object(accountUsage, closed) },
  closed,
);

export const KeyView = Type.Object(
  {
    id: Id,
    prefix: Type.String(),
    name: Type.String(),
    created_at: Time,
    last_used_at: orNull(Time),
    revoked_at: orNull(Time),
  },
  closed,
);
export const KeysAnswer = Type.Object({ keys: Type.Array(KeyView) }, closed);
export const NewKeyAnswer = Type.Object(
  { key: KeyView, secret: Type.String({ description: 'The whole key, told this once.' }) },
  closed,
);

export const ChargesAnswer = Type.Object(
  {
    charges: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...ENTRY_KINDS]),
          period: Type.String(),
          monthly: Type.Integer({ description: 'Change of the monthly credits.' }),
          pack: Type.Integer({ description: 'Change of the pack credits.' }),
          used: Type.Integer({ description: 'Credits spent for good.' }),
          hold_id: orNull(Id),
          reference: orNull(Type.String()),
          at: Time,
        },
        closed,
      ),
    ),
  },
  closed,
);

export const AccountErrorsAnswer = Type.Object(
  {
    errors: Type.Array(
      Type.Object(
        { request_id: Id, code: Type.String(), error: Type.String(), operation: Type.String(), at: Time },
        closed,
      ),
    ),
  },
  closed,
);

export const SessionsAnswer = Type.Object({ sessions: Type.Array(SessionView) }, closed);
export const EndedAnswer = Type.Object({ ended: Count }, closed);

export const AccountsAnswer = Type.Object(
  { accounts: Type.Array(Type.Object({ ...accountFields, credits: Count }, closed)) },
  closed,
);
export const AccountLinkAnswer = Type.Object(
  {
    account: AccountView,
    link: Type.String({ description: 'To be handed over: it works once.' }),
    expires_at: Time,
  },
  closed,
);
export const RemovedAnswer = Type.Object({ account: AccountView, files: Count }, closed);
export const GrantAnswer = Type.Object({ account: AccountView, credits: Count }, closed);
