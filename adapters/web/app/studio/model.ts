import { isAbort, type Problem, ProblemError, problemOf } from '../shared/api.js';
import { createStore } from '../shared/store.js';
import { readAddress, writeAddress } from './address.js';
import { applyEdits, type ColorEdits } from './colors.js';
import { decode, MAX_PICTURES, openPicture, type Picture } from './pictures.js';
import { loadSession, saveSession } from './session.js';
import {
  type Capabilities,
  type ChosenSettings,
  fetchCapabilities,
  type Progress,
  type Trace,
  tracePicture,
} from './trace.js';

export type Work =
  | { readonly state: 'tracing'; readonly progress: Progress }
  | { readonly state: 'failed'; readonly problem: Problem; readonly key: string };

/** What can be undone. */
interface Snapshot {
  readonly settings: ChosenSettings;
  readonly edits: Readonly<Record<string, ColorEdits>>;
}

export interface StudioState extends Snapshot {
  readonly isReady: boolean;
  readonly capabilities: Capabilities | null;
  readonly pictures: readonly Picture[];
  readonly currentId: string | null;
  /** By picture: the last trace, which stays on show until there is a newer one, and the settings it was made with. */
  readonly traces: Readonly<Record<string, { readonly trace: Trace; readonly key: string }>>;
  readonly work: Readonly<Record<string, Work>>;
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  /** Of opening pictures and of asking the service about itself. */
  readonly problem: Problem | null;
}

const MAX_HISTORY = 100;
/** Undone and redone settings show their trace at once, so many of them. */
const MAX_KEPT_TRACES = 24;
/** Somebody who drags a slider is waited for. */
const SETTLE_MS = 180;
const SAVE_AFTER_MS = 300;

export const studio = createStore<StudioState>({
  isReady: false,
  capabilities: null,
  pictures: [],
  currentId: null,
  settings: {},
  edits: {},
  traces: {},
  work: {},
  past: [],
  future: [],
  problem: null,
});

/** Equal for settings that ask for the same. */
export const keyOf = (settings: ChosenSettings): string =>
  JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));

export const currentPicture = ({ pictures, currentId }: StudioState): Picture | undefined =>
  pictures.find(({ id }) => id === currentId);
export const currentTrace = ({ traces, currentId }: StudioState): Trace | undefined =>
  currentId === null ? undefined : traces[currentId]?.trace;
export const currentWork = ({ work, currentId }: StudioState): Work | undefined =>
  currentId === null ? undefined : work[currentId];
const NO_EDITS: ColorEdits = {};
export const currentEdits = ({ edits, currentId }: StudioState): ColorEdits =>
  currentId === null ? NO_EDITS : (edits[currentId] ?? NO_EDITS);

const edited = new WeakMap<Trace, { readonly edits: ColorEdits; readonly svg: string }>();

/** The drawing of a picture after the edits of its colors; undefined before there is one. */
export function drawingOf({ traces, edits }: StudioState, id: string): string | undefined {
  const trace = traces[id]?.trace;
  if (trace === undefined) return undefined;
  const own = edits[id] ?? NO_EDITS;
  const kept = edited.get(trace);
  if (kept?.edits === own) return kept.svg;
  const svg = applyEdits(trace.svg, own);
  edited.set(trace, { edits: own, svg });
  return svg;
}

/** Whether the drawing is what the service answered, to the byte. */
export const isUnedited = (state: StudioState, id: string): boolean =>
  drawingOf(state, id) === state.traces[id]?.trace.svg;

const kept = new Map<string, Trace>();
const keptKey = (id: string, key: string) => `${id} ${key}`;

function keep(id: string, key: string, trace: Trace): void {
  const name = keptKey(id, key);
  kept.delete(name);
  kept.set(name, trace);
  const oldest = kept.keys().next().value;
  if (kept.size > MAX_KEPT_TRACES && oldest !== undefined) kept.delete(oldest);
}

const setWork = (id: string, work: Work | undefined) =>
  studio.set((state) => {
    const { [id]: _, ...others } = state.work;
    return { work: work === undefined ? others : { ...others, [id]: work } };
  });

