import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../shared/api.js';
import { CheckIcon, CopyIcon } from '../shared/icons.js';
import { Notice } from '../shared/notice.js';
import { useCopy } from '../shared/use-copy.js';
import type { Loaded } from './use-loaded.js';

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export const When = ({ at }: { readonly at: string }) => <time dateTime={at}>{moment.format(new Date(at))}</time>;

interface BoxProps<T> {
  readonly title: string;
  readonly loaded: Loaded<T>;
  /** Beside the title. */
  readonly tools?: ComponentChildren;
  readonly wide?: boolean;
  readonly children: (value: T) => ComponentChildren;
}

/** A part of the dashboard that shows something of the service's, or why it cannot. */
export function Box<T>({ title, loaded, tools, wide = false, children }: BoxProps<T>) {
  const { value, problem, reload } = loaded;
  return (
    <section class={`box${wide ? ' wide' : ''}`} aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {tools}
      </div>
      {problem !== null && (
        <Notice problem={problem}>
          <button type="button" class="button" onClick={() => void reload()}>
            Try again
          </button>
        </Notice>
      )}
      {value === undefined ? problem === null && <p class="quiet">Loading…</p> : children(value)}
    </section>
  );
}

/** Something told once, to be copied. */
export function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  const { copied, failed, copy } = useCopy();
  return (
    <div class="secret" role="status">
      <p>{label}</p>
      <div class="row">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the line is scrolled with the keys. */}
        <code tabIndex={0}>{text}</code>
        <button type="button" class="button" onClick={() => copy('secret', text)}>
          {copied === 'secret' ? <CheckIcon /> : <CopyIcon />}
          {copied === 'secret' ? 'Copied' : 'Copy'}
        </button>
      </div>
      {failed && <p class="refusal">The browser does not let this page use the clipboard; select the text instead.</p>}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly problem?: Problem | null;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly hint?: string;
}

/** One line of text, with what the service had against it below. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    name,
    type = 'text',
    value,
    onInput,
    problem,
    required,
    autocomplete = 'off',
    placeholder,
    hint,
  } = props;
  const id = useId();
  const refusal = problem?.field === name ? problem.error : undefined;
  const common = {
    id,
    name,
    value,
    required,
    autocomplete,
    placeholder,
    'aria-invalid': refusal !== undefined,
    'aria-describedby': `${id}-note`,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'password' ? (
        <input {...common} type="password" />
      ) : type === 'email' ? (
        <input {...common} type="email" />
      ) : (
        <input {...common} type="text" />
      )}
      <p id={`${id}-note`} class={refusal === undefined ? 'meaning' : 'refusal'}>
        {refusal ?? hint}
      </p>
    </div>
  );
}

interface FormProps {
  readonly onSubmit: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A form that the page itself sends. */
export const Form = ({ onSubmit, class: name = 'form', children }: FormProps) => (
  <form
    class={name}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

/** Refusals that no field of the form shows. */
export const FormProblem = ({ problem, fields }: { readonly problem: Problem | null; readonly fields: string[] }) =>
  problem === null || fields.includes(problem.field ?? '') ? null : <Notice problem={problem} />;
