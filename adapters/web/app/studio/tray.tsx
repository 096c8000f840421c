import { useEffect, useRef, useState } from 'preact/hooks';
import { downloadUrl, type Problem, problemOf, save, sendJson } from '../shared/api.js';
import { CloseIcon, DownloadIcon } from '../shared/icons.js';
import { Notice } from '../shared/notice.js';
import { useStore } from '../shared/store.js';
import { baseName, formatBytes, plural } from '../shared/text.js';
import { drawingOf, removePicture, showPicture, studio } from './model.js';
import type { Picture } from './pictures.js';

interface ZipAnswer {
  readonly zipBasename: string;
  readonly zipFilename: string;
  readonly itemCount: number;
  readonly failed: readonly { readonly index: number; readonly error: string }[];
}

/** An address for a blob, as long as the component is there. */
function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

/** The drawing as a picture, once there is one; until then the picture itself. */
function useThumbnail(picture: Picture): string | undefined {
  const svg = useStore(studio, (state) => drawingOf(state, picture.id));
  const [blob, setBlob] = useState<Blob>(picture.blob);
  useEffect(() => setBlob(svg === undefined ? picture.blob : new Blob([svg], { type: 'image/svg+xml' })), [svg]);
  return useBlobUrl(blob);
}

function Card({ picture }: { readonly picture: Picture }) {
  const { id, name } = picture;
  const isCurrent = useStore(studio, (state) => state.currentId === id);
  const work = useStore(studio, (state) => state.work[id]);
  const trace = useStore(studio, (state) => state.traces[id]?.trace);
  const thumbnail = useThumbnail(picture);
  const card = useRef<HTMLLIElement>(null);
  // The list scrolls, not the page.
  useEffect(() => {
    const list = card.current?.parentElement;
    if (!isCurrent || card.current === null || list === null || list === undefined) return;
    const [own, all] = [card.current.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollLeft += Math.max(0, own.right - all.right) - Math.max(0, all.left - own.left);
  }, [isCurrent]);
  const words: readonly string[] =
    work?.state === 'tracing'
      ? [`${Math.round(work.progress.fraction * 100)} %`]
      : work?.state === 'failed'
        ? ['Failed']
        : trace === undefined
          ? ['Waiting']
          : [plural(trace.traceStats.shapes, 'shape'), formatBytes(trace.traceStats.svgBytes)];
  return (
    <li class="card" ref={card}>
      <button type="button" class="card-open" aria-pressed={isCurrent} onClick={() => showPicture(id)}>
        <span class="card-picture">{thumbnail !== undefined && <img src={thumbnail} alt="" />}</span>
        <span class="card-text">
          <span class="card-title">{name}</span>
          <span class={`card-words ${work?.state === 'failed' ? 'refusal' : 'quiet'}`}>
            {words.map((each) => (
              <span key={each}>{each} </span>
            ))}
          </span>
        </span>
      </button>
      <button
        type="button"
        class="icon-button small card-close"
        aria-label={`Close ${name}`}
        onClick={() => removePicture(id)}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

/** The pictures that are open, where there are several, and all their drawings as one ZIP. */
export function Tray() {
  const pictures = useStore(studio, (state) => state.pictures);
  const capabilities = useStore(studio, (state) => state.capabilities);
  const traced = useStore(studio, (state) => pictures.filter(({ id }) => state.traces[id] !== undefined).length);
  const [format, setFormat] = useState('svg');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [told, setTold] = useState('');
  if (pictures.length < 2) return null;

  const zip = async () => {
    setBusy(true);
    setProblem(null);
    setTold('');
    const state = studio.get();
    const items = pictures.flatMap(({ id, name }) => {
      const svg = drawingOf(state, id);
      return svg === undefined ? [] : [{ svg, format, filenameBase: baseName(name) }];
    });
    try {
      const answer = await sendJson<ZipAnswer>('POST', '/api/v1/batch', { items });
      save(downloadUrl(answer.zipBasename, answer.zipFilename), answer.zipFilename);
      const refused = answer.failed.map(({ index, error }) => `${items[index]?.filenameBase}: ${error}`);
      setTold([`Saved ${plural(answer.itemCount, 'file')} in ${answer.zipFilename}.`, ...refused].join(' '));
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="tray" aria-label="Pictures">
      <ul class="tray-cards">
        {pictures.map((picture) => (
          <Card key={picture.id} picture={picture} />
        ))}
      </ul>
      <div class="tray-zip">
        <label class="hidden" for="zip-format">
          Format of the files in the ZIP
        </label>
        <select id="zip-format" value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
          {(capabilities?.exportFormats ?? []).map(({ id, label, availability }) => (
            <option key={id} value={id} disabled={availability.state !== 'available'}>
              {label}
            </option>
          ))}
        </select>
        <button type="button" class="button" disabled={isBusy || traced < pictures.length} onClick={zip}>
          <DownloadIcon />
          {isBusy ? 'Packing…' : `ZIP all ${pictures.length}`}
        </button>
        <p class="quiet" role="status">
          {told !== '' ? told : traced < pictures.length ? `${traced} of ${pictures.length} traced` : ''}
        </p>
      </div>
      {problem !== null && <Notice problem={problem} onDismiss={() => setProblem(null)} />}
    </section>
  );
}
