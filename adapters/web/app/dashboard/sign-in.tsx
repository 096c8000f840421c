import { useState } from 'preact/hooks';
import { Notice } from '../shared/notice.js';
import { api, type SessionState } from './api.js';
import { Form, FormProblem, TextField, When } from './parts.js';
import { useAct, useLoaded } from './use-loaded.js';

interface SignedIn {
  readonly onSignedIn: (session: SessionState) => void;
}

/** For who has a password. */
export function SignIn({ onSignedIn }: SignedIn) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, problem, act } = useAct();
  return (
    <section class="door" aria-label="Sign in">
      <h1>Sign in</h1>
      <Form onSubmit={() => act(async () => onSignedIn(await api.signIn(email, password)))}>
        <TextField
          label="Email"
          name="email"
          type="email"
          value={email}
          onInput={setEmail}
          problem={problem}
          required
          autocomplete="username"
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          value={password}
          onInput={setPassword}
          problem={problem}
          required
          autocomplete="current-password"
        />
        <FormProblem problem={problem} fields={['email', 'password']} />
        <button type="submit" class="button primary large" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </Form>
      <p class="meaning">
        For the first time, open the link that the service printed when it started, or the invitation you were sent. A
        lost link is made again by <code>npx burin accounts reset</code>.
      </p>
    </section>
  );
}

const PURPOSES = {
  'sign-in': ['Welcome', 'This link signs you in, once.'],
  invite: ['You are invited', 'Choose a password, and the account is yours.'],
  reset: ['A new password', 'Choose one, and you are signed in.'],
} as const;

/** For who comes by a link that was printed or handed over. */
export function UseLink({ token, onSignedIn }: SignedIn & { readonly token: string }) {
  const link = useLoaded(() => api.link(token));
  const [password, setPassword] = useState('');
  const { isBusy, problem, act } = useAct();
  if (link.problem !== null)
    return (
      <section class="door" aria-label="Sign in by a link">
        <h1>This link cannot be used</h1>
        <Notice problem={link.problem} />
        <a class="button" href="/dashboard">
          To the sign-in
        </a>
      </section>
    );
  if (link.value === undefined) return <p class="door quiet">Looking at the link…</p>;
  const { purpose, email, needs_password, expires_at } = link.value;
  const [title, text] = PURPOSES[purpose];
  return (
    <section class="door" aria-label="Sign in by a link">
      <h1>{title}</h1>
      <p>
        {text} {email !== null && <strong>{email}</strong>}
      </p>
      <Form
        onSubmit={() => act(async () => onSignedIn(await api.useLink(token, needs_password ? password : undefined)))}
      >
        {needs_password && (
          <TextField
            label="New password"
            name="password"
            type="password"
            value={password}
            onInput={setPassword}
            problem={problem}
            required
            autocomplete="new-password"
          />
        )}
        <FormProblem problem={problem} fields={['password']} />
        <button type="submit" class="button primary large" disabled={isBusy}>
          Sign in
        </button>
      </Form>
      <p class="meaning">
        It is valid until <When at={expires_at} />.
      </p>
    </section>
  );
}
