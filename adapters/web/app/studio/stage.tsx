import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SETTING_NAMES } from '#domain/presets/settings-table.js';
import { FitIcon, GridIcon, MinusIcon, NodesIcon, PlusIcon } from '../shared/icons.js';
import { Notice } from '../shared/notice.js';
import { useStore } from '../shared/store.js';
import { labelOf } from '../shared/text.js';
import { currentTrace, currentWork, dismissProblem, retry, setSetting, studio } from './model.js';
import { COMPARE_MODES } from './painter.js';
import { followPointers } from './pointers.js';
import { SplitHandle } from './split-handle.js';
import { StageView } from './stage-view.js';
import { useScene } from './use-scene.js';
import { viewer } from './viewer.js';

const PAN_STEP_PX = 48;
const ZOOM_STEP = 1.25;

const MODE_LABELS = { split: 'Compare', trace: 'Trace', original: 'Picture', difference: 'Difference' } as const;
const STAGE_WORDS: Readonly<Record<string, string>> = {
  upload: 'Sending the picture',
  queued: 'Waiting for a free worker',
  running: 'Starting',
  decode: 'Reading the picture',
  recover: 'Recovering edges',
  segment: 'Finding areas of color',
  fit: 'Fitting curves',
  write: 'Writing the drawing',
  score: 'Measuring the result',
  succeeded: 'Fetching the drawing',
};

function WorkLine() {
  const work = useStore(studio, currentWork);
  if (work?.state !== 'tracing') return <p class="work" role="status" />;
  const { stage, fraction } = work.progress;
  const words = STAGE_WORDS[stage] ?? labelOf(stage);
  return (
    <div class="work" role="status">
      <span>{words}…</span>
      <progress value={fraction} max={1} aria-label="Progress of the trace" />
    </div>
  );
}

/** Refusals that signing in, another plan or more credits would end. */
const DASHBOARD_HELPS = ['UNAUTHORIZED', 'INSUFFICIENT_CREDITS', 'PLAN_REQUIRED'];

const isSetting = (field: string | undefined) => (SETTING_NAMES as readonly string[]).includes(field ?? '');

function StageProblem() {
  const work = useStore(studio, currentWork);
  const problem = useStore(studio, (state) => state.problem);
  return (
    <div class="stage-problems">
      {problem !== null && <Notice problem={problem} onDismiss={dismissProblem} />}
      {work?.state === 'failed' && (
        <Notice problem={work.problem} waits>
          {isSetting(work.problem.field) && (
            <button type="button" class="button" onClick={() => setSetting(work.problem.field as string, undefined)}>
              Reset {labelOf(work.problem.field as string)}
            </button>
          )}
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
          {DASHBOARD_HELPS.includes(work.problem.code) && (
            <a class="button" href="/dashboard">
              Dashboard
            </a>
          )}
        </Notice>
      )}
    </div>
  );
}

/** Picture and trace in one view, with everything to look closely. */
export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const around = useRef<HTMLDivElement>(null);
  const view = useRef<StageView | null>(null);
  const shownId = useRef<string | null>(null);
  const [scale, setScale] = useState(1);
  const { scene, pictureId } = useScene();
  const { mode, outlines, grid, goTo } = useStore(viewer, (state) => state);
  const hasTrace = useStore(studio, currentTrace) !== undefined;

  useLayoutEffect(() => {
    const element = canvas.current as HTMLCanvasElement;
    const stage = new StageView(element, setScale);
    view.current = stage;
    const stopFollowing = followPointers(element, around.current as HTMLDivElement, stage);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const repaint = () => stage.repaint();
    dark.addEventListener('change', repaint);
    const themed = new MutationObserver(repaint);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      stopFollowing();
      dark.removeEventListener('change', repaint);
      themed.disconnect();
      stage.end();
    };
  }, []);
  useLayoutEffect(() => {
    if (scene === null) return;
    view.current?.show(scene, shownId.current !== pictureId);
    shownId.current = pictureId;
  });
  useEffect(() => {
    if (goTo !== null) view.current?.focus(goTo);
  }, [goTo]);

  const zoomIn = () => view.current?.zoom(ZOOM_STEP);
  const zoomOut = () => view.current?.zoom(1 / ZOOM_STEP);
  const fit = () => view.current?.fit();
  const onKeyDown = (event: KeyboardEvent) => {
    const pan = (dx: number, dy: number) => view.current?.pan(dx * PAN_STEP_PX, dy * PAN_STEP_PX);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => pan(1, 0),
      ArrowRight: () => pan(-1, 0),
      ArrowUp: () => pan(0, 1),
      ArrowDown: () => pan(0, -1),
      '+': zoomIn,
      '=': zoomIn,
      '-': zoomOut,
      '0': fit,
      '1': () => view.current?.zoomTo(1),
    };
    const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return (
    <section class="stage" aria-label="Picture and trace">
      <div class="stage-bar">
        <div class="segments" role="radiogroup" aria-label="What to see">
          {COMPARE_MODES.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="mode"
                checked={mode === each}
                disabled={!hasTrace && each !== 'original' && each !== 'split'}
                onChange={() => viewer.set({ mode: each })}
              />
              <span>{MODE_LABELS[each]}</span>
            </label>
          ))}
        </div>
        <div class="row">
          <button
            type="button"
            class="toggle"
            aria-pressed={outlines}
            onClick={() => viewer.set({ outlines: !outlines })}
          >
            <NodesIcon />
            <span>Outlines</span>
          </button>
          <button
            type="button"
            class="toggle"
            aria-pressed={grid}
            title="Show what is transparent as a grid"
            onClick={() => viewer.set({ grid: !grid })}
          >
            <GridIcon />
            <span>Grid</span>
          </button>
        </div>
        <div class="row zoom">
          <button type="button" class="icon-button" aria-label="Zoom out" onClick={zoomOut}>
            <MinusIcon />
          </button>
          <output class="zoom-level" aria-label="Zoom">
            {Math.round(scale * 100)} %
          </output>
          <button type="button" class="icon-button" aria-label="Zoom in" onClick={zoomIn}>
            <PlusIcon />
          </button>
          <button type="button" class="icon-button" aria-label="Show the whole picture" onClick={fit}>
            <FitIcon />
          </button>
        </div>
      </div>
      <div class="stage-view" ref={around}>
        {/* The element that takes the keys, so that a screen reader lets them through to it. */}
        <div
          class="viewer"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what it holds is a view that keys move.
          tabIndex={0}
          role="application"
          aria-roledescription="viewer"
          aria-label="Viewer of picture and trace. Arrow keys move, plus and minus zoom, 0 shows the whole picture, 1 its real size."
          onKeyDown={onKeyDown}
        >
          <canvas ref={canvas} />
        </div>
        {mode === 'split' && hasTrace && <SplitHandle />}
        {mode === 'difference' && (
          <p class="legend">
            same <span class="legend-ramp" /> different
          </p>
        )}
        <StageProblem />
        <WorkLine />
      </div>
    </section>
  );
}
