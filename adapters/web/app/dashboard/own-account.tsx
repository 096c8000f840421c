import { useState } from 'preact/hooks';
import { type AccountState, api } from './api.js';
import { Form, FormProblem, TextField } from './parts.js';
import { useAct } from './use-loaded.js';

const FIELDS = ['email', 'password', 'current_password'];

interface OwnAccountProps {
  readonly state: AccountState;
  readonly onChanged: () => Promise<void>;
  readonly onSignedOut: () => void;
}

/** Email, password, and the way out. */
export function OwnAccount({ state, onChanged, onSignedOut }: OwnAccountProps) {
  const [email, setEmail] = useState(state.account.email ?? '');
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const [told, setTold] = useState('');
  const { isBusy, problem, act } = useAct();
  const save = () =>
    act(async () => {
      setTold('');
      await api.changeAccount({
        ...(email !== '' && email !== state.account.email && { email }),
        ...(password !== '' && { password }),
        ...(state.has_password && { current_password: current }),
      });
      setPassword('');
      setCurrent('');
      setTold('Saved.');
      await onChanged();
    });
  return (
    <section class="box" aria-label="Account">
      <h2>Account</h2>
      <Form onSubmit={save}>
        <TextField
          label="Email"
          name="email"
          type="email"
          value={email}
          onInput={setEmail}
          problem={problem}
          autocomplete="username"
        />
        <TextField
          label={state.has_password ? 'New password' : 'Password'}
          name="password"
          type="password"
          value={password}
          onInput={setPassword}
          problem={problem}
          autocomplete="new-password"
          hint={
            state.has_password ? 'Signs out everywhere else.' : 'With an email and a password you can sign in anywhere.'
          }
        />
        {state.has_password && (
          <TextField
            label="Current password"
            name="current_password"
            type="password"
            value={current}
            onInput={setCurrent}
            problem={problem}
            autocomplete="current-password"
          />
        )}
        <FormProblem problem={problem} fields={FIELDS} />
        <div class="row wrap">
          <button type="submit" class="button" disabled={isBusy}>
            Save
          </button>
          <button
            type="button"
            class="button quiet-button"
            onClick={() =>
              act(async () => {
                await api.endSessions();
                onSignedOut();
              })
            }
          >
            Sign out everywhere
          </button>
          <span role="status" class="quiet">
            {told}
          </span>
        </div>
      </Form>
    </section>
  );
}
