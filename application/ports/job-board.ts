import type { FailureData } from '#application/failure-data.js';
import type { Charge } from './credit-ledger.js';
import type { TraceStage } from './tracer.js';

/** A job as one process tells the others of it. */
export interface JobNote {
  readonly id: string;
  readonly owner: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly position: number | null;
  readonly stage: TraceStage | null;
  readonly fraction: number;
  readonly createdAtMs: number;
  readonly charge: Charge | null;
  /** Of a job that failed. */
  readonly failure: FailureData | null;
  /** Under which its result is kept. */
  readonly basename: string | null;
}

/** Where the processes of a service tell each other of their jobs. All reject with UPSTREAM_UNAVAILABLE where it cannot be reached. */
export interface JobBoard {
  /** Says how a job stands, to whoever watches too. It is forgotten after so long, unless it is said again. */
  put(note: JobNote, lifetimeMs: number): Promise<void>;
  get(id: string): Promise<JobNote | undefined>;
  /** Calls back with how a job stands, and with every change, until the answer is called. */
  watch(id: string, onChange: (note: JobNote) => void): () => void;
  /** Asks whichever process has the job to stop it. */
  cancel(id: string): Promise<void>;
  /** Calls back when a job is to be stopped that may be this process's. */
  onCancel(callback: (id: string) => void): void;
}
