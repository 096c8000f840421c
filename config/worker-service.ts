import { createProbeServer } from '#adapters/http/probe-server.js';
import { createServiceContainer } from './container.js';
import type { Config } from './env.js';
import type { RunningService } from './service.js';
import { startSweeping } from './start-sweeping.js';
import {
  ARTIFACT_STORE,
  CONVERSION_WORKER,
  LIFECYCLE,
  LOGGER,
  METRICS,
  REDIS,
  REPORT_STATUS,
  TELEMETRY,
  WORKER_POOL,
} from './tokens.js';

/**
 * Starts a process that traces what others were asked for, and resolves when it takes conversions. It knows no accounts; what it
 * listens for are probes.
 */
export async function startWorkerService(config: Config): Promise<RunningService> {
  const container = createServiceContainer(config);
  const lifecycle = container.get(LIFECYCLE);
  const logger = container.get(LOGGER);
  const metrics = container.get(METRICS);
  const pool = container.get(WORKER_POOL);
  const warming = pool.warm();
  warming.catch(() => {});

  const ends: (() => Promise<unknown>)[] = [() => pool.close()];
  const end = async () => {
    for (const one of ends.reverse()) await one();
  };
  try {
    const redis = await container.getAsync(REDIS);
    ends.push(async () => redis?.close());
    const telemetry = await container.getAsync(TELEMETRY);
    ends.push(() => telemetry.close());
    const artifacts = await container.getAsync(ARTIFACT_STORE);
    const endSweeping = startSweeping(artifacts, config.storage.fileLifetimeMs, logger);
    ends.push(async () => endSweeping());
    const reportStatus = await container.getAsync(REPORT_STATUS);
    metrics.observe({ queueLoad: async () => ({}), pools: { tracing: () => pool.state() } });
    const probes = await createProbeServer({ ...config.http, metrics, reportStatus });
    ends.push(() => probes.close());
    await warming;
    const worker = await container.getAsync(CONVERSION_WORKER);
    lifecycle.state = 'running';
    const { url } = probes;
    logger.info({ url, workers: config.workers.count, tiers: config.fleet?.tiers }, 'ready');
    const stop = async () => {
      if (lifecycle.state === 'stopping') return;
      lifecycle.state = 'stopping';
      const { shutdownLimitMs } = config.http;
      logger.info({ shutdownLimitMs }, 'stopping');
      const giveUp = setTimeout(() => {
        logger.warn({}, 'conversions were still running at the shutdown limit; others begin them again');
        process.exit(1);
      }, shutdownLimitMs);
      await worker?.close();
      clearTimeout(giveUp);
      await end();
      logger.info({}, 'stopped');
    };
    return { url, stop };
  } catch (error) {
    await end();
    throw error;
  }
}
