import { mkdirSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { invalid, ServiceError } from '#domain/errors.js';
import type { FoundPicture } from './find-pictures.js';

/** Standard input or output. */
export const PIPE = '-';

/** The id of a format and the ending of its files. */
export interface FileFormat {
  readonly id: string;
  readonly extension: string;
}

/** Where one file of a drawing goes: a path, or `-`. */
export interface TraceOutput {
  readonly path: string;
  readonly format: string;
}

/** One picture and the files that are made of it; none where only the answer is wanted. */
export interface TraceJob {
  readonly input: string;
  readonly outputs: readonly TraceOutput[];
}

export interface PlanInput {
  readonly pictures: readonly FoundPicture[];
  /** Every `-o`, in the order given. */
  readonly outputs: readonly string[];
  /** The formats to write; one for each `-o` where several were given. */
  readonly formats: readonly FileFormat[];
  readonly json: boolean;
  /** A folder was named, or a pattern: `-o` is a folder, however many pictures are there now. */
  readonly many: boolean;
}

/** False too where the path cannot be looked at: writing there says why. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether `-o` means a folder whatever stands there. */
export const namesFolder = (output: string): boolean => /[/\\]$/.test(output) || isFolder(output);

const withoutExtension = (path: string) => path.slice(0, path.length - extname(path).length);

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
 * Where each file goes. One picture: every `-o` is a file, or one is a folder that exists or ends in a slash. Several: `-o` is a
 * folder, made where it is missing, in which pictures keep their place below the folder they were found in. Without `-o`: beside
 * the picture; what comes from a pipe goes to one; with `--json`, nowhere.
 * Throws INVALID_REQUEST where two files would take one place or a file its picture's, OUTPUT_UNWRITABLE for the folder.
 */
export function planJobs({ pictures, outputs, formats, json, many }: PlanInput): readonly TraceJob[] {
  const several = many || pictures.length > 1;
  const piped = outputs.includes(PIPE);
  if (pictures.filter(({ path }) => path === PIPE).length > 1)
    throw invalid('IN', '- is given more than once; standard input holds one picture');
  if (piped && json) throw invalid('-o', '- and --json both want standard output; give one of them');
  if (piped && several) throw invalid('-o', '- takes one picture; give a folder for several');
  if (outputs.includes('')) throw invalid('-o', 'is empty; give a file or a folder');
  if (outputs.length > 1 && (several || outputs.some(namesFolder)))
    throw invalid('-o', 'is given more than once, which is for one picture and files; name the kinds with --format');
  const [output] = outputs;
  const intoFolder = output !== undefined && output !== PIPE && (several || namesFolder(output));
  if (!intoFolder && outputs.length === 1 && formats.length > 1)
    throw invalid('--format', 'names several formats and -o one file; give a folder, or one -o for each');
  const toPipe = output === PIPE || (output === undefined && !json && pictures[0]?.path === PIPE);
  if (toPipe && formats.length > 1) throw invalid('--format', 'names several formats; standard output takes one');

  const filesOf = ({ path, place }: FoundPicture): readonly TraceOutput[] => {
    const named = (base: string) =>
      formats.map(({ id, extension }) => ({ path: `${withoutExtension(base)}.${extension}`, format: id }));
    if (intoFolder) return named(join(output, path === PIPE ? 'stdin' : place));
    if (outputs.length > 0) return outputs.map((one, i) => ({ path: one, format: (formats[i] as FileFormat).id }));
    if (json) return [];
    return path === PIPE ? [{ path: PIPE, format: (formats[0] as FileFormat).id }] : named(path);
  };

  const taken = new Map<string, string>();
  const jobs = pictures.map((picture) => {
    const input = picture.path;
    const files = filesOf(picture);
    for (const { path } of files) {
      if (path === PIPE) continue;
      const full = resolve(path);
      const other = taken.get(full);
      if (other !== undefined) throw invalid('IN', `${other} and ${input} would both be written to ${path}`);
      if (input !== PIPE && resolve(input) === full)
        throw invalid('-o', `${path} is the picture itself; choose another name`);
      taken.set(full, input);
    }
    return { input, outputs: files };
  });
  if (intoFolder) {
    const folders = new Set([output, ...jobs.flatMap(({ outputs: files }) => files.map(({ path }) => dirname(path)))]);
    for (const folder of folders) ensureFolder(folder);
  }
  return jobs;
}
