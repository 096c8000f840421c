import { useRef } from 'preact/hooks';
import { CloseIcon, HelpIcon } from '../shared/icons.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl O', 'Open pictures'],
  ['Ctrl V', 'Paste a picture'],
  ['Ctrl Z', 'Undo'],
  ['Ctrl Shift Z', 'Redo'],
  ['C, T, P, D', 'Compare, trace, picture, difference'],
  ['O', 'Outlines and nodes'],
  ['G', 'Transparency grid'],
  ['W', 'Worst spot'],
  ['+  −  0  1', 'On the viewer: zoom, whole picture, real size'],
  ['Arrows', 'On the viewer: move; on the split: slide'],
  ['?', 'This list'],
];

export const HELP_ID = 'keys-help';

/** The keys of the studio, in a dialog of the browser's own. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Keyboard shortcuts"
        onClick={() => dialog.current?.showModal()}
      >
        <HelpIcon />
      </button>
      <dialog ref={dialog} id={HELP_ID} class="dialog" aria-label="Keyboard shortcuts">
        <div class="panel-head">
          <h2>Keyboard</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
            <CloseIcon />
          </button>
        </div>
        <dl class="keys">
          {KEYS.map(([keys, meaning]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </dialog>
    </>
  );
}