let running: { readonly id: string; readonly key: string; readonly aborting: AbortController } | undefined;
let settling: number | undefined;
let waiting: number | undefined;

/** The next picture whose trace is not that of the settings, the one on the stage first. */
function nextPicture(state: StudioState, key: string): Picture | undefined {
  const isDue = ({ id }: Picture) => {
    const work = state.work[id];
    return state.traces[id]?.key !== key && !(work?.state === 'failed' && work.key === key);
  };
  const current = currentPicture(state);
  return current !== undefined && isDue(current) ? current : state.pictures.find(isDue);
}

/** What failed with settings that nobody asks for any more is no failure any more. */
const forgetFailures = (key: string) =>
  studio.set(({ work }) => ({
    work: Object.fromEntries(Object.entries(work).filter(([, one]) => one.state !== 'failed' || one.key === key)),
  }));

/** Who is told to come back later does, without being asked. */
function tryAgainLater({ retry_after_seconds: seconds }: Problem): void {
  clearTimeout(waiting);
  if (seconds !== undefined) waiting = window.setTimeout(retry, seconds * 1000);
}

async function run(): Promise<void> {
  const key = keyOf(studio.get().settings);
  forgetFailures(key);
  const state = studio.get();
  if (running !== undefined) {
    const { id } = running;
    if (running.key === key && state.pictures.some((picture) => picture.id === id)) return;
    running.aborting.abort();
    running = undefined;
    setWork(id, undefined);
  }
  const picture = nextPicture(state, key);
  if (picture === undefined) return;
  const { id, blob, name } = picture;
  const known = kept.get(keptKey(id, key));
  if (known !== undefined) {
    studio.set((now) => ({ traces: { ...now.traces, [id]: { trace: known, key } } }));
    setWork(id, undefined);
    return run();
  }
  const own = { id, key, aborting: new AbortController() };
  running = own;
  const onProgress = (progress: Progress) => {
    if (running === own) setWork(id, { state: 'tracing', progress });
  };
  onProgress({ stage: 'upload', fraction: 0 });
  try {
    const trace = await tracePicture(blob, name, state.settings, onProgress, own.aborting.signal);
    keep(id, key, trace);
    if (running !== own) return;
    studio.set((now) => ({ traces: { ...now.traces, [id]: { trace, key } } }));
    setWork(id, undefined);
  } catch (error) {
    if (running !== own || isAbort(error)) return;
    const problem = problemOf(error);
    setWork(id, { state: 'failed', problem, key });
    tryAgainLater(problem);
  }
  running = undefined;
  return run();
}

/** Traces what is not traced with these settings; what is worked on and not wanted any more is stopped. */
function retrace(afterMs = 0): void {
  clearTimeout(settling);
  settling = window.setTimeout(() => void run(), afterMs);
}

/** Tries again what failed. */
export function retry(): void {
  studio.set(({ work }) => ({
    work: Object.fromEntries(Object.entries(work).filter(([, { state }]) => state !== 'failed')),
  }));
  retrace();
}

const snapshotOf = ({ settings, edits }: StudioState): Snapshot => ({ settings, edits });

/** Changes what can be undone. */
function change(part: Partial<Snapshot>): void {
  studio.set((state) => ({
    ...part,
    past: [...state.past, snapshotOf(state)].slice(-MAX_HISTORY),
    future: [],
  }));
}

/** Sets one parameter; undefined leaves it to the preset and the picture. */
export function setSetting(name: string, value: string | undefined): void {
  const { [name]: before, ...others } = studio.get().settings;
  if (before === value) return;
  change({ settings: value === undefined ? others : { ...others, [name]: value } });
  retrace(SETTLE_MS);
}

export function resetSettings(): void {
  if (Object.keys(studio.get().settings).length === 0) return;
  change({ settings: {} });
  retrace();
}

/** Sets what became of the colors of the picture on the stage. */
export function setEdits(own: ColorEdits): void {
  const { currentId, edits } = studio.get();
  if (currentId !== null) change({ edits: { ...edits, [currentId]: own } });
}

