import type { SettingValues } from '#domain/presets/resolve-settings.js';
import type { Availability } from './exporter.js';
import type { Raster } from './tracer.js';

/** How much is worked out, by the setting of that name. */
export type RecoveryDetail = SettingValues['recovery_detail'];

export interface RestoreRequest {
  readonly raster: Raster;
  readonly detail: RecoveryDetail;
  /** Given up past this many milliseconds, waiting for others included. */
  readonly timeoutMs: number;
  /** Called as the work goes on, 0..1, and often enough to be stopped by: what it throws ends the work and is thrown on. */
  readonly onProgress?: (fraction: number) => void;
}

/** Why a picture was not restored. None of these is an error: there is always the picture as it came. */
export const RESTORE_PROBLEMS = [
  'no-runtime',
  'no-model',
  'corrupt-model',
  'wrong-shape',
  'too-large',
  'timed-out',
  'failed',
] as const;
export type RestoreProblem = (typeof RESTORE_PROBLEMS)[number];

export type RestoreOutcome =
  /** Twice as wide and high as the picture, transparent where that is. */
  | { readonly ok: true; readonly raster: Raster }
  /** `reason` is for people, and names nothing private. */
  | { readonly ok: false; readonly problem: RestoreProblem; readonly reason: string };

/** Brings a small or damaged picture to twice its size, with the edges that it had before it was damaged. */
export interface EdgeRecovery {
  /** Whether it can restore here and now; where not, why. */
  availability(): Promise<Availability>;
  /**
   * The same picture is answered in the same way, to the byte. Rejects with a ServiceError CANCELLED when the signal aborts,
   * and with what `onProgress` throws.
   */
  restore(request: RestoreRequest, signal?: AbortSignal): Promise<RestoreOutcome>;
}
