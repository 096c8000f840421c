import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { openFolders } from '#adapters/mcp/opened-folders.js';
import { serveStdio } from '#adapters/mcp/stdio.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { openEngineBackend, openServiceBackend } from './mcp-backends.js';
import { PACKAGE_VERSION } from './package-version.js';

export interface RunMcpInput {
  /** Folders below which files may be read and written. */
  readonly allow: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * The Model Context Protocol on standard input and output, until the client goes: with the service of `BURIN_URL` and the key of
 * `BURIN_API_KEY`, or with the engine in this process where no address is set.
 */
export async function runMcp({ allow, env, stdin, stdout, stderr }: RunMcpInput): Promise<void> {
  const folders = await openFolders(allow);
  const { BURIN_URL: url = '', BURIN_API_KEY: key } = env;
  const opened = url === '' ? openEngineBackend(availableParallelism()) : await openServiceBackend(url, key);
  const onFault = (error: unknown) =>
    void stderr.write(`burin: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const { backend, exportFormats } = opened;
  const deps = {
    backend,
    folders,
    exportFormats,
    maxFileBytes: LIMITS.maxUploadBytes,
    version: PACKAGE_VERSION,
    onFault,
  };
  try {
    await serveStdio(deps, stdin, stdout);
  } finally {
    await opened.close();
  }
}
