import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseS3Address, S3_FORM, type S3Address } from '#adapters/storage/s3-address.js';
import { nearestName } from '#domain/nearest-name.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import {
  acceptedForm,
  BYTE_UNITS,
  DURATION_UNITS,
  type ModelChoice,
  tierVariable,
  VARIABLE_NAMES,
  type VARIABLES,
  type ValueOf,
  type VariableName,
  type VariableRow,
  variableRow,
} from './variables.js';

/** What one tier may use of the service. */
export interface TierLimits {
  readonly running: number;
  readonly waiting: number;
  readonly waitLimitMs: number;
  readonly runLimitMs: number;
}

export interface Config {
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Whether only this machine can reach the service. */
    readonly loopback: boolean;
    /** Whose X-Forwarded headers are believed: nobody's, everybody's, or those of these addresses and ranges. */
    readonly trustProxy: boolean | readonly string[];
    readonly publicUrl: URL | null;
    readonly corsOrigins: readonly string[];
    readonly anonymous: boolean;
    readonly requestsPerMinute: { readonly key: number; readonly anonymous: number };
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly keepAliveTimeoutMs: number;
    readonly shutdownLimitMs: number;
  };
  /** Absolute. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Where the database is a server. */
  readonly database: {
    readonly connections: number;
    readonly connectLimitMs: number;
    readonly statementLimitMs: number;
  };
  readonly storage: {
    readonly target:
      | { readonly kind: 'file'; readonly folder: string }
      | { readonly kind: 'memory' }
      | { readonly kind: 's3'; readonly address: S3Address };
    /** Whether who downloads is sent to the store, where it has addresses of its own. */
    readonly redirects: boolean;
    readonly s3: { readonly connectLimitMs: number; readonly requestLimitMs: number; readonly tries: number };
    readonly capBytes: number;
    readonly fileLifetimeMs: number;
  };
  readonly limits: { readonly maxUploadBytes: number; readonly maxSvgBytes: number; readonly maxPixels: number };
  /** Of a service that is many processes; undefined where it is this one alone. */
  readonly fleet:
    | { readonly redisUrl: string; readonly role: 'api' | 'worker' | 'all'; readonly tiers: readonly TierId[] }
    | undefined;
  readonly maxConcurrentPerKey: number;
  readonly restoreModel: ModelChoice;
  readonly workers: {
    readonly count: number;
    /** Of those, how many stay when there is nothing to do. */
    readonly idle: number;
    readonly heapBytes: number;
    readonly residentBytes: number;
    readonly tasks: number;
    /** For all that run at once. */
    readonly memoryBudgetBytes: number;
  };
  /** Exports have workers of their own. */
  readonly exports: TierLimits;
  readonly tiers: Readonly<Record<TierId, TierLimits>>;
  readonly logLevel: string;
  /** Where spans are sent, by the variables that every program with OpenTelemetry has; null where they are not. */
  readonly telemetry: { readonly endpoint: URL; readonly ratio: number; readonly serviceName: string } | null;
}

