import { randomBytes } from 'node:crypto';
import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ServiceError } from '#domain/errors.js';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ELOOP: 'its symbolic links form a loop',
};

function problemOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && PROBLEMS[code]) || code || String(error);
}

/** A file's bytes. Rejects with INPUT_UNREADABLE. */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ServiceError('INPUT_UNREADABLE', { name: path, problem: problemOf(error) }, { cause: error });
  }
}

/** Everything a stream has to give. */
export async function readStream(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Resolves when the stream has taken it all. */
export const writeStream = (stream: Writable, text: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(new ServiceError('OUTPUT_UNWRITABLE', { name: 'standard output', problem: problemOf(error) }));
      else resolve();
    });
  });

const unwritable = (name: string, error: unknown) =>
  new ServiceError('OUTPUT_UNWRITABLE', { name, problem: problemOf(error) }, { cause: error });

/** Where a path really leads, and what is there; the path itself where nothing is yet. */
function targetOf(path: string) {
  const found = statSync(path, { throwIfNoEntry: false });
  return { found, real: found === undefined ? path : realpathSync(path) };
}

/** Throws OUTPUT_UNWRITABLE where `writeWhole` would; called before any work is done for the file. */
export function assertWritable(path: string): void {
  try {
    const { found, real } = targetOf(path);
    if (found?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    accessSync(found === undefined || found.isFile() ? dirname(real) : real, constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Writes the file wholly or not at all: into a new file beside it, which then takes its place. What is not a plain file
 * (a device, a pipe) is written to directly. An interrupt waits for these few milliseconds and then ends as CANCELLED.
 */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  let interrupted = false;
  const hold = () => {
    interrupted = true;
  };
  process.on('SIGINT', hold).on('SIGTERM', hold);
  try {
    const { found, real } = targetOf(path);
    if (found !== undefined && !found.isFile()) {
      writeFileSync(real, bytes);
    } else {
      const temporary = join(dirname(real), `.${basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
      try {
        writeFileSync(temporary, bytes, { flag: 'wx', mode: found?.mode ?? 0o666 });
        renameSync(temporary, real);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    }
    // Signals are delivered between turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    process.off('SIGINT', hold).off('SIGTERM', hold);
  }
  if (interrupted) throw new ServiceError('CANCELLED');
}
