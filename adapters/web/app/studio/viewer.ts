import { createStore } from '../shared/store.js';
import type { CompareMode, Scene } from './painter.js';

/** How the stage is looked at: belongs to the person, not to the picture. */
export interface ViewerState {
  readonly mode: CompareMode;
  /** 0..1 */
  readonly split: number;
  readonly outlines: boolean;
  readonly grid: boolean;
  /** Show only this color of the drawing. */
  readonly isolated: string | null;
  readonly marker: Scene['marker'];
  /** Go there; a new object each time. */
  readonly goTo: Scene['marker'];
}

export const viewer = createStore<ViewerState>({
  mode: 'split',
  split: 0.5,
  outlines: false,
  grid: false,
  isolated: null,
  marker: null,
  goTo: null,
});

/** Shows a part of the picture, enlarged and marked. */
export const pointAt = (part: NonNullable<Scene['marker']>): void =>
  viewer.set(({ mode }) => ({ marker: part, goTo: { ...part }, mode: mode === 'difference' ? mode : 'split' }));
