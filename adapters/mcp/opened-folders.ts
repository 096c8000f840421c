import { randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { invalid, ServiceError } from '#domain/errors.js';

/** Files that the tools may read and write: those below the folders that were named at the start, wherever links lead. */
export interface OpenedFolders {
  /** Absolute, as named. */
  readonly folders: readonly string[];
  /** Rejects with FORBIDDEN outside the folders, INPUT_UNREADABLE, PAYLOAD_TOO_LARGE. */
  read(path: string, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly path: string }>;
  /**
   * Where a file may go, checked before any work: `beside` the source (with the extension), into a folder that is there or whose
   * name ends in a slash, or the path itself. Rejects with FORBIDDEN outside the folders.
   */
  place(saveTo: string, source: string | undefined, name: string, extension: string): Promise<string>;
  /** Writes wholly or not at all. Rejects with OUTPUT_UNWRITABLE. */
  write(path: string, bytes: Uint8Array | string): Promise<void>;
}

const problemOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no such file or folder' : code === 'EISDIR' ? 'it is a folder' : (code ?? String(error));
};

const contains = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
};

export const BESIDE = 'beside';

/** Opens the folders. Throws INVALID_REQUEST for one that is none. */
export async function openFolders(named: readonly string[]): Promise<OpenedFolders> {
  const folders = named.map((folder) => resolve(folder));
  const real: string[] = [];
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw invalid('--allow', `${folder} is no folder`);
    real.push(await realpath(folder));
  }

  const outside = (path: string) =>
    new ServiceError('FORBIDDEN', {
      problem:
        folders.length === 0
          ? `${path} cannot be used: no folder was opened; start burin mcp with --allow FOLDER, or send the picture as base64.`
          : `${path} is outside the folders that were opened: ${folders.join(', ')}.`,
    });
  const absolute = (path: string): string => {
    const full = isAbsolute(path) ? resolve(path) : resolve(folders[0] ?? '.', path);
    // Before anything is looked at: what lies outside is not even said to be there or not.
    if (!folders.some((folder) => contains(folder, full)) && !real.some((folder) => contains(folder, full)))
      throw outside(path);
    return full;
  };
  /** The nearest folder that is there, after links. */
  const realStanding = async (path: string): Promise<string> => {
    for (let at = path; ; at = dirname(at)) {
      const found = await realpath(at).catch(() => undefined);
      if (found !== undefined || dirname(at) === at) return found ?? at;
    }
  };
  const checked = async (path: string): Promise<string> => {
    const full = absolute(path);
    const standing = await realStanding(full);
    if (!real.some((folder) => contains(folder, standing))) throw outside(path);
    return full;
  };

  return {
    folders,
    async read(path, maxBytes) {
      const full = await checked(path);
      try {
        const { size } = await stat(full);
        if (size > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE', { limitBytes: maxBytes, what: path });
        return { bytes: await readFile(full), path: full };
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('INPUT_UNREADABLE', { name: path, problem: problemOf(error) }, { cause: error });
      }
    },
    async place(saveTo, source, name, extension) {
      if (saveTo === BESIDE) {
        if (source === undefined) throw invalid('save_to', `${BESIDE} needs a path to be beside of; give a path`);
        return checked(`${source.replace(/\.[^./\\]*$/, '')}.${extension}`);
      }
      const full = await checked(saveTo);
      const found = await stat(full).catch(() => undefined);
      const isFolder = found?.isDirectory() ?? /[/\\]$/.test(saveTo);
      const file = isFolder ? await checked(join(full, `${name}.${extension}`)) : full;
      if (file === source) throw invalid('save_to', 'is the source itself; choose another name');
      return file;
    },
    async write(path, bytes) {
      const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(temporary, bytes, { flag: 'wx' });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw new ServiceError('OUTPUT_UNWRITABLE', { name: path, problem: problemOf(error) }, { cause: error });
      }
    },
  };
}
