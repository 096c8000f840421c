import type { AddressInfo } from 'node:net';
import type { ConversionWorker } from '#adapters/queue/bullmq-conversion-worker.js';
import type { RedisLink } from '#adapters/redis/redis-link.js';
import { startReaper, welcomeOwner } from './account-upkeep.js';
import { createServiceContainer } from './container.js';
import type { Config } from './env.js';
import { startSweeping } from './start-sweeping.js';
import {
  ARTIFACT_STORE,
  CONVERSION_QUEUE,
  CONVERSION_WORKER,
  DATABASE,
  EXPORT_POOL,
  HTTP_SERVER,
  LIFECYCLE,
  LOGGER,
  REDIS,
  STORES,
  TELEMETRY,
  WORKER_POOL,
} from './tokens.js';

export interface RunningService {
  /** With the port that was found, where any was asked for. */
  readonly url: string;
  /** Refuses new work, lets what runs finish within the shutdown limit, and ends everything. */
  stop(): Promise<void>;
}

const urlOf = ({ address, family, port }: AddressInfo) =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

/** Where people on this machine reach what listens on every address. */
const publicUrlOf = (config: Config, url: string): string =>
  config.http.publicUrl?.href ?? url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//localhost');

/** Starts the service and resolves when it answers and every worker has loaded. Rejects where the address cannot be had. */
export async function startService(
  config: Config,
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<RunningService> {
  const container = createServiceContainer(config);
  const lifecycle = container.get(LIFECYCLE);
  const logger = container.get(LOGGER);
  // Workers load while the rest is put together.
  const pool = container.get(WORKER_POOL);
  const exportPool = container.get(EXPORT_POOL);
  const warming = pool.warm();
  warming.catch(() => {});

  const orEnd = async (error: unknown): Promise<never> => {
    await pool.close();
    await redis?.close();
    throw error;
  };
  let redis: RedisLink | undefined;
  redis = await container.getAsync(REDIS).catch(orEnd);
  const artifacts = await container.getAsync(ARTIFACT_STORE);
  const database = await container.getAsync(DATABASE).catch(orEnd);
  const queue = await container.getAsync(CONVERSION_QUEUE);
  const stores = await container.getAsync(STORES);
  const telemetry = await container.getAsync(TELEMETRY);
  const app = await container.getAsync(HTTP_SERVER);
  const reaper = await startReaper(stores, logger);
  const endSweeping = startSweeping(artifacts, config.storage.fileLifetimeMs, logger);

  const end = async () => {
    endSweeping();
    await app.close();
    await Promise.all([pool.close(), exportPool.close()]);
    await reaper.stop();
    await database.close();
    await redis?.close();
    await telemetry.close();
  };
  let worker: ConversionWorker | undefined;
  try {
    const { host, port } = config.http;
    await Promise.all([app.listen({ host, port, listenTextResolver: () => 'listening' }), warming]);
    worker = await container.getAsync(CONVERSION_WORKER);
  } catch (error) {
    await end();
    throw error;
  }
  lifecycle.state = 'running';
  const url = urlOf(app.server.address() as AddressInfo);
  await welcomeOwner(stores, publicUrlOf(config, url), print);
  logger.info({ url, workers: config.workers.count }, 'ready');

  const stop = async () => {
    if (lifecycle.state === 'stopping') return;
    lifecycle.state = 'stopping';
    const { shutdownLimitMs } = config.http;
    logger.info({ shutdownLimitMs }, 'stopping');
    const giveUp = setTimeout(() => {
      logger.warn({}, 'conversions were still running at the shutdown limit; they are cut off');
      worker?.abandon();
      void pool.close();
      void exportPool.close();
      app.server.closeAllConnections();
    }, shutdownLimitMs);
    await Promise.all([queue.close(), app.close(), worker?.close()]);
    clearTimeout(giveUp);
    await end();
    logger.info({}, 'stopped');
  };
  return { url, stop };
}
