import { useState } from 'preact/hooks';
import { Header } from '../shared/header.js';
import { Notice } from '../shared/notice.js';
import { formatCount, labelOf } from '../shared/text.js';
import { type AccountState, api, type SessionState } from './api.js';
import { Keys } from './keys.js';
import { OwnAccount } from './own-account.js';
import { Accounts, QueueHealth } from './owner.js';
import { Charges, RecentErrors } from './records.js';
import { SignIn, UseLink } from './sign-in.js';
import { UsageChart } from './usage-chart.js';
import { type Loaded, useAct, useLoaded } from './use-loaded.js';

/** The token of a link that was followed here. */
const tokenInAddress = (): string | null =>
  location.pathname.endsWith('/sign-in') ? new URLSearchParams(location.search).get('token') : null;

const nameOf = ({ as, account }: SessionState): string =>
  as === 'owner_at_home' ? 'Owner, on this machine' : (account?.email ?? (account?.role === 'owner' ? 'Owner' : ''));

function Balance({ state: { usage } }: { readonly state: AccountState }) {
  const { monthly_credits_quota: quota, api_credits_used_this_period: used } = usage;
  return (
    <section class="box" aria-label="Balance">
      <h2>Balance</h2>
      <p class="balance">
        {formatCount(usage.api_credits_balance)} <span class="quiet">credits left</span>
      </p>
      <dl class="balance-facts">
        <div>
          <dt>Plan</dt>
          <dd>
            {labelOf(usage.plan)}
            {usage.status !== 'active' && <span class="tag">{usage.status}</span>}
          </dd>
        </div>
        <div>
          <dt>Each month</dt>
          <dd>{formatCount(quota)}</dd>
        </div>
        <div>
          <dt>Used this month</dt>
          <dd>{formatCount(used)}</dd>
        </div>
      </dl>
      <progress value={Math.min(used, quota)} max={Math.max(1, quota)} aria-label="Used of this month's credits" />
      <p class="meaning">Monthly credits are used first; those of packs stay until they are used.</p>
    </section>
  );
}

function Content({ loaded, onSignedOut }: { readonly loaded: Loaded<AccountState>; readonly onSignedOut: () => void }) {
  const { value, problem, reload } = loaded;
  if (value === undefined)
    return problem === null ? (
      <p class="door quiet">Loading…</p>
    ) : (
      <div class="door">
        <Notice problem={problem}>
          <button type="button" class="button" onClick={() => void reload()}>
            Try again
          </button>
        </Notice>
      </div>
    );
  const isOwner = value.account.role === 'owner';
  return (
    <div class="boxes">
      <h1 class="hidden">Dashboard</h1>
      <Balance state={value} />
      <section class="box chart-box" aria-label="Usage">
        <h2>Usage</h2>
        <UsageChart history={value.usage.history} />
      </section>
      <Keys />
      <Charges />
      <RecentErrors />
      {isOwner && <Accounts />}
      {isOwner && <QueueHealth />}
      <OwnAccount state={value} onChanged={reload} onSignedOut={onSignedOut} />
    </div>
  );
}

function SignedIn({ session, onSignedOut }: { readonly session: SessionState; readonly onSignedOut: () => void }) {
  const account = useLoaded(api.account);
  const { act } = useAct();
  return (
    <>
      <Header page="dashboard">
        <span class="who">{nameOf(session)}</span>
        {session.as === 'session' && (
          <button
            type="button"
            class="button"
            onClick={() =>
              act(async () => {
                await api.signOut();
                onSignedOut();
              })
            }
          >
            Sign out
          </button>
        )}
      </Header>
      <main>
        <Content loaded={account} onSignedOut={onSignedOut} />
      </main>
    </>
  );
}

export function Dashboard() {
  const [token, setToken] = useState(tokenInAddress);
  const asked = useLoaded(api.session);
  const [given, setGiven] = useState<SessionState | null>(null);
  const session = given ?? asked.value;
  const enter = (next: SessionState) => {
    // The token is used up; it shall not stay in the history either.
    history.replaceState(null, '', '/dashboard');
    setToken(null);
    setGiven(next);
  };
  const leave = () => {
    void asked.reload();
    setGiven(null);
  };
  if (token === null && session !== undefined && session.account !== null)
    return (
      <div class="page" key={session.account.id}>
        <SignedIn session={session} onSignedOut={leave} />
      </div>
    );
  return (
    <div class="page">
      <Header page="dashboard" />
      <main>
        {token !== null ? (
          <UseLink token={token} onSignedIn={enter} />
        ) : session !== undefined ? (
          <SignIn onSignedIn={enter} />
        ) : (
          asked.problem !== null && (
            <div class="door">
              <Notice problem={asked.problem}>
                <button type="button" class="button" onClick={() => void asked.reload()}>
                  Try again
                </button>
              </Notice>
            </div>
          )
        )}
      </main>
    </div>
  );
}
