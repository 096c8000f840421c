import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { useStore } from '../shared/store.js';
import { formatShare, plural } from '../shared/text.js';
import {
  type ColorEdits,
  colorsIn,
  keepCount,
  longHex,
  repaint,
  type Swatch,
  swatchesOf,
  usePalette,
} from './colors.js';
import { currentEdits, currentTrace, setEdits, setSetting, studio } from './model.js';
import { viewer } from './viewer.js';

/** More than these are behind a button. */
const SHOWN_AT_FIRST = 48;

const HEX = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

const show = (hex: string | null) => viewer.set({ isolated: hex });

interface SwatchEditorProps {
  readonly swatch: Swatch;
  readonly swatches: readonly Swatch[];
  readonly edits: ColorEdits;
  readonly onDone: (next: string | null) => void;
}

/** What can be done with one color. */
function SwatchEditor({ swatch, swatches, edits, onDone }: SwatchEditorProps) {
  const id = useId();
  const [text, setText] = useState(swatch.hex);
  const [into, setInto] = useState('');
  const isHex = HEX.test(text.trim());
  const paint = (to: string | null) => {
    setEdits(repaint(edits, swatch, to));
    show(null);
    onDone(to);
  };
  const paintText = () => {
    const typed = text.trim().toLowerCase();
    const hex = longHex(typed.startsWith('#') ? typed : `#${typed}`);
    if (isHex && hex !== swatch.hex) paint(hex);
  };
  const isChanged = swatch.sources.some((source) => source !== swatch.hex);
  return (
    <div class="swatch-editor">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          paintText();
        }}
      >
        <label class="hidden" for={`${id}-pick`}>
          Pick another color for {swatch.hex}
        </label>
        <input
          id={`${id}-pick`}
          type="color"
          value={isHex ? longHex(text.trim().startsWith('#') ? text.trim() : `#${text.trim()}`) : swatch.hex}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={(event) => paint(event.currentTarget.value)}
        />
        <label class="hidden" for={`${id}-hex`}>
          Hex of the new color
        </label>
        <input
          id={`${id}-hex`}
          class="hex"
          type="text"
          spellcheck={false}
          value={text}
          aria-invalid={!isHex}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={!isHex}>
          Recolor
        </button>
      </form>
      <div class="row wrap">
        <label class="hidden" for={`${id}-merge`}>
          Merge {swatch.hex} into
        </label>
        <select
          id={`${id}-merge`}
          value={into}
          disabled={swatches.length < 2}
          onChange={(event) => setInto(event.currentTarget.value)}
        >
          <option value="">Merge into…</option>
          {swatches
            .filter(({ hex }) => hex !== swatch.hex)
            .map(({ hex, coverage }) => (
              <option key={hex} value={hex}>
                {hex} · {formatShare(coverage)}
              </option>
            ))}
        </select>
        <button type="button" class="button" disabled={into === ''} onClick={() => paint(into)}>
          Merge
        </button>
        <button type="button" class="button" onClick={() => paint(null)}>
          Remove
        </button>
        {isChanged && (
          <button
            type="button"
            class="button"
            onClick={() => {
              const back = Object.entries(edits).filter(([source]) => !swatch.sources.includes(source));
              setEdits(Object.fromEntries(back));
              onDone(null);
            }}
          >
            As traced
          </button>
        )}
      </div>
    </div>
  );
}

