/** Small helps of the benches: what they compute and how they tell it. */

/** The value below which the share `q` (0 to 1) of them lies; NaN of none. */
export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of the slopes between all pairs (Theil and Sen): a few wild values do not turn it. NaN of fewer than two. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], i) =>
    points.slice(i + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
  );
  return median(slopes);
}

export const say = (what: string, figures: string): void => {
  process.stdout.write(`${what.padEnd(44)} ${figures}\n`);
};

export interface Verdict {
  readonly what: string;
  readonly asked: string;
  readonly measured: string;
  readonly holds: boolean;
}

/** Prints the verdicts as a table and ends the process: with 1 where one does not hold. */
export function tellVerdicts(verdicts: readonly Verdict[]): never {
  process.stdout.write(`\n${'what'.padEnd(50)} ${'asked'.padEnd(16)} ${'measured'.padEnd(26)} verdict\n`);
  for (const { what, asked, measured, holds } of verdicts)
    process.stdout.write(
      `${what.padEnd(50)} ${asked.padEnd(16)} ${measured.padEnd(26)} ${holds ? 'holds' : 'FAILS'}\n`,
    );
  process.exit(verdicts.every(({ holds }) => holds) ? 0 : 1);
}

/** The number after `--name`, or `standard`. Throws where there is none after it. */
export function numberOption(name: string, standard: number): number {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return standard;
  const value = Number(process.argv[at + 1]);
  if (!(value > 0)) throw new Error(`--${name} wants a number above 0`);
  return value;
}
