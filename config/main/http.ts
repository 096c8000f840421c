import { ConfigError, loadConfig } from '#config/env.js';
import { type RunningService, startService } from '#config/service.js';

const fail = (message: string): never => {
  process.stderr.write(`burin: ${message}\n`);
  process.exit(1);
};

function configOrExit() {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(`${error.message} .env.example lists every variable.`);
    throw error;
  }
}

const config = configOrExit();
const service: RunningService = await startService(config).catch((error: NodeJS.ErrnoException) => {
  const { host, port } = config.http;
  if (error.code === 'EADDRINUSE')
    return fail(`port ${port} of ${host} is taken; stop what listens there, or set BURIN_PORT to another.`);
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL')
    return fail(`cannot listen on port ${port} of ${host} (${error.code}); set BURIN_HOST and BURIN_PORT.`);
  throw error;
});

let signals = 0;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    // Who asks twice is in a hurry.
    if (++signals > 1) process.exit(1);
    void service.stop().then(() => process.exit(0));
  });
