import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { startProcess } from './service-process.js';

type ServiceProcess = ReturnType<typeof startProcess>;

export interface FleetOptions {
  readonly apis: number;
  readonly workers: number;
  readonly redisUrl: string;
  /** SQLite in the fleet's folder when left out. */
  readonly databaseUrl?: string;
  /** A folder that all share when left out. */
  readonly storageUrl?: string;
  /** Of every process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of worker processes. */
  readonly workerEnv?: Readonly<Record<string, string>>;
}

/** One service of many real processes. */
export interface Fleet {
  readonly folder: string;
  readonly databaseUrl: string;
  /** In the order in which they were started. */
  readonly apis: ServiceProcess[];
  readonly workers: ServiceProcess[];
  readonly urls: string[];
  /** The owner's key, of the first start. */
  readonly key: string;
  startApi(): Promise<string>;
  startWorker(): Promise<string>;
  /** What is held in Redis: leases of every kind and jobs that have not ended. Everything is empty when nobody waits for anything. */
  leftovers(): Promise<readonly string[]>;
  /** Ends every process at once and removes what they kept. */
  remove(): Promise<void>;
}

/** Starts a fleet and resolves when every process answers. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'burin-fleet-'));
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, 'burin.sqlite')}`;
  const env = {
    BURIN_PORT: '0',
    BURIN_DATA_DIR: folder,
    BURIN_DATABASE_URL: databaseUrl,
    BURIN_STORAGE_URL: options.storageUrl ?? pathToFileURL(join(folder, 'files')).href,
    BURIN_REDIS_URL: options.redisUrl,
    BURIN_WORKERS: '1',
    ...options.env,
  };
  const apis: ServiceProcess[] = [];
  const workers: ServiceProcess[] = [];
  const urls: string[] = [];
  const startApi = async () => {
    const one = startProcess({ ...env, BURIN_ROLE: 'api' });
    apis.push(one);
    const url = await one.ready;
    urls.push(url);
    return url;
  };
  const startWorker = () => {
    const one = startProcess({ ...env, BURIN_ROLE: 'worker', ...options.workerEnv });
    workers.push(one);
    return one.ready;
  };
  const remove = async () => {
    const all = [...apis, ...workers];
    for (const { child } of all) child.kill('SIGKILL');
    await Promise.all(all.map(({ exited }) => exited));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const starting = Array.from({ length: options.workers }, startWorker);
    // The first makes the database and its owner, and says the key.
    for (let i = 0; i < options.apis; i++) await startApi();
    await Promise.all(starting);
  } catch (error) {
    await remove();
    throw error;
  }
  const key = /brn_live_\S+/.exec((apis[0] as ServiceProcess).printed.join('\n'))?.[0] ?? '';
  return {
    folder,
    databaseUrl,
    apis,
    workers,
    urls,
    key,
    startApi,
    startWorker,
    remove,
    async leftovers() {
      const redis = new Redis(options.redisUrl);
      redis.on('error', () => {});
      try {
        const [seconds, micros] = await redis.time();
        const nowMs = Number(seconds) * 1000 + Number(micros) / 1000;
        const held: string[] = [];
        for (const name of await redis.keys('burin:*')) {
          if (/^burin:(waiting|running|caller):/.test(name))
            for (const id of await redis.zrangebyscore(name, nowMs, '+inf')) held.push(`${name} ${id}`);
          if (/^burin:conversion:/.test(name)) held.push(name);
          const [, list] = /^burin:conversions-\w+:(wait|active|prioritized|delayed|failed)$/.exec(name) ?? [];
          if (list === 'wait' || list === 'active') held.push(...(await redis.lrange(name, 0, -1)));
          else if (list !== undefined) held.push(...(await redis.zrangebyscore(name, '-inf', '+inf')));
        }
        return held;
      } finally {
        redis.disconnect();
      }
    },
  };
}
