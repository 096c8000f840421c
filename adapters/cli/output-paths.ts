import { mkdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { invalid, ServiceError } from '#domain/errors.js';

/** Standard input or output. */
export const PIPE = '-';

/** One picture and where its drawing goes: a path, `-`, or nowhere (`undefined`: only the answer is wanted). */
export interface TraceJob {
  readonly input: string;
  readonly output: string | undefined;
}

/** False too where the path cannot be looked at: writing there says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const withoutExtension = (path: string) => basename(path, extname(path));

/** Makes the folder where it is missing. Throws OUTPUT_UNWRITABLE. */
function ensureFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const problem = 'the folder cannot be made';
    throw new ServiceError('OUTPUT_UNWRITABLE', { name: path, problem }, { cause: error });
  }
}

/**
 * Where each drawing goes. One picture: `-o` is the file, or a folder that exists or ends in a slash. Several: `-o` is a
 * folder, made where it is missing. Without `-o`: beside the picture; what comes from a pipe goes to one; with `--json`, nowhere.
 * Throws INVALID_REQUEST where two drawings would take one place or a drawing its picture's, OUTPUT_UNWRITABLE for the folder.
 */
export function planJobs(inputs: readonly string[], output: string | undefined, json: boolean): readonly TraceJob[] {
  if (inputs.filter((input) => input === PIPE).length > 1)
    throw invalid('IN', '- is given more than once; standard input holds one picture');
  if (output === PIPE && json) throw invalid('-o', '- and --json both want standard output; give one of them');
  if (output === PIPE && inputs.length > 1) throw invalid('-o', '- takes one picture; give a folder for several');
  if (output === '') throw invalid('-o', 'is empty; give a file or a folder');

  const intoFolder =
    output !== undefined && output !== PIPE && (inputs.length > 1 || /[/\\]$/.test(output) || isFolder(output));
  if (intoFolder) ensureFolder(output);
  const place = (input: string): string | undefined => {
    if (intoFolder) return join(output, `${input === PIPE ? 'stdin' : withoutExtension(input)}.svg`);
    if (output !== undefined) return output;
    if (json) return undefined;
    return input === PIPE ? PIPE : join(dirname(input), `${withoutExtension(input)}.svg`);
  };

  const taken = new Map<string, string>();
  return inputs.map((input) => {
    const path = place(input);
    if (path !== undefined && path !== PIPE) {
      const full = resolve(path);
      const other = taken.get(full);
      if (other !== undefined) throw invalid('IN', `${other} and ${input} would both be written to ${path}`);
      if (input !== PIPE && resolve(input) === full)
        throw invalid('-o', `${path} is the picture itself; choose another name`);
      taken.set(full, input);
    }
    return { input, output: path };
  });
}