function travel(from: 'past' | 'future', to: 'past' | 'future'): void {
  const state = studio.get();
  const steps = state[from];
  const step = steps.at(-1);
  if (step === undefined) return;
  studio.set({ ...step, [from]: steps.slice(0, -1), [to]: [...state[to], snapshotOf(state)] });
  retrace();
}
export const undo = (): void => travel('past', 'future');
export const redo = (): void => travel('future', 'past');

/** Opens pictures beside those that are open; the first of them goes on the stage. */
export async function addFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const room = MAX_PICTURES - studio.get().pictures.length;
  const opened = await Promise.allSettled(files.slice(0, room).map(openPicture));
  const pictures = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = opened.find((one) => one.status === 'rejected');
  const problem: Problem | null =
    files.length > room
      ? {
          status: 0,
          code: 'TOO_MANY_FILES',
          error: `Up to ${MAX_PICTURES} pictures can be open at once; remove some to open others.`,
        }
      : refused !== undefined
        ? problemOf(refused.reason)
        : null;
  studio.set((state) => ({
    pictures: [...state.pictures, ...pictures],
    currentId: pictures[0]?.id ?? state.currentId,
    problem,
  }));
  retrace();
}

/** The bundled picture. */
export async function openSample(url: string): Promise<void> {
  const answer = await fetch(url);
  await addFiles([new File([await answer.blob()], 'lighthouse.png', { type: 'image/png' })]);
}

export function showPicture(id: string): void {
  studio.set({ currentId: id });
  retrace();
}

export function removePicture(id: string): void {
  studio.set((state) => {
    const at = state.pictures.findIndex((picture) => picture.id === id);
    const pictures = state.pictures.filter((picture) => picture.id !== id);
    const { [id]: _trace, ...traces } = state.traces;
    const { [id]: _work, ...work } = state.work;
    const currentId = state.currentId === id ? ((pictures[at] ?? pictures[at - 1])?.id ?? null) : state.currentId;
    return { pictures, traces, work, currentId, problem: null };
  });
  retrace();
}

export const dismissProblem = (): void => studio.set({ problem: null });
export const tell = (problem: Problem): void => studio.set({ problem });

async function restore(): Promise<void> {
  const address = readAddress();
  const session = await loadSession();
  const settings = address ?? session?.settings ?? {};
  if (session === undefined) {
    studio.set({ settings, isReady: true });
    return;
  }
  const pictures = await Promise.all(
    session.pictures.map(async (picture) => ({ ...picture, bitmap: await decode(picture.blob) })),
  );
  for (const [id, { trace, key }] of Object.entries(session.traces)) keep(id, key, trace);
  const { currentId, edits, traces } = session;
  // Somebody may have opened a picture meanwhile.
  studio.set((state) => ({
    pictures: [...pictures, ...state.pictures].slice(0, MAX_PICTURES),
    currentId: state.currentId ?? currentId,
    settings,
    edits,
    traces: { ...traces, ...state.traces },
    isReady: true,
  }));
}

function keepSession(): void {
  let saving: number | undefined;
  let saved: readonly unknown[] = [];
  studio.watch(() => {
    const state = studio.get();
    const { isReady, pictures, currentId, settings, edits, traces } = state;
    const parts = [pictures, currentId, settings, edits, traces];
    if (!isReady || parts.every((part, i) => part === saved[i])) return;
    saved = parts;
    writeAddress(settings);
    clearTimeout(saving);
    // Whoever is about to leave can see whether all is kept: the element says so.
    const { dataset } = document.documentElement;
    dataset.kept = 'no';
    const session = {
      pictures: pictures.map(({ id, name, blob }) => ({ id, name, blob })),
      currentId,
      settings,
      edits,
      traces,
    };
    const keep = async () => {
      await saveSession(session);
      if (saved === parts) dataset.kept = 'yes';
    };
    saving = window.setTimeout(() => void keep(), SAVE_AFTER_MS);
  });
}

/** Brings back the last session and asks the service what it can. */
export async function startStudio(): Promise<void> {
  keepSession();
  await restore();
  retrace();
  try {
    studio.set({ capabilities: await fetchCapabilities() });
  } catch (error) {
    if (error instanceof ProblemError) tell(error.problem);
    else throw error;
  }
}
