import { askJson, sendJson } from '../shared/api.js';

/** What the service's endpoints of accounts answer, as far as the dashboard shows it. */

export interface AccountView {
  readonly id: string;
  readonly role: 'owner' | 'member';
  readonly email: string | null;
  readonly plan: string;
  readonly status: string;
  readonly created_at: string;
}
export interface SessionState {
  readonly as: 'nobody' | 'session' | 'owner_at_home' | 'key';
  readonly account: AccountView | null;
  readonly credits: number | null;
}
export interface LinkState {
  readonly purpose: 'sign-in' | 'invite' | 'reset';
  readonly email: string | null;
  readonly expires_at: string;
  readonly needs_password: boolean;
}
export interface UsageDay {
  readonly date: string;
  readonly conversions: number;
  readonly exports: number;
  readonly credits_used: number;
  readonly failures: number;
}
export interface AccountState {
  readonly account: AccountView;
  readonly has_password: boolean;
  readonly usage: {
    readonly plan: string;
    readonly status: string;
    readonly api_credits_balance: number;
    readonly api_credits_used_this_period: number;
    readonly monthly_credits_quota: number;
    readonly history: readonly UsageDay[];
  };
}
export interface KeyView {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}
export interface ChargeView {
  readonly kind: 'quota' | 'grant' | 'hold' | 'settle' | 'release' | 'expire';
  readonly period: string;
  readonly monthly: number;
  readonly pack: number;
  readonly used: number;
  readonly hold_id: string | null;
  readonly reference: string | null;
  readonly at: string;
}
export interface ErrorView {
  readonly request_id: string;
  readonly code: string;
  readonly error: string;
  readonly operation: string;
  readonly at: string;
}
export interface AccountLink {
  readonly account: AccountView;
  readonly link: string;
  readonly expires_at: string;
}
export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, string>>;
  readonly queues: Readonly<Record<string, { waiting: number; running: number; capacity: number }>>;
}

const SESSION = '/api/v1/session';
const ACCOUNT = '/api/v1/account';
const ACCOUNTS = '/api/v1/accounts';
const at = (...parts: string[]) => parts.map(encodeURIComponent).join('/');
const remove = { method: 'DELETE' };

export const api = {
  session: () => askJson<SessionState>(SESSION),
  signIn: (email: string, password: string) => sendJson<SessionState>('POST', SESSION, { email, password }),
  signOut: () => askJson<SessionState>(SESSION, remove),
  link: (token: string) => askJson<LinkState>(`${SESSION}/link?${new URLSearchParams({ token })}`),
  useLink: (token: string, password?: string) =>
    sendJson<SessionState>('POST', `${SESSION}/link`, { token, ...(password !== undefined && { password }) }),
  account: () => askJson<AccountState>(ACCOUNT),
  changeAccount: (changes: object) => sendJson<AccountState>('PATCH', ACCOUNT, changes),
  endSessions: () => askJson<{ ended: number }>(`${ACCOUNT}/sessions`, remove),
  keys: async () => (await askJson<{ keys: readonly KeyView[] }>(`${ACCOUNT}/keys`)).keys,
  createKey: (name: string) => sendJson<{ key: KeyView; secret: string }>('POST', `${ACCOUNT}/keys`, { name }),
  renameKey: (id: string, name: string) => sendJson<KeyView>('PATCH', `${ACCOUNT}/keys/${at(id)}`, { name }),
  revokeKey: (id: string) => askJson<KeyView>(`${ACCOUNT}/keys/${at(id)}`, remove),
  charges: async () => (await askJson<{ charges: readonly ChargeView[] }>(`${ACCOUNT}/charges?limit=100`)).charges,
  errors: async () => (await askJson<{ errors: readonly ErrorView[] }>(`${ACCOUNT}/errors?limit=50`)).errors,
  accounts: async () =>
    (await askJson<{ accounts: readonly (AccountView & { readonly credits: number })[] }>(ACCOUNTS)).accounts,
  invite: (email: string, plan: string) => sendJson<AccountLink>('POST', ACCOUNTS, { email, plan }),
  changeOther: (id: string, changes: object) => sendJson<AccountView>('PATCH', `${ACCOUNTS}/${at(id)}`, changes),
  reset: (id: string) => askJson<AccountLink>(`${ACCOUNTS}/${at(id)}/reset`, { method: 'POST' }),
  grant: (id: string, credits: number) =>
    sendJson<{ credits: number }>('POST', `${ACCOUNTS}/${at(id)}/credits`, { credits }),
  health: async (): Promise<Health> => (await fetch('/health')).json() as Promise<Health>,
};
