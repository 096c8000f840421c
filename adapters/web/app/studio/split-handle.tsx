import { useRef } from 'preact/hooks';
import { useStore } from '../shared/store.js';
import { viewer } from './viewer.js';

const STEP = 0.02;
const LARGE_STEP = 0.1;

const setSplit = (split: number) => viewer.set({ split: Math.min(1, Math.max(0, split)) });

/** Where the picture ends and the trace begins. */
export function SplitHandle() {
  const split = useStore(viewer, (state) => state.split);
  const isIdle = useStore(viewer, (state) => state.isolated !== null);
  const handle = useRef<HTMLDivElement>(null);
  const percent = Math.round(split * 100);

  const follow = (event: PointerEvent) => {
    const element = handle.current as HTMLDivElement;
    if (!element.hasPointerCapture(event.pointerId)) return;
    const { left, width } = (element.parentElement as HTMLElement).getBoundingClientRect();
    setSplit((event.clientX - left) / width);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LARGE_STEP : STEP;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: split - step,
      ArrowDown: split - step,
      ArrowRight: split + step,
      ArrowUp: split + step,
      PageDown: split - LARGE_STEP,
      PageUp: split + LARGE_STEP,
      Home: 0,
      End: 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setSplit(to);
  };
  return (
    <div
      ref={handle}
      class={`split${isIdle ? ' is-idle' : ''}`}
      style={{ left: `${split * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label="Split between picture and trace"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} % picture`}
      onPointerDown={(event) => handle.current?.setPointerCapture(event.pointerId)}
      onPointerMove={follow}
      onKeyDown={onKeyDown}
      onDblClick={() => setSplit(0.5)}
    >
      <span class="split-label split-picture" aria-hidden="true">
        Picture
      </span>
      <span class="split-grip" aria-hidden="true" />
      <span class="split-label split-trace" aria-hidden="true">
        Trace
      </span>
    </div>
  );
}
