import type { ComponentChildren } from 'preact';
import type { Problem } from './api.js';
import { CloseIcon, WarningIcon } from './icons.js';

interface NoticeProps {
  readonly problem: Problem;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
  readonly onDismiss?: (() => void) | undefined;
  /** Whether it is tried again when the service says that it may be. */
  readonly waits?: boolean;
}

/** What to do about the refusals that have an answer. */
const ADVICE: Readonly<Record<string, string>> = {
  INSUFFICIENT_CREDITS: 'Nothing was charged, and what you see is kept. Credits and packs are in the dashboard.',
  UNAUTHORIZED: 'Sign in on the dashboard; what is open here is kept.',
  PLAN_REQUIRED: 'The dashboard says which plan this account has.',
};

/** A refusal, told where the person is looking. */
export const Notice = ({ problem, children, onDismiss, waits = false }: NoticeProps) => (
  <div class="notice" role="alert">
    <WarningIcon />
    <div class="notice-text">
      <p>{problem.error}</p>
      {ADVICE[problem.code] && <p>{ADVICE[problem.code]}</p>}
      {waits && problem.retry_after_seconds !== undefined && <p>It is tried again by itself then.</p>}
      {problem.request_id && (
        <p class="quiet">
          {problem.code} · request <code>{problem.request_id}</code>
        </p>
      )}
      {children && <div class="row">{children}</div>}
    </div>
    {onDismiss && (
      <button type="button" class="icon-button" aria-label="Dismiss the message" onClick={onDismiss}>
        <CloseIcon />
      </button>
    )}
  </div>
);
