import { toError, toFailureData } from './failure-data.js';
import type { AccountFiles } from './ports/account-files.js';
import type { ArtifactReceipt, ArtifactRoom, ArtifactStore } from './ports/artifact-store.js';
import type { Clock } from './ports/clock.js';
import type { Charge } from './ports/credit-ledger.js';
import type { IdSource } from './ports/id-source.js';
import type { JobBoard, JobNote } from './ports/job-board.js';
import type { TraceStage } from './ports/tracer.js';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Work that goes on after the request that asked for it was answered. */
export interface Job {
  readonly id: string;
  readonly state: JobState;
  /** Its place among the jobs that have not begun, from 1; null for the others. */
  readonly position: number | null;
  readonly stage: TraceStage | null;
  /** 0..1 of the whole. */
  readonly fraction: number;
  readonly createdAtMs: number;
  /** Of a job that succeeded: what it cost, and what is left. */
  readonly charge: Charge | null;
  /** Of a job that failed. */
  readonly error: unknown;
}

/** What a job does: keeps its result, the answer's body, JSON in UTF-8, before that is paid; and says what it cost. */
export type JobWork = (
  signal: AbortSignal,
  onProgress: (stage: TraceStage, fraction: number) => void,
  keep: (body: Uint8Array) => Promise<void>,
) => Promise<Charge>;

export interface TrackJobsDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Keeps results. */
  readonly artifacts: ArtifactStore;
  /** Knows whose results are whose. */
  readonly files: AccountFiles;
  /** Of results, and of what is known of a job, from its end on. */
  readonly lifetimeMs: number;
  /** Where other processes of the service tell of their jobs; there are none when left out. */
  readonly board?: JobBoard | undefined;
}

export interface JobOwner {
  readonly id: string;
  /** Whose file the result is; undefined where the owner has no account. */
  readonly accountId: string | undefined;
}

/** Jobs of this process, and those that others tell of. A job belongs to who began it: for others it is not there, and the answer is undefined. */
export interface TrackJobs {
  /** `resultBytes` are set aside for its result; what cannot be kept is not begun, and fails with STORAGE_FULL. */
  start(owner: JobOwner, resultBytes: number, work: JobWork): Promise<Job>;
  find(owner: string, id: string): Promise<Job | undefined>;
  /** The body of a job that succeeded; undefined where it has none, or no more. */
  result(owner: string, id: string): Promise<Uint8Array | undefined>;
  /** Stops a job that goes on, and resolves when it has ended; it may have succeeded just then. One that had ended stays as it is. */
  cancel(owner: string, id: string): Promise<Job | undefined>;
  /** Calls back with every change until the job has ended, or until the answer is called. */
  watch(id: string, onChange: (job: Job) => void): () => void;
  /** Resolves when no job goes on. */
  idle(): Promise<void>;
}

interface Entry {
  readonly owner: string;
  readonly aborting: AbortController;
  readonly watchers: Set<(job: Job) => void>;
  readonly done: Promise<void>;
  job: Omit<Job, 'position'>;
  /** What was said of it to others has been said. */
  told: Promise<void>;
  endedAtMs: number | undefined;
  basename: string | undefined;
}

const RESULT_NAME = 'result.json';
/** What a process says of a job that goes on is believed for so long: one that is killed takes its jobs with it. */
const BELIEVED_FOR_MS = 10_000;
const SAY_AGAIN_MS = 3000;
/** Another process has so long to stop a job. */
const STOPPED_WITHIN_MS = 10_000;

const hasEnded = ({ state }: Pick<JobNote, 'state'>) => state !== 'queued' && state !== 'running';

const fromNote = ({ owner: _, failure, basename: __, ...job }: JobNote): Job => ({
  ...job,
  error: failure === null ? undefined : toError(failure),
});

