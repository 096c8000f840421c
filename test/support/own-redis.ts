import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Why no Redis can be started here; undefined where one can. */
export const missingForRedis: string | undefined = (() => {
  if (process.env.BURIN_TEST_REDIS_URL === undefined) return 'BURIN_TEST_REDIS_URL is not set';
  try {
    execFileSync('redis-server', ['--version']);
    return undefined;
  } catch {
    return 'redis-server is not installed';
  }
})();

/** A Redis of the test's own, which it may stop: nobody else's is hurt. */
export interface OwnRedis {
  readonly url: string;
  /** Ends it as a crash would; what it held is gone. */
  stop(): Promise<void>;
  /** Starts it again at the same address, empty. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

export async function startRedis(): Promise<OwnRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'burin-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const started = spawn('redis-server', [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      folder,
    ]);
    child = started;
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: started.stdout }).on('line', (line) => {
        if (line.includes('Ready to accept connections')) resolve();
      });
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    });
  };
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
