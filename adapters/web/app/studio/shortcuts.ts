import { HELP_ID } from './help.js';
import { currentTrace, redo, studio, undo } from './model.js';
import { pointAt, viewer } from './viewer.js';

/** Where letters are typed, they are letters. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'color', 'button'].includes(target.type)));

function showWorst(): void {
  const worst = currentTrace(studio.get())?.qualityDiagnostics.fidelity?.worst;
  if (worst !== undefined) pointAt(worst);
}

const LETTERS: Readonly<Record<string, () => void>> = {
  c: () => viewer.set({ mode: 'split' }),
  t: () => viewer.set({ mode: 'trace' }),
  p: () => viewer.set({ mode: 'original' }),
  d: () => viewer.set({ mode: 'difference' }),
  o: () => viewer.set(({ outlines }) => ({ outlines: !outlines })),
  g: () => viewer.set(({ grid }) => ({ grid: !grid })),
  w: showWorst,
  '?': () => (document.getElementById(HELP_ID) as HTMLDialogElement | null)?.showModal(),
};

/** The keys that work everywhere in the studio; answers what ends that. */
export function followKeys(onPick: () => void): () => void {
  const react = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      const commands: Readonly<Record<string, () => void>> = {
        o: onPick,
        ...(isTyping(event.target) ? {} : { z: event.shiftKey ? redo : undo, y: redo }),
      };
      const command = event.altKey ? undefined : commands[key];
      if (command === undefined) return;
      event.preventDefault();
      command();
      return;
    }
    if (event.altKey || isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
    const letter = LETTERS[key];
    if (letter === undefined) return;
    event.preventDefault();
    letter();
  };
  document.addEventListener('keydown', react);
  return () => document.removeEventListener('keydown', react);
}
