import type { Writable } from 'node:stream';
import type { GrantCredits } from '#application/use-cases/grant-credits.js';
import type { AccountLink, ManageAccounts } from '#application/use-cases/manage-accounts.js';
import type { ManageKeys } from '#application/use-cases/manage-keys.js';
import type { Account } from '#domain/accounts/account.js';
import { ACCOUNT_PLAN_IDS, type AccountPlanId, isAccountPlan } from '#domain/credits/plans.js';
import { invalid } from '#domain/errors.js';
import { table } from '../table.js';

/** The service's accounts, opened where the environment says they are. */
export interface AccountAdministration {
  readonly keys: ManageKeys;
  readonly accounts: ManageAccounts;
  readonly grantCredits: GrantCredits;
  /** Steps of the database's history that were taken when it was opened, by name. */
  readonly migrated: readonly string[];
  /** Copies everything to an empty Postgres database; answers the rows of each table. */
  moveTo(url: string): Promise<readonly { readonly name: string; readonly rows: number }[]>;
  /** Writes a consistent copy of the database while others use it. */
  backup(path: string): Promise<void>;
  /** The address of a one-time link. */
  linkUrl(token: string): string;
  close(): Promise<void>;
}

export interface AccountCommandsDeps {
  /** Opens what the commands work on; called by those of them that run. */
  readonly administration: () => Promise<AccountAdministration>;
  readonly stdout: Writable;
}

/** One command: what was typed after it, and its options by name. */
export type AccountCommand = (
  administration: AccountAdministration,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<{ readonly text: string; readonly json: unknown }>;

const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const textOption = (value: unknown) => (typeof value === 'string' ? value : undefined);
const nameOf = ({ id, role, email }: Account) => email ?? (role === 'owner' ? 'owner' : id);

function planOption(value: unknown): AccountPlanId | undefined {
  const text = textOption(value);
  if (text !== undefined && !isAccountPlan(text))
    throw invalid('--plan', `${JSON.stringify(text)} is no plan; there are ${ACCOUNT_PLAN_IDS.join(', ')}`);
  return text;
}

const linkAnswer = (administration: AccountAdministration, { account, token, expiresAtMs }: AccountLink) => {
  const url = administration.linkUrl(token);
  const expires = timeOf(expiresAtMs);
  return {
    text: `${url}\nA one-time link for ${nameOf(account)}, until ${expires}.`,
    json: { account: account.id, email: account.email, plan: account.plan, url, expires_at: expires },
  };
};

export const createKey: AccountCommand = async ({ keys }, _args, options) => {
  const [account, plan, name] = [textOption(options.account), planOption(options.plan), textOption(options.name)];
  const created = await keys.create({
    ...(account !== undefined && { account }),
    ...(plan !== undefined && { plan }),
    ...(name !== undefined && { name }),
  });
  const { key, secret } = created;
  return {
    text: `${secret}\nA key of plan ${created.account.plan} for ${nameOf(created.account)}; it is not shown again.`,
    json: { key: secret, prefix: key.prefix, account: created.account.id, plan: created.account.plan },
  };
};

export const listKeys: AccountCommand = async ({ keys, accounts }, _args, options) => {
  const [listed, all] = [await keys.list(textOption(options.account)), await accounts.list()];
  const byId = new Map(all.map((account) => [account.id, account]));
  const rows = listed.map(({ prefix, name, accountId, createdAtMs, lastUsedAtMs, revokedAtMs }) => ({
    prefix,
    name,
    account: accountId,
    email: byId.get(accountId)?.email ?? null,
    plan: byId.get(accountId)?.plan ?? null,
    created_at: timeOf(createdAtMs),
    last_used_at: timeOf(lastUsedAtMs),
    revoked_at: timeOf(revokedAtMs),
  }));
  const cells = rows.map((row) => [
    row.prefix,
    row.name,
    row.email ?? row.account,
    row.plan ?? '',
    row.last_used_at ?? 'never',
    row.revoked_at === null ? 'active' : 'revoked',
  ]);
  return { text: table(['PREFIX', 'NAME', 'ACCOUNT', 'PLAN', 'LAST USED', 'STATE'], cells), json: rows };
};

export const revokeKey: AccountCommand = async ({ keys }, [key = ''], _options) => {
  const { prefix, revokedAtMs } = await keys.revoke(key);
  return { text: `${prefix}… is revoked.`, json: { prefix, revoked_at: timeOf(revokedAtMs) } };
};

export const grantCredits: AccountCommand = async (administration, [account = '', credits = ''], options) => {
  const reference = textOption(options.reference);
  const granted = await administration.grantCredits({
    account,
    credits: /^\d+$/.test(credits) ? Number(credits) : Number.NaN,
    ...(reference !== undefined && { reference }),
  });
  const { balance } = granted;
  return { text: `${nameOf(granted.account)} has ${balance} credits.`, json: { account: granted.account.id, balance } };
};

export const createAccount: AccountCommand = async (administration, [email = ''], options) => {
  const plan = planOption(options.plan) ?? 'free';
  return linkAnswer(administration, await administration.accounts.create({ email, plan }));
};

export const resetAccount: AccountCommand = async (administration, [account = '']) =>
  linkAnswer(administration, await administration.accounts.reset(account));

export const deleteAccount: AccountCommand = async ({ accounts }, [name = '']) => {
  const { account, files } = await accounts.remove(name);
  return { text: `${nameOf(account)} is deleted, with ${files} files.`, json: { account: account.id, files } };
};

const migratedText = (migrated: readonly string[]) =>
  migrated.length === 0 ? 'The database is up to date.' : `Done: ${migrated.join(', ')}.`;

export const migrateDatabase: AccountCommand = async (administration, _args, options) => {
  const { migrated } = administration;
  const to = textOption(options.to);
  if (to === undefined) return { text: migratedText(migrated), json: { migrated } };
  const tables = await administration.moveTo(to);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    text: `${rows} rows of ${tables.length} tables were copied and compared. Set BURIN_DATABASE_URL to the new address.`,
    json: { migrated, moved: Object.fromEntries(tables.map((table) => [table.name, table.rows])) },
  };
};

export const backupDatabase: AccountCommand = async (administration, [path = '']) => {
  await administration.backup(path);
  return { text: `${path} is a copy of the database.`, json: { path } };
};
