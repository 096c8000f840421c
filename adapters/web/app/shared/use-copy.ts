import { useEffect, useRef, useState } from 'preact/hooks';

const SHOWN_MS = 2000;

/** Puts text on the clipboard; `copied` says for a moment which it was, and `failed` that the browser refused. */
export function useCopy(): {
  readonly copied: string | null;
  readonly failed: boolean;
  copy(id: string, text: string | Promise<string>): Promise<void>;
} {
  const [state, setState] = useState<{ copied: string | null; failed: boolean }>({ copied: null, failed: false });
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (id: string, text: string | Promise<string>) => {
    clearTimeout(timer.current);
    try {
      await navigator.clipboard.writeText(await text);
      setState({ copied: id, failed: false });
    } catch {
      setState({ copied: null, failed: true });
    }
    timer.current = window.setTimeout(() => setState({ copied: null, failed: false }), SHOWN_MS);
  };
  return { ...state, copy };
}
