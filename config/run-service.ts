import { ServiceError } from '#domain/errors.js';
import { ConfigError, loadConfig } from './env.js';
import { startService } from './service.js';
import { startWorkerService } from './worker-service.js';

const fail = (message: string): never => {
  process.stderr.write(`burin: ${message}\n`);
  process.exit(1);
};

function configOrExit(env: NodeJS.ProcessEnv) {
  try {
    return loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(`${error.message} .env.example lists every variable.`);
    throw error;
  }
}

/** Where what is needed at the start is named, by what a refusal calls it. */
const ADDRESSES: Readonly<Record<string, string>> = {
  Redis: 'BURIN_REDIS_URL',
  'The database': 'BURIN_DATABASE_URL',
  'The file storage': 'BURIN_STORAGE_URL',
};

function whatToCheck({ details, cause }: ServiceError): string {
  const { what = '' } = (details ?? {}) as { readonly what?: string };
  const { message = '', name = '' } = (cause ?? {}) as Partial<Error>;
  const why = (message === '' ? name : message).split('\n')[0];
  return `${what} cannot be reached${why ? ` (${why})` : ''}. Check ${ADDRESSES[what] ?? 'the environment'}.`;
}

/** Runs the service as a process of its own: until SIGTERM or SIGINT, which end the process. Resolves when it answers. */
export async function runService(env: NodeJS.ProcessEnv): Promise<void> {
  const config = configOrExit(env);
  const starting = config.fleet?.role === 'worker' ? startWorkerService(config) : startService(config);
  // Before it answers: who hears that it is ready may ask it to stop at once.
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      // Who asks twice is in a hurry.
      if (++signals > 1) process.exit(1);
      void starting.then((service) => service.stop()).then(() => process.exit(0));
    });
  await starting.catch((error: NodeJS.ErrnoException) => {
    const { host, port } = config.http;
    if (error.code === 'EADDRINUSE')
      return fail(`port ${port} of ${host} is taken; stop what listens there, or set BURIN_PORT to another.`);
    if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL')
      return fail(`cannot listen on port ${port} of ${host} (${error.code}); set BURIN_HOST and BURIN_PORT.`);
    if (error instanceof ServiceError && error.code === 'UPSTREAM_UNAVAILABLE') return fail(whatToCheck(error));
    throw error;
  });
}
