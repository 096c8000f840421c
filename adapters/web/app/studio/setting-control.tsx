import { useId } from 'preact/hooks';
import type { SettingName, SettingRow } from '#domain/presets/settings-table.js';
import { settingRow } from '#domain/presets/settings-table.js';
import { ResetIcon } from '../shared/icons.js';
import { useStore } from '../shared/store.js';
import { labelOf } from '../shared/text.js';
import { currentTrace, currentWork, setSetting, studio } from './model.js';

type Shown = string | number | boolean | null | readonly string[];

/** Values of parameters that cannot be used here, with the reason: what the service says of itself. */
function useUnavailable(name: SettingName): Readonly<Record<string, string>> {
  const capabilities = useStore(studio, (state) => state.capabilities);
  const found = name === 'engine' ? capabilities?.engines : name === 'edge_recovery' ? capabilities?.edgeRecovery : [];
  return Object.fromEntries(
    (found ?? []).flatMap((one) => (one.state === 'unavailable' ? [[one.id, one.reason] as const] : [])),
  );
}

const asText = (value: Shown | readonly number[] | undefined): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.join(',') : String(value);

interface FieldProps {
  readonly id: string;
  readonly name: SettingName;
  readonly row: SettingRow;
  /** What holds: chosen, or else what the last trace was made with. */
  readonly value: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
}

function EnumField({
  id,
  name,
  row,
  value,
  describedBy,
  isInvalid,
}: FieldProps & { row: SettingRow & { type: 'enum' } }) {
  const unavailable = useUnavailable(name);
  const values = row.values.includes(value) ? row.values : [value, ...row.values];
  return (
    <select
      id={id}
      value={value}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(event) => setSetting(name, event.currentTarget.value)}
    >
      {values.map((each) => (
        <option key={each} value={each} disabled={unavailable[each] !== undefined && each !== value}>
          {each.replaceAll('_', ' ')}
          {unavailable[each] !== undefined && ' (not installed here)'}
        </option>
      ))}
    </select>
  );
}

/** Small ranges are dragged; large ones, and those that may stay open, are typed. */
const LARGEST_DRAGGED = 5000;

function NumberField({
  id,
  name,
  row,
  value,
  describedBy,
  isInvalid,
}: FieldProps & { row: SettingRow & { type: 'number' | 'integer' } }) {
  const set = (text: string) => setSetting(name, text === '' ? undefined : text);
  const step = row.type === 'integer' ? 1 : row.max <= 1 ? 0.05 : 1;
  const typed = (
    <input
      id={id}
      type="number"
      inputMode="decimal"
      min={row.min}
      max={row.max}
      step={row.type === 'integer' ? 1 : 'any'}
      value={value}
      placeholder="auto"
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
  if (row.default === null || row.max > LARGEST_DRAGGED) return typed;
  return (
    <div class="range">
      <input
        type="range"
        min={row.min}
        max={row.max <= 100 ? row.max : 500}
        step={step}
        value={value === '' ? row.default : value}
        aria-label={labelOf(name)}
        aria-describedby={describedBy}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {typed}
    </div>
  );
}

function ListField({ id, name, row, value, describedBy }: FieldProps & { row: SettingRow & { type: 'list' } }) {
  const chosen = value.split(',');
  const toggle = (each: string) => {
    const next = row.values.filter((known) => (known === each) !== chosen.includes(known));
    if (next.length > 0) setSetting(name, next.join(','));
  };
  return (
    <fieldset class="checks" id={id} aria-describedby={describedBy}>
      <legend class="hidden">{labelOf(name)}</legend>
      {row.values.map((each) => (
        <label key={each}>
          <input type="checkbox" checked={chosen.includes(each)} onChange={() => toggle(each)} />
          {each}
        </label>
      ))}
    </fieldset>
  );
}

function Field(props: FieldProps) {
  const { id, name, row, value, describedBy, isInvalid } = props;
  switch (row.type) {
    case 'enum':
      return <EnumField {...props} row={row} />;
    case 'number':
    case 'integer':
      return <NumberField {...props} row={row} />;
    case 'list':
      return <ListField {...props} row={row} />;
    case 'boolean':
      return (
        <input
          id={id}
          type="checkbox"
          class="switch"
          checked={value === 'true'}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          onChange={(event) => setSetting(name, String(event.currentTarget.checked))}
        />
      );
    case 'colors':
      return (
        <input
          id={id}
          type="text"
          spellcheck={false}
          value={value}
          placeholder="#1b1f24, #d9a441"
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          onChange={(event) => setSetting(name, event.currentTarget.value.trim() || undefined)}
        />
      );
  }
}

const ORIGINS: Readonly<Record<string, string>> = { preset: 'by the preset', auto: 'by the picture' };

/** One parameter: its control, what it means, who decided it, and what the service had against it. */
export function SettingControl({ name }: { readonly name: SettingName }) {
  const id = useId();
  const row = settingRow(name);
  const chosen = useStore(studio, (state) => state.settings[name]);
  const reported = useStore(studio, (state) => currentTrace(state)?.qualityDiagnostics.settings[name]);
  const work = useStore(studio, currentWork);
  const refusal = work?.state === 'failed' && work.problem.field === name ? work.problem.error : undefined;
  const given = row.type === 'colors' && asText(reported?.value) === '' ? '' : asText(reported?.value ?? row.default);
  const value = chosen ?? given;
  const origin = chosen === undefined && reported !== undefined ? ORIGINS[reported.origin] : undefined;
  return (
    <div class={`setting${row.type === 'boolean' ? ' setting-line' : ''}`}>
      <div class="setting-head">
        <label for={id}>
          {labelOf(name)}
          {row.unit !== undefined && <span class="quiet"> {row.unit}</span>}
        </label>
        {origin !== undefined && <span class="origin">{origin}</span>}
        {chosen !== undefined && (
          <button
            type="button"
            class="icon-button small"
            aria-label={`Reset ${labelOf(name)}`}
            onClick={() => setSetting(name, undefined)}
          >
            <ResetIcon />
          </button>
        )}
      </div>
      <Field
        id={id}
        name={name}
        row={row}
        value={value}
        describedBy={`${id}-meaning${refusal === undefined ? '' : ` ${id}-refusal`}`}
        isInvalid={refusal !== undefined}
      />
      <p class="meaning" id={`${id}-meaning`}>
        {row.meaning}
      </p>
      {refusal !== undefined && (
        <p class="refusal" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
    </div>
  );
}
