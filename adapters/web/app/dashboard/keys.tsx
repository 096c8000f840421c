import { useState } from 'preact/hooks';
import { PlusIcon } from '../shared/icons.js';
import { Notice } from '../shared/notice.js';
import { api, type KeyView } from './api.js';
import { Box, Form, FormProblem, Secret, TextField, When } from './parts.js';
import { useAct, useLoaded } from './use-loaded.js';

function KeyRow({ of, onChanged }: { readonly of: KeyView; readonly onChanged: () => Promise<void> }) {
  const [asks, setAsks] = useState(false);
  const { isBusy, problem, act } = useAct();
  return (
    <tr class={of.revoked_at === null ? '' : 'is-over'}>
      <th scope="row">{of.name}</th>
      <td data-label="Key">
        <code>{of.prefix}…</code>
      </td>
      <td data-label="Created">
        <When at={of.created_at} />
      </td>
      <td data-label="Last used">
        {of.last_used_at === null ? <span class="quiet">never</span> : <When at={of.last_used_at} />}
      </td>
      <td class="actions">
        {of.revoked_at !== null ? (
          <span class="quiet">
            revoked <When at={of.revoked_at} />
          </span>
        ) : asks ? (
          <div class="row">
            <button
              type="button"
              class="button danger"
              disabled={isBusy}
              onClick={() =>
                act(async () => {
                  await api.revokeKey(of.id);
                  await onChanged();
                })
              }
            >
              Revoke for good
            </button>
            <button type="button" class="button" onClick={() => setAsks(false)}>
              Keep
            </button>
          </div>
        ) : (
          <button type="button" class="button" aria-label={`Revoke ${of.name}`} onClick={() => setAsks(true)}>
            Revoke
          </button>
        )}
        {problem !== null && <Notice problem={problem} />}
      </td>
    </tr>
  );
}

/** Keys of this account: made, named, shown once, revoked. */
export function Keys() {
  const keys = useLoaded(api.keys);
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const { isBusy, problem, act } = useAct();
  const create = () =>
    act(async () => {
      const { key, secret } = await api.createKey(name.trim());
      setMade({ name: key.name, secret });
      setName('');
      await keys.reload();
    });
  return (
    <Box title="API keys" loaded={keys} wide>
      {(all) => (
        <>
          <Form class="form-line" onSubmit={create}>
            <TextField
              label="Name of a new key"
              name="name"
              value={name}
              onInput={setName}
              problem={problem}
              required
              placeholder="Where it will be used"
            />
            <button type="submit" class="button primary" disabled={isBusy}>
              <PlusIcon />
              Create key
            </button>
          </Form>
          <FormProblem problem={problem} fields={['name']} />
          {made !== null && (
            <Secret
              label={`The key “${made.name}”. It is shown this once: copy it now, it cannot be had again.`}
              text={made.secret}
            />
          )}
          {all.length === 0 ? (
            <p class="empty">No keys yet. Programs send one in the header X-API-Key.</p>
          ) : (
            <div class="table">
              <table class="rows">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Key</th>
                    <th scope="col">Created</th>
                    <th scope="col">Last used</th>
                    <th scope="col">
                      <span class="hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {[...all]
                    .reverse()
                    .sort((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null))
                    .map((key) => (
                      <KeyRow key={key.id} of={key} onChanged={keys.reload} />
                    ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </Box>
  );
}
