import { useId, useState } from 'preact/hooks';
import { downloadUrl, type Problem, problemOf, save, sendJson } from '../shared/api.js';
import { CheckIcon, CopyIcon, DownloadIcon } from '../shared/icons.js';
import { Notice } from '../shared/notice.js';
import { useStore } from '../shared/store.js';
import { baseName, formatBytes, labelOf } from '../shared/text.js';
import { useCopy } from '../shared/use-copy.js';
import { currentPicture, currentTrace, drawingOf, isUnedited, studio } from './model.js';
import { SNIPPETS } from './snippets.js';
import type { Capabilities } from './trace.js';

type OptionReport = Capabilities['exportOptions'][number];
type FormatOption = NonNullable<OptionReport['formats'][string]>;

interface ExportAnswer {
  readonly downloadPathBasename: string;
  readonly downloadActualFilename: string;
  readonly convertedFileSize: number;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

interface OptionProps {
  readonly report: OptionReport;
  readonly option: FormatOption;
  readonly value: string | undefined;
  readonly refusal: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function OptionControl({ report: { name, meaning, unit }, option, value, refusal, onChange }: OptionProps) {
  const id = useId();
  const common = { id, 'aria-describedby': `${id}-meaning`, 'aria-invalid': refusal !== undefined };
  const given = option.default === null ? '' : String(option.default);
  const change = (text: string) => onChange(text === '' || text === given ? undefined : text);
  const field =
    option.type === 'enum' ? (
      <select {...common} value={value ?? given} onChange={(event) => change(event.currentTarget.value)}>
        {option.default === null && <option value="">as it is best</option>}
        {option.values?.map((each) => (
          <option key={each} value={each}>
            {each.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    ) : option.type === 'boolean' ? (
      <input
        {...common}
        type="checkbox"
        class="switch"
        checked={(value ?? given) === 'true'}
        onChange={(event) => change(String(event.currentTarget.checked))}
      />
    ) : option.type === 'number' || option.type === 'integer' ? (
      <input
        {...common}
        type="number"
        min={option.min}
        max={option.max}
        step={option.type === 'integer' ? 1 : 'any'}
        value={value ?? ''}
        placeholder={given || 'none'}
        onChange={(event) => change(event.currentTarget.value)}
      />
    ) : (
      <input
        {...common}
        type="text"
        value={value ?? ''}
        placeholder={given || 'none'}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <div class={`setting${option.type === 'boolean' ? ' setting-line' : ''}`}>
      <div class="setting-head">
        <label for={id}>
          {labelOf(name)}
          {unit !== undefined && <span class="quiet"> {unit}</span>}
        </label>
      </div>
      {field}
      <p class="meaning" id={`${id}-meaning`}>
        {meaning}
      </p>
      {refusal !== undefined && <p class="refusal">{refusal}</p>}
    </div>
  );
}

/** An option as JSON has it: what the form holds as text. */
const toJson = ({ type }: FormatOption, text: string): string | number | boolean =>
  type === 'boolean' ? text === 'true' : type === 'number' || type === 'integer' ? Number(text) : text;

function Copies({ svg }: { readonly svg: string }) {
  const { copied, failed, copy } = useCopy();
  const picture = useStore(studio, currentPicture);
  const settings = useStore(studio, (state) => state.settings);
  const dataUri = () => `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const call = { origin: location.origin, fileName: picture?.name ?? 'picture.png', settings };
  const buttons: readonly (readonly [string, string, () => string])[] = [
    ['svg', 'SVG', () => svg],
    ['uri', 'Data URI', dataUri],
    ...SNIPPETS.map(({ id, label, write }) => [id, label, () => write(call)] as const),
  ];
  return (
    <div class="copies">
      <h3>Copy</h3>
      <div class="row wrap">
        {buttons.map(([id, label, text]) => (
          <button key={id} type="button" class="button" onClick={() => copy(id, text())}>
            {copied === id ? <CheckIcon /> : <CopyIcon />}
            {label}
          </button>
        ))}
      </div>
      <p class="meaning" role="status">
        {failed
          ? 'The browser does not let this page use the clipboard.'
          : copied === null
            ? 'The calls ask for exactly this trace.'
            : 'Copied.'}
      </p>
    </div>
  );
}

/** The drawing as a file of every format the service writes. */
export function ExportPanel() {
  const formatId = useId();
  const nameId = useId();
  const capabilities = useStore(studio, (state) => state.capabilities);
  const picture = useStore(studio, currentPicture);
  const trace = useStore(studio, currentTrace);
  const svg = useStore(studio, (state) => (picture === undefined ? undefined : drawingOf(state, picture.id)));
  const [format, setFormat] = useState('svg');
  const [options, setOptions] = useState<Readonly<Record<string, Readonly<Record<string, string>>>>>({});
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState<ExportAnswer | null>(null);
  if (trace === undefined || svg === undefined || picture === undefined || capabilities === null) return null;

  const own = options[format] ?? {};
  const reports = capabilities.exportOptions.flatMap((report) => {
    const option = report.formats[format];
    return option ? [{ report, option }] : [];
  });
  const exportNow = async () => {
    setBusy(true);
    setProblem(null);
    setDone(null);
    const exportOptions = Object.fromEntries(
      reports.flatMap(({ report, option }) => {
        const text = own[report.name];
        return text === undefined ? [] : [[report.name, toJson(option, text)] as const];
      }),
    );
    const request = { format, filenameBase: name.trim() || baseName(picture.name), exportOptions };
    const send = (source: object) => sendJson<ExportAnswer>('POST', '/api/v1/export', { ...source, ...request });
    try {
      const unedited = isUnedited(studio.get(), picture.id);
      const answer = unedited
        ? // Files of the service expire; the drawing is here.
          await send({ sourceSvgBasename: trace.downloadPathBasename }).catch((error: unknown) => {
            if (problemOf(error).status === 404) return send({ svg });
            throw error;
          })
        : await send({ svg });
      save(downloadUrl(answer.downloadPathBasename, answer.downloadActualFilename), answer.downloadActualFilename);
      setDone(answer);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const isKnownField = reports.some(({ report }) => report.name === problem?.field);

  return (
    <section class="panel" aria-label="Export">
      <h2>Export</h2>
      <form
        class="export"
        onSubmit={(event) => {
          event.preventDefault();
          void exportNow();
        }}
      >
        <div class="export-line">
          <div class="setting">
            <label for={formatId}>Format</label>
            <select id={formatId} value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
              {capabilities.exportFormats.map(({ id, label, plan, availability }) => (
                <option key={id} value={id} disabled={availability.state !== 'available'}>
                  {label}
                  {plan === 'pro' && ' (Pro)'}
                </option>
              ))}
            </select>
          </div>
          <div class="setting">
            <label for={nameId}>File name</label>
            <input
              id={nameId}
              type="text"
              spellcheck={false}
              value={name}
              placeholder={baseName(picture.name)}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </div>
        </div>
        {reports.length > 0 && (
          <details class="group" open={isKnownField || undefined}>
            <summary>
              <span>Options of {format.toUpperCase()}</span>
              {Object.keys(own).length > 0 && <span class="count">{Object.keys(own).length} set</span>}
            </summary>
            <div class="group-body">
              {reports.map(({ report, option }) => (
                <OptionControl
                  key={`${format} ${report.name}`}
                  report={report}
                  option={option}
                  value={own[report.name]}
                  refusal={problem?.field === report.name ? problem.error : undefined}
                  onChange={(value) => {
                    const { [report.name]: _, ...others } = own;
                    setOptions({
                      ...options,
                      [format]: value === undefined ? others : { ...others, [report.name]: value },
                    });
                  }}
                />
              ))}
            </div>
          </details>
        )}
        <button type="submit" class="button primary" disabled={isBusy}>
          <DownloadIcon />
          {isBusy ? 'Exporting…' : `Export ${format.toUpperCase()}`}
        </button>
      </form>
      <div role="status">
        {done !== null && (
          <div class="done">
            <p>
              Saved {done.downloadActualFilename}, {formatBytes(done.convertedFileSize)}.
            </p>
            {done.warnings.map(({ code, message }) => (
              <p class="quiet" key={code}>
                {message}
              </p>
            ))}
          </div>
        )}
      </div>
      {problem !== null && <Notice problem={problem} onDismiss={() => setProblem(null)} />}
      <Copies svg={svg} />
    </section>
  );
}
