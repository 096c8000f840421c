import type { StageView } from './stage-view.js';

const LINE_PX = 16;
/** What a wheel's pixel enlarges by, and a pinch on a touchpad (which comes as a wheel with ctrlKey). */
const WHEEL_RATE = 0.0018;
const PINCH_RATE = 0.011;

/**
 * Lets drag and pinch on the canvas move the view, and the wheel on all of the stage, what lies over the canvas included; answers
 * what ends that.
 */
export function followPointers(canvas: HTMLCanvasElement, stage: HTMLElement, view: StageView): () => void {
  const pointers = new Map<number, { clientX: number; clientY: number }>();
  const ending = new AbortController();
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    react: (event: HTMLElementEventMap[Name]) => void,
  ) => canvas.addEventListener(name, react, { signal: ending.signal });

  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
      view.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? PINCH_RATE : WHEEL_RATE)), event);
    },
    { signal: ending.signal, passive: false },
  );
  listen('pointerdown', (event) => {
    if (event.button > 1) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
  });
  listen('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (other === undefined) view.pan(dx, dy);
    else {
      const reach = (point: { clientX: number; clientY: number }) =>
        Math.max(8, Math.hypot(point.clientX - other.clientX, point.clientY - other.clientY));
      const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      // Each finger moves the middle by half its way.
      view.pan(dx / 2, dy / 2);
      view.zoom(reach(event) / reach(before), middle);
    }
    pointers.set(event.pointerId, event);
  });
  for (const name of ['pointerup', 'pointercancel'] as const)
    listen(name, (event) => {
      pointers.delete(event.pointerId);
    });
  listen('dblclick', (event) => {
    if (view.scale < 1) view.zoom(1 / view.scale, event);
    else view.fit();
  });
  return () => ending.abort();
}