export function createTrackJobs({ clock, ids, artifacts, files, lifetimeMs, board }: TrackJobsDeps): TrackJobs {
  /** In the order in which they came. */
  const entries = new Map<string, Entry>();

  const toJob = ({ job }: Entry): Job => {
    if (job.state !== 'queued') return { ...job, position: null };
    const waiting = [...entries.values()].filter((other) => other.job.state === 'queued');
    return { ...job, position: waiting.findIndex((other) => other.job.id === job.id) + 1 };
  };
  const forgetOld = () => {
    const now = clock.wallMs();
    for (const [id, { endedAtMs }] of entries)
      if (endedAtMs !== undefined && now - endedAtMs >= lifetimeMs) entries.delete(id);
  };
  /** Tells the other processes. */
  const post = async (entry: Entry): Promise<void> => {
    const { error, ...job } = toJob(entry);
    const failure = job.state === 'failed' ? toFailureData(error) : null;
    const note: JobNote = { ...job, owner: entry.owner, failure, basename: entry.basename ?? null };
    await board?.put(note, hasEnded(job) ? lifetimeMs : BELIEVED_FOR_MS);
  };
  /** Told in order; what cannot be told now is told again. */
  const tell = (entry: Entry) => {
    entry.told = entry.told.then(() => post(entry)).catch(() => {});
  };
  const noteOf = async (owner: string, id: string): Promise<JobNote | undefined> => {
    const note = await board?.get(id);
    return note?.owner === owner ? note : undefined;
  };
  board?.onCancel((id) => entries.get(id)?.aborting.abort(new Error('the job was cancelled')));

  const change = (entry: Entry, to: Partial<Entry['job']>) => {
    entry.job = { ...entry.job, ...to };
    for (const watcher of [...entry.watchers]) watcher(toJob(entry));
    if (board !== undefined) tell(entry);
  };
  const own = (owner: string, id: string) => {
    forgetOld();
    const entry = entries.get(id);
    return entry?.owner === owner ? entry : undefined;
  };

  /** Resolves when the process that has the job says that it has ended. */
  const stopElsewhere = (note: JobNote) =>
    new Promise<JobNote>((resolve, reject) => {
      let latest = note;
      const settle = () => {
        clearTimeout(timer);
        unwatch?.();
        resolve(latest);
      };
      const timer = setTimeout(settle, STOPPED_WITHIN_MS);
      const unwatch = board?.watch(note.id, (now) => {
        latest = now;
        if (hasEnded(now)) settle();
      });
      board?.cancel(note.id).catch((error: unknown) => {
        clearTimeout(timer);
        unwatch?.();
        reject(error);
      });
    });

  const runWork = async (entry: Entry, accountId: string | undefined, resultBytes: number, work: JobWork) => {
    const { signal } = entry.aborting;
    let room: ArtifactRoom | undefined;
    let kept: ArtifactReceipt | undefined;
    const saying = board === undefined ? undefined : setInterval(() => tell(entry), SAY_AGAIN_MS);
    try {
      room = await artifacts.reserve(resultBytes);
      const onProgress = (stage: TraceStage, fraction: number) => change(entry, { state: 'running', stage, fraction });
      const charge = await work(signal, onProgress, async (bytes) => {
        kept = await room?.put({ bytes, mediaType: 'application/json', fileName: RESULT_NAME, lifetimeMs });
        if (accountId !== undefined && kept !== undefined) await files.add(accountId, kept);
      });
      entry.basename = kept?.basename;
      change(entry, { state: 'succeeded', stage: null, fraction: 1, charge });
    } catch (error) {
      if (kept !== undefined) await artifacts.remove(kept.basename).catch(() => {});
      change(entry, signal.aborted ? { state: 'cancelled', stage: null } : { state: 'failed', stage: null, error });
    } finally {
      room?.release();
      clearInterval(saying);
      entry.endedAtMs = clock.wallMs();
      entry.watchers.clear();
    }
  };

  return {
    async start({ id: owner, accountId }, resultBytes, work) {
      forgetOld();
      const id = ids.next();
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const entry: Entry = {
        owner,
        aborting: new AbortController(),
        watchers: new Set(),
        job: {
          id,
          state: 'queued',
          stage: null,
          fraction: 0,
          createdAtMs: clock.wallMs(),
          charge: null,
          error: undefined,
        },
        endedAtMs: undefined,
        basename: undefined,
        told: Promise.resolve(),
        done: begun.then(() => runWork(entry, accountId, resultBytes, work)),
      };
      entries.set(id, entry);
      // Whoever asks next may ask another process.
      await post(entry).catch((error: unknown) => {
        entries.delete(id);
        throw error;
      });
      begin();
      return toJob(entry);
    },
    async find(owner, id) {
      const entry = own(owner, id);
      if (entry !== undefined) return toJob(entry);
      const note = await noteOf(owner, id);
      return note && fromNote(note);
    },
    async result(owner, id) {
      const basename = own(owner, id)?.basename ?? (await noteOf(owner, id))?.basename ?? undefined;
      const stored = basename === undefined ? undefined : await artifacts.get(basename, RESULT_NAME);
      if (stored === undefined) return undefined;
      const bytes = new Uint8Array(stored.sizeBytes);
      let at = 0;
      for await (const piece of stored.content) {
        bytes.set(piece, at);
        at += piece.length;
      }
      return bytes;
    },
    async cancel(owner, id) {
      const entry = own(owner, id);
      if (entry === undefined) {
        const note = await noteOf(owner, id);
        if (note === undefined || hasEnded(note)) return note && fromNote(note);
        return fromNote(await stopElsewhere(note));
      }
      entry.aborting.abort(new Error('the job was cancelled'));
      await entry.done;
      return toJob(entry);
    },
    watch(id, onChange) {
      const entry = entries.get(id);
      if (entry === undefined) return board?.watch(id, (note) => onChange(fromNote(note))) ?? (() => {});
      if (entry.endedAtMs === undefined) entry.watchers.add(onChange);
      return () => void entry.watchers.delete(onChange);
    },
    async idle() {
      await Promise.all([...entries.values()].map(({ done }) => done));
    },
  };
}
