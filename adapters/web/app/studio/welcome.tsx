import { useEffect, useRef, useState } from 'preact/hooks';
import sample from '../../assets/sample.png';
import { problemOf } from '../shared/api.js';
import { CloseIcon, OpenIcon } from '../shared/icons.js';
import { Notice } from '../shared/notice.js';
import { useStore } from '../shared/store.js';
import { store, stored } from '../shared/theme.js';
import { dismissProblem, openSample, studio, tell } from './model.js';

const openBundled = () => void openSample(sample).catch((error: unknown) => tell(problemOf(error)));

/** What the studio shows before there is a picture. */
export function Welcome({ onPick }: { readonly onPick: () => void }) {
  const problem = useStore(studio, (state) => state.problem);
  return (
    <section class="welcome" aria-label="Open a picture">
      <div class="welcome-frame">
        <h1>Drop a picture to trace it</h1>
        <p>
          JPG, PNG, BMP, WEBP or AVIF becomes a clean drawing that stays sharp at any size. Paste works too, and up to
          ten pictures at once.
        </p>
        <div class="row wrap center">
          <button type="button" class="button primary large" onClick={onPick}>
            <OpenIcon />
            Choose pictures
          </button>
          <button type="button" class="button large" onClick={openBundled}>
            Try the sample
          </button>
        </div>
        {problem !== null && <Notice problem={problem} onDismiss={dismissProblem} />}
      </div>
    </section>
  );
}

const TOUR_KEY = 'burin-tour-seen';
const CARDS = [
  {
    title: 'Compare as you go',
    text: 'Drag the split line to lay the trace over the picture. Wheel or pinch zooms to 6400 %, dragging moves.',
  },
  {
    title: 'Settings answer at once',
    text: 'Choose the kind of picture first. Every change traces again, and the old drawing stays until the new one is there.',
  },
  {
    title: 'Colors are yours',
    text: 'Point at a color to see where it is. Recolor, merge or remove it, then export in the format you need.',
  },
] as const;

/** Three cards for who is here for the first time. */
export function Tour() {
  const [at, setAt] = useState(() => (stored(TOUR_KEY) === null ? 0 : CARDS.length));
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (at > 0) next.current?.focus();
  }, [at]);
  const card = CARDS[at];
  if (card === undefined) return null;
  const end = () => {
    store(TOUR_KEY, 'yes');
    setAt(CARDS.length);
  };
  const isLast = at === CARDS.length - 1;
  return (
    <aside class="tour" aria-label="A short tour">
      <p class="quiet">
        {at + 1} of {CARDS.length}
      </p>
      <h2>{card.title}</h2>
      <p>{card.text}</p>
      <div class="row">
        <button ref={next} type="button" class="button primary" onClick={() => (isLast ? end() : setAt(at + 1))}>
          {isLast ? 'Done' : 'Next'}
        </button>
        {!isLast && (
          <button type="button" class="button quiet-button" onClick={end}>
            Skip
          </button>
        )}
      </div>
      <button type="button" class="icon-button small tour-close" aria-label="Close the tour" onClick={end}>
        <CloseIcon />
      </button>
    </aside>
  );
}
