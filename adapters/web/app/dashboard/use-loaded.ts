import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../shared/api.js';

export interface Loaded<T> {
  /** Undefined until it is there. */
  readonly value: T | undefined;
  readonly problem: Problem | null;
  /** Asks again; what there is stays on show. */
  readonly reload: () => Promise<void>;
}

/** What the service answers, asked for once and whenever `reload` is called. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem: Problem | null }>({ problem: null });
  const reload = useCallback(async () => {
    try {
      setState({ value: await load(), problem: null });
    } catch (error) {
      setState((before) => ({ ...before, problem: problemOf(error) }));
    }
  }, []);
  useEffect(() => {
    void reload();
  }, []);
  return { value: state.value, problem: state.problem, reload };
}

/** Something that is done on demand, with what went wrong. */
export function useAct(): {
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly clear: () => void;
  readonly act: (work: () => Promise<void>) => Promise<void>;
} {
  const [state, setState] = useState<{ isBusy: boolean; problem: Problem | null }>({ isBusy: false, problem: null });
  const act = async (work: () => Promise<void>) => {
    setState({ isBusy: true, problem: null });
    try {
      await work();
      setState({ isBusy: false, problem: null });
    } catch (error) {
      setState({ isBusy: false, problem: problemOf(error) });
    }
  };
  return { ...state, act, clear: () => setState({ isBusy: false, problem: null }) };
}