/** A variable that cannot be used. The message names it, what it takes and what was given. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Values = { readonly [Name in VariableName]: ValueOf<(typeof VARIABLES)[Name]> };

const withUnit = (text: string, units: Readonly<Record<string, number>>, bare: number | undefined) => {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  if (match === null) return Number.NaN;
  const [, digits, unit] = match as unknown as [string, string, string];
  const found = Object.entries(units).find(([name]) => name.toLowerCase() === unit.toLowerCase());
  return Number(digits) * (found?.[1] ?? (unit === '' ? (bare ?? Number.NaN) : Number.NaN));
};

const isAddressOrRange = (text: string): boolean => {
  const [address, bits, ...more] = text.split('/') as [string, ...string[]];
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

/** A path may hold a # of its own: only what looks like a pin is one. */
function parseModel(text: string): ModelChoice | undefined {
  if (text === '') return { kind: 'own' };
  if (text === 'off') return { kind: 'none' };
  const [, path, pin] = /^(.+?)(?:#sha256=(.*))?$/is.exec(text) as unknown as [string, string, string | undefined];
  if (pin === undefined) return { kind: 'file', path: resolve(path), sha256: null };
  return /^[\da-f]{64}$/i.test(pin) ? { kind: 'file', path: resolve(path), sha256: pin.toLowerCase() } : undefined;
}

/** The value of one variable, or undefined where the text is not in the accepted form. */
function parseValue(row: VariableRow, text: string): unknown {
  switch (row.type) {
    case 'text':
      return text === '' && row.default !== '' ? undefined : text;
    case 'enum':
      return row.values.find((value) => value === text);
    case 'integer': {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return value >= row.min && value <= row.max ? value : undefined;
    }
    case 'bytes': {
      const value = withUnit(text, BYTE_UNITS, 1);
      return Number.isSafeInteger(value) && value >= row.min ? value : undefined;
    }
    case 'duration': {
      const value = text === '0' ? 0 : withUnit(text, DURATION_UNITS, undefined);
      return value >= row.minMs && value <= row.maxMs ? value : undefined;
    }
    case 'url':
      if (text === '') return null;
      return URL.canParse(text) && row.schemes.includes(new URL(text).protocol) ? new URL(text) : undefined;
    case 'origins': {
      const origins = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
      return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
    }
    case 'names': {
      const names = text.split(',').map((part) => part.trim());
      return names.every((name) => row.values.includes(name))
        ? row.values.filter((name) => names.includes(name))
        : undefined;
    }
    case 'model':
      return parseModel(text);
    case 'proxies': {
      if (text === 'on' || text === 'off') return text === 'on';
      const proxies = text.split(',').map((part) => part.trim());
      return proxies.every(isAddressOrRange) ? proxies : undefined;
    }
  }
}

const defaultOf = (row: VariableRow, cores: number): unknown => {
  if (row.type === 'integer' && row.default === 'cores') return cores;
  if (row.type === 'url') return row.default === '' ? null : new URL(row.default);
  if (row.type === 'proxies') return false;
  if (row.type === 'model') return parseModel(row.default);
  return row.default;
};

/** Of programs that use a service; where one runs beside them, they are none of its business. */
export const CLIENT_VARIABLES: readonly string[] = ['BURIN_URL', 'BURIN_API_KEY'];

const refusedValue = (name: VariableName, text: string): ConfigError =>
  new ConfigError(`${name} takes ${acceptedForm(variableRow(name))}; it was given ${JSON.stringify(text)}.`);

function readValues(env: NodeJS.ProcessEnv, cores: number): Values {
  for (const name of Object.keys(env)) {
    // BURIN_TEST_… belong to the tests, which start the service in their own environment.
    if (!name.startsWith('BURIN_') || name.startsWith('BURIN_TEST_') || CLIENT_VARIABLES.includes(name)) continue;
    if (!(VARIABLE_NAMES as readonly string[]).includes(name))
      throw new ConfigError(`${name} is no variable of Burin; the nearest is ${nearestName(name, VARIABLE_NAMES)}.`);
  }
  const values = VARIABLE_NAMES.map((name) => {
    const row = variableRow(name);
    const text = env[name]?.trim();
    if (text === undefined) return [name, defaultOf(row, cores)];
    const value = parseValue(row, text);
    if (value === undefined) throw refusedValue(name, text);
    return [name, value];
  });
  return Object.fromEntries(values) as Values;
}

/** Whether nobody but this machine can reach what listens there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

function storageTarget(url: URL | null, dataDir: string): Config['storage']['target'] {
  if (url === null) return { kind: 'file', folder: join(dataDir, 'files') };
  if (url.protocol === 'memory:') return { kind: 'memory' };
  if (url.protocol === 's3:') {
    const address = parseS3Address(url);
    // What was given may hold a key.
    if (address === undefined)
      throw new ConfigError(`BURIN_STORAGE_URL takes ${S3_FORM}, and no keys; it was given another.`);
    return { kind: 's3', address };
  }
  try {
    return { kind: 'file', folder: fileURLToPath(url) };
  } catch {
    throw new ConfigError(
      `BURIN_STORAGE_URL takes memory:, file:///an/absolute/path or s3://bucket/prefix; it was given "${url.href}".`,
    );
  }
}

/** OTEL_EXPORTER_OTLP_ENDPOINT turns it on; of the other variables, the SDK reads those about the exporter itself. */
function telemetryOf(env: NodeJS.ProcessEnv): Config['telemetry'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: address = '', OTEL_TRACES_SAMPLER_ARG: share = '1' } = env;
  if (address === '' || env.OTEL_SDK_DISABLED === 'true') return null;
  if (!/^https?:/.test(address) || !URL.canParse(address))
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT takes an address starting with http: or https:; it was given ${JSON.stringify(address)}.`,
    );
  const ratio = Number(share);
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG takes a number from 0 to 1; it was given ${JSON.stringify(share)}.`);
  return { endpoint: new URL(address), ratio, serviceName: 'burin' };
}

function fleetOf(v: Values): Config['fleet'] {
  const { BURIN_REDIS_URL: url, BURIN_ROLE: role, BURIN_WORKER_TIERS: tiers } = v;
  if (url === null) {
    if (role === 'all') return undefined;
    throw new ConfigError(
      `BURIN_ROLE takes ${role} only where BURIN_REDIS_URL is set: it is how processes find each other.`,
    );
  }
  if (v.BURIN_STORAGE_URL?.protocol === 'memory:')
    throw new ConfigError(
      'BURIN_STORAGE_URL takes no memory: where BURIN_REDIS_URL is set; the processes share their files.',
    );
  return { redisUrl: url.href, role, tiers };
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value))
    if (typeof child === 'object' && child !== null && !(child instanceof URL)) deepFreeze(child);
  return Object.freeze(value);
}

