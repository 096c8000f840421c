import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** State that is replaced as a whole, and those who look at it. */
export interface Store<State> {
  get(): State;
  set(change: Partial<State> | ((state: State) => Partial<State>)): void;
  /** Calls back after every change until the answer is called. */
  watch(onChange: () => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const watchers = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      const part = typeof change === 'function' ? change(state) : change;
      state = { ...state, ...part };
      for (const watcher of [...watchers]) watcher();
    },
    watch(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
  };
}

/** A part of a store; the component is drawn again when that part is another one (by identity). */
export function useStore<State extends object, Part>(store: Store<State>, select: (state: State) => Part): Part {
  const [, redraw] = useState(0);
  const part = select(store.get());
  const shown = useRef({ part, select });
  shown.current = { part, select };
  useLayoutEffect(() => {
    const look = () => {
      if (!Object.is(shown.current.select(store.get()), shown.current.part)) redraw((count) => count + 1);
    };
    // It may have changed between drawing and now.
    look();
    return store.watch(look);
  }, [store]);
  return part;
}
