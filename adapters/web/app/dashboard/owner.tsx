import { useEffect, useState } from 'preact/hooks';
import { ACCOUNT_STATUSES } from '#domain/accounts/account.js';
import { ACCOUNT_PLAN_IDS, CREDIT_PACKS } from '#domain/credits/plans.js';
import { Notice } from '../shared/notice.js';
import { formatCount, labelOf } from '../shared/text.js';
import { type AccountLink, type AccountView, api } from './api.js';
import { Box, Form, FormProblem, Secret, TextField, When } from './parts.js';
import { useAct, useLoaded } from './use-loaded.js';

const HEALTH_EVERY_MS = 4000;

/** How busy the service is, looked at again while the page is. */
export function QueueHealth() {
  const health = useLoaded(api.health);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void health.reload();
    }, HEALTH_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Box title="Queue and health" loaded={health}>
      {({ status, checks, queues }) => (
        <>
          <p class={`health ${status === 'ok' ? 'is-well' : 'is-ill'}`}>
            {status === 'ok' ? 'Everything works.' : 'Something does not work.'}
            <span class="quiet">
              {Object.entries(checks)
                .map(([name, state]) => `${name} ${state}`)
                .join(', ')}
            </span>
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">Tier</th>
                <th scope="col" class="number">
                  Running
                </th>
                <th scope="col" class="number">
                  Waiting
                </th>
                <th scope="col" class="number">
                  Room
                </th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(queues).map(([tier, { running, waiting, capacity }]) => (
                <tr key={tier}>
                  <th scope="row">{labelOf(tier)}</th>
                  <td class="number">{formatCount(running)}</td>
                  <td class="number">{formatCount(waiting)}</td>
                  <td class="number">{formatCount(capacity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Box>
  );
}

interface AccountRowProps {
  readonly of: AccountView & { readonly credits: number };
  readonly onChanged: () => Promise<void>;
  readonly onLink: (link: AccountLink) => void;
}

function AccountRow({ of, onChanged, onLink }: AccountRowProps) {
  const { isBusy, problem, act } = useAct();
  const name = of.email ?? (of.role === 'owner' ? 'the owner' : of.id);
  const change = (changes: object) =>
    act(async () => {
      await api.changeOther(of.id, changes);
      await onChanged();
    });
  return (
    <tr>
      <th scope="row">
        {name}
        {of.role === 'owner' && <span class="tag">owner</span>}
      </th>
      <td data-label="Plan">
        <select
          aria-label={`Plan of ${name}`}
          value={of.plan}
          disabled={isBusy}
          onChange={(event) => change({ plan: event.currentTarget.value })}
        >
          {ACCOUNT_PLAN_IDS.map((plan) => (
            <option key={plan} value={plan}>
              {labelOf(plan)}
            </option>
          ))}
        </select>
      </td>
      <td data-label="Status">
        <select
          aria-label={`Status of ${name}`}
          value={of.status}
          disabled={isBusy || of.role === 'owner'}
          onChange={(event) => change({ status: event.currentTarget.value })}
        >
          {ACCOUNT_STATUSES.map((status) => (
            <option key={status} value={status}>
              {labelOf(status)}
            </option>
          ))}
        </select>
      </td>
      <td class="number" data-label="Credits">
        {formatCount(of.credits)}
      </td>
      <td class="actions">
        <div class="row">
          {CREDIT_PACKS.map((credits) => (
            <button
              key={credits}
              type="button"
              class="button"
              disabled={isBusy}
              aria-label={`Grant ${formatCount(credits)} credits to ${name}`}
              onClick={() =>
                act(async () => {
                  await api.grant(of.id, credits);
                  await onChanged();
                })
              }
            >
              +{formatCount(credits)}
            </button>
          ))}
          <button
            type="button"
            class="button quiet-button"
            disabled={isBusy}
            aria-label={`New link for ${name}`}
            onClick={() => act(async () => onLink(await api.reset(of.id)))}
          >
            New link
          </button>
        </div>
        {problem !== null && <Notice problem={problem} />}
      </td>
    </tr>
  );
}

/** Everybody's accounts: invited here, given plans and packs. */
export function Accounts() {
  const accounts = useLoaded(api.accounts);
  const [email, setEmail] = useState('');
  const [plan, setPlan] = useState<string>(ACCOUNT_PLAN_IDS[0]);
  const [link, setLink] = useState<AccountLink | null>(null);
  const { isBusy, problem, act } = useAct();
  const invite = () =>
    act(async () => {
      setLink(await api.invite(email, plan));
      setEmail('');
      await accounts.reload();
    });
  return (
    <Box title="Accounts and packs" loaded={accounts} wide>
      {(all) => (
        <>
          <Form class="form-line" onSubmit={invite}>
            <TextField
              label="Invite by email"
              name="email"
              type="email"
              value={email}
              onInput={setEmail}
              problem={problem}
              required
              placeholder="ada@example.org"
            />
            <div class="field">
              <label for="invite-plan">Plan</label>
              <select id="invite-plan" value={plan} onChange={(event) => setPlan(event.currentTarget.value)}>
                {ACCOUNT_PLAN_IDS.map((id) => (
                  <option key={id} value={id}>
                    {labelOf(id)}
                  </option>
                ))}
              </select>
            </div>
            <button type="submit" class="button" disabled={isBusy}>
              Invite
            </button>
          </Form>
          <FormProblem problem={problem} fields={['email']} />
          {link !== null && (
            <>
              <Secret label={`Hand this link to ${link.account.email ?? 'them'}; it works once.`} text={link.link} />
              <p class="meaning">
                It is valid until <When at={link.expires_at} />.
              </p>
            </>
          )}
          <div class="table">
            <table class="rows">
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col">Plan</th>
                  <th scope="col">Status</th>
                  <th scope="col" class="number">
                    Credits
                  </th>
                  <th scope="col" class="actions">
                    Grant a pack
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((account) => (
                  <AccountRow key={account.id} of={account} onChanged={accounts.reload} onLink={setLink} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Box>
  );
}