/** Of the whole environment only the restoring model: what tracing reads where there is no service. */
export function loadRestoreModel(env: NodeJS.ProcessEnv): ModelChoice {
  const text = env.BURIN_RESTORE_MODEL?.trim() ?? '';
  const model = parseModel(text);
  if (model === undefined) throw refusedValue('BURIN_RESTORE_MODEL', text);
  return model;
}

/** Reads the environment once. Throws ConfigError for an unknown BURIN_ variable or a value that is not in its accepted form. */
export function loadConfig(env: NodeJS.ProcessEnv, cores: number = availableParallelism()): Config {
  const v = readValues(env, cores);
  if (v.BURIN_HEADERS_TIMEOUT > v.BURIN_REQUEST_TIMEOUT)
    throw new ConfigError('BURIN_HEADERS_TIMEOUT takes no longer than BURIN_REQUEST_TIMEOUT, of which it is a part.');
  const dataDir = resolve(v.BURIN_DATA_DIR);
  const loopback = isLoopback(v.BURIN_HOST);
  return deepFreeze({
    http: {
      host: v.BURIN_HOST,
      port: v.BURIN_PORT,
      loopback,
      trustProxy: v.BURIN_TRUST_PROXY,
      publicUrl: v.BURIN_PUBLIC_URL,
      corsOrigins: v.BURIN_CORS_ORIGINS,
      anonymous: v.BURIN_ANONYMOUS === 'auto' ? loopback : v.BURIN_ANONYMOUS === 'on',
      requestsPerMinute: { key: v.BURIN_RATE_PER_KEY, anonymous: v.BURIN_RATE_ANONYMOUS },
      headersTimeoutMs: v.BURIN_HEADERS_TIMEOUT,
      requestTimeoutMs: v.BURIN_REQUEST_TIMEOUT,
      keepAliveTimeoutMs: v.BURIN_KEEP_ALIVE_TIMEOUT,
      shutdownLimitMs: v.BURIN_SHUTDOWN_LIMIT,
    },
    dataDir,
    databaseUrl: v.BURIN_DATABASE_URL === '' ? `sqlite:${join(dataDir, 'burin.sqlite')}` : v.BURIN_DATABASE_URL,
    database: {
      connections: v.BURIN_DATABASE_CONNECTIONS,
      connectLimitMs: v.BURIN_DATABASE_CONNECT_LIMIT,
      statementLimitMs: v.BURIN_DATABASE_STATEMENT_LIMIT,
    },
    storage: {
      target: storageTarget(v.BURIN_STORAGE_URL, dataDir),
      redirects: v.BURIN_STORAGE_REDIRECTS === 'on',
      s3: {
        connectLimitMs: v.BURIN_STORAGE_CONNECT_LIMIT,
        requestLimitMs: v.BURIN_STORAGE_REQUEST_LIMIT,
        tries: v.BURIN_STORAGE_TRIES,
      },
      capBytes: v.BURIN_STORAGE_CAP,
      fileLifetimeMs: v.BURIN_FILE_LIFETIME,
    },
    limits: {
      maxUploadBytes: v.BURIN_MAX_UPLOAD_BYTES,
      maxSvgBytes: v.BURIN_MAX_SVG_BYTES,
      maxPixels: v.BURIN_MAX_PIXELS,
    },
    exports: {
      running: v.BURIN_EXPORT_RUNNING,
      waiting: v.BURIN_EXPORT_WAITING,
      waitLimitMs: v.BURIN_EXPORT_WAIT_LIMIT,
      runLimitMs: v.BURIN_EXPORT_RUN_LIMIT,
    },
    fleet: fleetOf(v),
    maxConcurrentPerKey: v.BURIN_CONCURRENT_PER_KEY,
    restoreModel: v.BURIN_RESTORE_MODEL,
    workers: {
      count: v.BURIN_WORKERS,
      idle: Math.min(v.BURIN_WORKERS, v.BURIN_IDLE_WORKERS),
      heapBytes: v.BURIN_WORKER_MEMORY,
      residentBytes: v.BURIN_WORKER_RESIDENT,
      tasks: v.BURIN_WORKER_TASKS,
      memoryBudgetBytes: v.BURIN_MEMORY_BUDGET,
    },
    tiers: Object.fromEntries(
      TIER_IDS.map((id) => [
        id,
        {
          running: v[tierVariable(id, 'RUNNING')],
          waiting: v[tierVariable(id, 'WAITING')],
          waitLimitMs: v[tierVariable(id, 'WAIT_LIMIT')],
          runLimitMs: v[tierVariable(id, 'RUN_LIMIT')],
        },
      ]),
    ) as Record<TierId, TierLimits>,
    logLevel: v.BURIN_LOG_LEVEL,
    telemetry: telemetryOf(env),
  });
}
