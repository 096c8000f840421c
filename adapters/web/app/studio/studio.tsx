import { useEffect, useRef, useState } from 'preact/hooks';
import { Header } from '../shared/header.js';
import { OpenIcon, RedoIcon, UndoIcon } from '../shared/icons.js';
import { useStore } from '../shared/store.js';
import { ExportPanel } from './export-panel.js';
import { Help } from './help.js';
import { addFiles, currentTrace, redo, studio, undo } from './model.js';
import { PalettePanel } from './palette-panel.js';
import { filesIn } from './pictures.js';
import { Readouts } from './readouts.js';
import { SettingsPanel } from './settings-panel.js';
import { followKeys } from './shortcuts.js';
import { Stage } from './stage.js';
import { Tray } from './tray.js';
import { Tour, Welcome } from './welcome.js';

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/avif,image/bmp,image/svg+xml,.bmp,.avif';

/** Which of the two panels is beside the stage, where there is room for one. */
const SIDES = [
  ['settings', 'Settings'],
  ['result', 'Result'],
] as const;

/** Takes what is dropped anywhere on the page, and what is pasted; says whether something hovers. */
function useIncoming(): boolean {
  const [hovers, setHovers] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setHovers(true);
    };
    addEventListener('dragenter', over, { signal });
    addEventListener('dragover', over, { signal });
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) setHovers(false);
      },
      { signal },
    );
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        setHovers(false);
        void addFiles(filesIn(event.dataTransfer));
      },
      { signal },
    );
    addEventListener(
      'paste',
      (event) => {
        const files = filesIn(event.clipboardData);
        if (files.length === 0) return;
        event.preventDefault();
        void addFiles(files);
      },
      { signal },
    );
    return () => ending.abort();
  }, []);
  return hovers;
}

export function Studio() {
  const picker = useRef<HTMLInputElement>(null);
  const pick = () => picker.current?.click();
  const isReady = useStore(studio, (state) => state.isReady);
  const hasPicture = useStore(studio, (state) => state.pictures.length > 0);
  const hasTrace = useStore(studio, currentTrace) !== undefined;
  const canUndo = useStore(studio, (state) => state.past.length > 0);
  const canRedo = useStore(studio, (state) => state.future.length > 0);
  const [side, setSide] = useState<(typeof SIDES)[number][0]>('settings');
  const hovers = useIncoming();
  useEffect(() => followKeys(pick), []);
  return (
    <div class={`page studio${hasPicture ? '' : ' is-empty'}`}>
      <Header page="studio">
        <button type="button" class="button" onClick={pick}>
          <OpenIcon />
          Open
        </button>
        <button type="button" class="icon-button" aria-label="Undo" disabled={!canUndo} onClick={undo}>
          <UndoIcon />
        </button>
        <button type="button" class="icon-button" aria-label="Redo" disabled={!canRedo} onClick={redo}>
          <RedoIcon />
        </button>
        <Help />
      </Header>
      <main>
        <input
          ref={picker}
          type="file"
          class="hidden"
          tabIndex={-1}
          multiple
          accept={ACCEPTED}
          aria-label="Pictures to open"
          onChange={(event) => {
            void addFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        {isReady && !hasPicture && <Welcome onPick={pick} />}
        {hasPicture && (
          <div class={`bench shows-${side}`}>
            <div class="side-switch">
              <div class="segments" role="radiogroup" aria-label="Panel">
                {SIDES.map(([id, label]) => (
                  <label key={id}>
                    <input type="radio" name="side" checked={side === id} onChange={() => setSide(id)} />
                    <span>{label}</span>
                  </label>
                ))}
              </div>
            </div>
            <div class="side side-settings">
              <SettingsPanel />
            </div>
            <div class="center-column">
              <h1 class="hidden">Studio</h1>
              <Stage />
              <Tray />
            </div>
            <div class="side side-result">
              {hasTrace ? (
                <>
                  <Readouts />
                  <PalettePanel />
                  <ExportPanel />
                </>
              ) : (
                <p class="panel meaning">The first trace is on its way; its figures, colors and exports come here.</p>
              )}
            </div>
          </div>
        )}
      </main>
      {isReady && <Tour />}
      {hovers && (
        <div class="drop-veil" aria-hidden="true">
          <p>Drop to trace</p>
        </div>
      )}
    </div>
  );
}