/** The colors of the drawing: to see where each is, and to change them without tracing again. */
export function PalettePanel() {
  const id = useId();
  const trace = useStore(studio, currentTrace);
  const edits = useStore(studio, currentEdits);
  const [selected, setSelected] = useState<string | null>(null);
  const [count, setCount] = useState('');
  const [pasted, setPasted] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const palette = trace?.colorPalette;
  const swatches = useMemo(() => (palette === undefined ? [] : swatchesOf(palette, edits)), [palette, edits]);
  if (palette === undefined) return null;

  /** The editor that had the focus is gone: it goes to the color that took its place, or else to the first. */
  const goOn = (next: string | null) => {
    setSelected(next);
    requestAnimationFrame(() =>
      (
        list.current?.querySelector<HTMLElement>('[aria-pressed="true"]') ?? list.current?.querySelector('button')
      )?.focus(),
    );
  };
  const shown = showsAll ? swatches : swatches.slice(0, SHOWN_AT_FIRST);
  const chosen = swatches.find(({ hex }) => hex === selected);
  const wanted = colorsIn(pasted);
  const hasEdits = Object.entries(edits).some(([from, to]) => from !== to);
  return (
    <section class="panel" aria-label="Colors">
      <div class="panel-head">
        <h2>Colors</h2>
        <span class="quiet">{plural(swatches.length, 'color')}</span>
        <button type="button" class="button quiet-button" disabled={!hasEdits} onClick={() => setEdits({})}>
          As traced
        </button>
      </div>
      <ul class="swatches" ref={list}>
        {shown.map((swatch) => (
          <li key={swatch.hex}>
            <button
              type="button"
              class="swatch"
              aria-pressed={swatch.hex === selected}
              aria-label={`${swatch.hex}, ${formatShare(swatch.coverage)} of the picture, ${plural(swatch.shapes, 'shape')}`}
              title={`${swatch.hex} · ${plural(swatch.shapes, 'shape')}`}
              onPointerEnter={() => show(swatch.hex)}
              onPointerLeave={() => show(null)}
              onFocus={(event) => {
                if (event.currentTarget.matches(':focus-visible')) show(swatch.hex);
              }}
              onBlur={() => show(null)}
              onClick={() => setSelected(swatch.hex === selected ? null : swatch.hex)}
            >
              <span class="swatch-color" style={{ backgroundColor: swatch.hex }} />
              <span class="swatch-share">{formatShare(swatch.coverage)}</span>
            </button>
          </li>
        ))}
      </ul>
      {swatches.length > SHOWN_AT_FIRST && (
        <button type="button" class="button quiet-button" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${swatches.length}`}
        </button>
      )}
      {chosen === undefined ? (
        <p class="meaning">Point at a color to see where it is; choose it to recolor, merge or remove it.</p>
      ) : (
        <SwatchEditor key={chosen.hex} swatch={chosen} swatches={swatches} edits={edits} onDone={goOn} />
      )}
      <form
        class="row palette-line"
        onSubmit={(event) => {
          event.preventDefault();
          setEdits(keepCount(palette, edits, Number(count)));
        }}
      >
        <label for={`${id}-count`}>Keep only</label>
        <input
          id={`${id}-count`}
          type="number"
          min={1}
          max={Math.max(1, swatches.length)}
          value={count}
          placeholder={String(swatches.length)}
          onInput={(event) => setCount(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={!(Number(count) >= 1 && Number(count) < swatches.length)}>
          Merge the rest
        </button>
      </form>
      <form
        class="palette-paste"
        onSubmit={(event) => {
          event.preventDefault();
          setEdits(usePalette(palette, edits, wanted));
        }}
      >
        <label for={`${id}-paste`}>Your palette</label>
        <textarea
          id={`${id}-paste`}
          rows={2}
          spellcheck={false}
          value={pasted}
          placeholder="Paste hex colors: #1b1f24 #d9a441 …"
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
        <div class="row wrap">
          <span class="mini-swatches" aria-hidden="true">
            {wanted.slice(0, 16).map((hex) => (
              <span key={hex} style={{ backgroundColor: hex }} />
            ))}
          </span>
          <button type="submit" class="button" disabled={wanted.length === 0}>
            Apply here
          </button>
          <button
            type="button"
            class="button"
            disabled={wanted.length === 0}
            onClick={() => setSetting('fixed_palette', wanted.join(','))}
          >
            Trace with it
          </button>
        </div>
      </form>
    </section>
  );
}
