import type { ColorEdits } from './colors.js';
import type { ChosenSettings, Trace } from './trace.js';

/** What a reload brings back. */
export interface Session {
  readonly pictures: readonly { readonly id: string; readonly name: string; readonly blob: Blob }[];
  readonly currentId: string | null;
  readonly settings: ChosenSettings;
  readonly edits: Readonly<Record<string, ColorEdits>>;
  /** By picture: its last trace, and the settings it was made with. */
  readonly traces: Readonly<Record<string, { readonly trace: Trace; readonly key: string }>>;
}

const DATABASE = 'burin-studio';
const STORE = 'session';
const KEY = 'last';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return settled(request);
}

async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await settled(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** The last session; undefined where there is none, or where the browser keeps nothing (private windows). */
export const loadSession = (): Promise<Session | undefined> =>
  withStore<Session | undefined>('readonly', (store) => store.get(KEY)).catch(() => undefined);

/** Keeps the session; a browser that keeps nothing is no reason to stop. */
export const saveSession = async (session: Session): Promise<void> => {
  await withStore('readwrite', (store) => store.put(session, KEY)).catch(() => undefined);
};
