import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ServiceError } from '#domain/errors.js';
import type { FoundPicture } from '../find-pictures.js';
import type { TraceJob } from '../output-paths.js';

/** How often the folders are looked through. */
const EVERY_MS = 300;

export interface WatchInput {
  /** What there is to trace now. */
  readonly find: () => readonly FoundPicture[];
  readonly plan: (pictures: readonly FoundPicture[]) => readonly TraceJob[];
  /** What was traced already. */
  readonly done: readonly TraceJob[];
  readonly say: (text: string) => void;
  readonly work: (jobs: readonly TraceJob[]) => Promise<void>;
  readonly stopped: () => boolean;
}

/** Size and time of a file, or undefined where it is gone. */
function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.size} ${found.mtimeMs}`;
}

/**
 * Traces every picture that comes or changes, until stopped. Files are looked at, not waited on: that works on every file system,
 * and a file is taken once two looks found it the same, so that none is read while it is being written.
 */
export async function watchPictures({ find, plan, done, say, work, stopped }: WatchInput): Promise<void> {
  const traced = new Map(done.map(({ input }) => [input, stampOf(input)]));
  /** Files of ours in the same folder are no pictures to trace. */
  const ours = new Set(done.flatMap(({ outputs }) => outputs.map(({ path }) => resolve(path))));
  let seen = new Map<string, string | undefined>();
  say(`watching; ${traced.size} pictures so far, Ctrl-C ends it`);
  const lookedAt = (): readonly FoundPicture[] => {
    try {
      return find().filter(({ path }) => !ours.has(resolve(path)));
    } catch (error) {
      // Nothing there at the moment.
      if (error instanceof ServiceError) return [];
      throw error;
    }
  };
  while (!stopped()) {
    await new Promise((wake) => setTimeout(wake, EVERY_MS));
    const now = new Map(lookedAt().map((picture) => [picture, stampOf(picture.path)] as const));
    const ready = [...now].filter(
      ([{ path }, stamp]) => stamp !== undefined && stamp !== traced.get(path) && stamp === seen.get(path),
    );
    seen = new Map([...now].map(([{ path }, stamp]) => [path, stamp]));
    if (ready.length === 0) continue;
    for (const [{ path }, stamp] of ready) traced.set(path, stamp);
    try {
      const jobs = plan(ready.map(([picture]) => picture));
      for (const { outputs } of jobs) for (const { path } of outputs) ours.add(resolve(path));
      await work(jobs);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      say(error.message);
    }
  }
}
