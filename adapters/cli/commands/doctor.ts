/** This file and what it needs load without any package: it is there to say that packages are missing. */

/** One thing that was looked at. */
export interface DoctorCheck {
  /** Stable, kebab-case. */
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failing';
  /** What was found, in a sentence. */
  readonly found: string;
  /** What to do about it; on everything that is not ok. */
  readonly fix?: string;
}

export interface DoctorReport {
  /** Nothing is failing. */
  readonly ok: boolean;
  readonly checks: readonly DoctorCheck[];
}

const MARKS = { ok: 'ok      ', warning: 'warning ', failing: 'FAILING ' } as const;

/** A line for each check, its fix beneath it, and the sum of all at the end. */
export function doctorText({ checks }: DoctorReport): string {
  const lines = checks.flatMap(({ name, state, found, fix }) => [
    `${MARKS[state]} ${name.padEnd(14)} ${found}`,
    ...(fix === undefined ? [] : [`${' '.repeat(24)}fix: ${fix}`]),
  ]);
  const count = (state: DoctorCheck['state']) => checks.filter((check) => check.state === state).length;
  const [failing, warnings] = [count('failing'), count('warning')];
  const sum =
    failing > 0
      ? `${failing} of ${checks.length} checks failing; Burin will not run as it should before they are fixed.`
      : warnings > 0
        ? `Burin runs here; ${warnings} of ${checks.length} checks could be better.`
        : `Everything is in order (${checks.length} checks).`;
  return [...lines, '', sum].join('\n');
}
