import { LIMITS } from '#domain/tiers/limits.js';
import { TIER_IDS, TIERS, type TierId } from '#domain/tiers/tier.js';

/**
 * Every environment variable of the service, once: its type, default and meaning. What is read, what an error says and what
 * `.env.example` lists all come from here.
 */

interface RowBase {
  /** One sentence for people. */
  readonly meaning: string;
}
export interface TextRow extends RowBase {
  readonly type: 'text';
  readonly default: string;
}
export interface EnumRow extends RowBase {
  readonly type: 'enum';
  readonly values: readonly string[];
  readonly default: string;
}
/** `cores`: as many as the machine has. */
export interface IntegerRow extends RowBase {
  readonly type: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number | 'cores';
}
/** Bytes; may be written with KB, MB or GB (powers of 1024). */
export interface BytesRow extends RowBase {
  readonly type: 'bytes';
  readonly min: number;
  readonly default: number;
}
/** Milliseconds; written with ms, s, min or h. */
export interface DurationRow extends RowBase {
  readonly type: 'duration';
  readonly minMs: number;
  readonly maxMs: number;
  readonly default: number;
}
/** An address of one of `schemes`; empty for none. */
export interface UrlRow extends RowBase {
  readonly type: 'url';
  readonly schemes: readonly string[];
  readonly default: string;
}
/** Origins such as https://example.org, separated by commas; empty for none. */
export interface OriginsRow extends RowBase {
  readonly type: 'origins';
  readonly default: readonly string[];
}
/** One or more of `values`, separated by commas. */
export interface NamesRow extends RowBase {
  readonly type: 'names';
  readonly values: readonly string[];
  readonly default: readonly string[];
}
/** Whose X-Forwarded headers are believed. */
export interface ProxiesRow extends RowBase {
  readonly type: 'proxies';
  readonly default: 'off';
}
/** Which restoring model is used: ours, none, or a file, and whether it must be that very one. */
export interface ModelRow extends RowBase {
  readonly type: 'model';
  readonly default: '';
}
export type ModelChoice =
  | { readonly kind: 'own' }
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly path: string; readonly sha256: string | null };
export type VariableRow =
  | TextRow
  | EnumRow
  | IntegerRow
  | BytesRow
  | DurationRow
  | UrlRow
  | OriginsRow
  | NamesRow
  | ProxiesRow
  | ModelRow;

const KB = 1024;
const MB = 1024 * KB;
const GB = 1024 * MB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type TierVariable<Id extends TierId> = `BURIN_${Uppercase<Id>}_${'RUNNING' | 'WAITING' | 'WAIT_LIMIT' | 'RUN_LIMIT'}`;

/** The limits of one tier; their defaults are the tier's own. */
function tierRows<Id extends TierId>(id: Id) {
  const prefix = `BURIN_${id.toUpperCase()}`;
  const { maxWaiting, waitLimitMs, runLimitMs } = TIERS[id];
  return {
    [`${prefix}_RUNNING`]: {
      type: 'integer',
      min: 1,
      max: 256,
      default: 'cores',
      meaning: `Conversions of tier ${id} that may run at once.`,
    },
    [`${prefix}_WAITING`]: {
      type: 'integer',
      min: 0,
      max: 10_000,
      default: maxWaiting,
      meaning: `Conversions of tier ${id} that may wait for a slot; more are refused with QUEUE_FULL.`,
    },
    [`${prefix}_WAIT_LIMIT`]: {
      type: 'duration',
      minMs: 10,
      maxMs: HOUR,
      default: waitLimitMs,
      meaning: `How long a conversion of tier ${id} may wait for a slot before QUEUE_TIMEOUT.`,
    },
    [`${prefix}_RUN_LIMIT`]: {
      type: 'duration',
      minMs: 10,
      maxMs: HOUR,
      default: runLimitMs,
      meaning: `How long a conversion of tier ${id} may run before CONVERSION_TIMEOUT.`,
    },
  } as { readonly [Name in TierVariable<Id>]: Name extends `${string}LIMIT` ? DurationRow : IntegerRow };
}

export const VARIABLES = {
  BURIN_HOST: { type: 'text', default: '127.0.0.1', meaning: 'The address to listen on.' },
  BURIN_PORT: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 3000,
    meaning: 'The port to listen on; 0 for any free one.',
  },
  BURIN_DATA_DIR: { type: 'text', default: './data', meaning: 'The folder for everything the service keeps.' },
  BURIN_DATABASE_URL: {
    type: 'text',
    default: '',
    meaning:
      'The database: a path, sqlite:/path, better-sqlite3:/path or postgres://…; empty for SQLite in the data folder.',
  },
  BURIN_DATABASE_CONNECTIONS: {
    type: 'integer',
    min: 1,
    max: 1000,
    default: 10,
    meaning:
      'Connections to Postgres that one process may have; all processes together stay below its max_connections.',
  },
  BURIN_DATABASE_CONNECT_LIMIT: {
    type: 'duration',
    minMs: 50,
    maxMs: 10 * MINUTE,
    default: 5 * SECOND,
    meaning: 'How long work waits for a connection to Postgres, a new or a free one, before UPSTREAM_UNAVAILABLE.',
  },
  BURIN_DATABASE_STATEMENT_LIMIT: {
    type: 'duration',
    minMs: 50,
    maxMs: 10 * MINUTE,
    default: 10 * SECOND,
    meaning: 'How long one statement may take in Postgres, waiting for locks included, before UPSTREAM_UNAVAILABLE.',
  },
  BURIN_REDIS_URL: {
    type: 'url',
    schemes: ['redis:', 'rediss:'],
    default: '',
    meaning: 'The Redis that the processes of one service share: queue, limits and jobs; empty for one process alone.',
  },
  BURIN_ROLE: {
    type: 'enum',
    values: ['all', 'api', 'worker'],
    default: 'all',
    meaning:
      'What this process does: answer requests, trace what others were asked for, or both; all but all need Redis.',
  },
  BURIN_WORKER_TIERS: {
    type: 'names',
    values: TIER_IDS,
    default: TIER_IDS,
    meaning: 'The tiers whose conversions this process traces for a fleet.',
  },
  BURIN_STORAGE_URL: {
    type: 'url',
    schemes: ['file:', 'memory:', 's3:'],
    default: '',
    meaning:
      'Where produced files are kept: file:///path, memory: or s3://bucket/prefix; empty for files/ in the data folder.',
  },
  BURIN_STORAGE_REDIRECTS: {
    type: 'enum',
    values: ['off', 'on'],
    default: 'off',
    meaning: 'Whether downloads from S3 are answered with 302 and a signed address of the store; off: passed on.',
  },
  BURIN_STORAGE_CONNECT_LIMIT: {
    type: 'duration',
    minMs: 50,
    maxMs: MINUTE,
    default: 2 * SECOND,
    meaning: 'How long a connection to S3 may take to be made.',
  },
  BURIN_STORAGE_REQUEST_LIMIT: {
    type: 'duration',
    minMs: 50,
    maxMs: 10 * MINUTE,
    default: 10 * SECOND,
    meaning: 'How long S3 may take to answer one try of a request, and how long a transfer may stand still.',
  },
  BURIN_STORAGE_TRIES: {
    type: 'integer',
    min: 1,
    max: 10,
    default: 3,
    meaning: 'How often a request to S3 is tried before UPSTREAM_UNAVAILABLE.',
  },
  BURIN_STORAGE_CAP: {
    type: 'bytes',
    min: MB,
    default: 5 * GB,
    meaning: 'Bytes of produced files to keep; past it, and with nothing expired to sweep, STORAGE_FULL.',
  },
  BURIN_FILE_LIFETIME: {
    type: 'duration',
    minMs: SECOND,
    maxMs: 366 * 24 * HOUR,
    default: LIMITS.fileLifetimeMs,
    meaning: 'How long a produced file can be downloaded.',
  },
  BURIN_ANONYMOUS: {
    type: 'enum',
    values: ['auto', 'on', 'off'],
    default: 'auto',
    meaning: 'Whether conversions need no key; auto is on while listening on loopback only.',
  },
  BURIN_PUBLIC_URL: {
    type: 'url',
    schemes: ['http:', 'https:'],
    default: '',
    meaning: 'The address under which people reach the service, where a proxy stands before it.',
  },
  BURIN_TRUST_PROXY: {
    type: 'proxies',
    default: 'off',
    meaning: 'Whose X-Forwarded headers are believed: nobody, everybody, or the proxies of these addresses.',
  },
  BURIN_CORS_ORIGINS: {
    type: 'origins',
    default: [],
    meaning: 'Web pages of these origins may call the API from a browser.',
  },
  BURIN_MAX_UPLOAD_BYTES: {
    type: 'bytes',
    min: KB,
    default: LIMITS.maxUploadBytes,
    meaning: 'Bytes of one uploaded picture.',
  },
  BURIN_MAX_SVG_BYTES: {
    type: 'bytes',
    min: KB,
    default: LIMITS.maxSvgBytes,
    meaning: 'Bytes of one SVG document sent in for export.',
  },
  BURIN_MAX_PIXELS: {
    type: 'integer',
    min: 1,
    max: 1_000_000_000,
    default: LIMITS.maxPixels,
    meaning: 'Pixels of a picture, read from its header before anything is decoded.',
  },
  BURIN_RATE_PER_KEY: {
    type: 'integer',
    min: 1,
    max: 1_000_000,
    default: LIMITS.requestsPerMinute.key,
    meaning: 'Requests a minute that one key may make.',
  },
  BURIN_RATE_ANONYMOUS: {
    type: 'integer',
    min: 1,
    max: 1_000_000,
    default: LIMITS.requestsPerMinute.anonymous,
    meaning: 'Requests a minute that one address may make without a key.',
  },
  BURIN_CONCURRENT_PER_KEY: {
    type: 'integer',
    min: 1,
    max: 1000,
    default: LIMITS.maxConcurrentPerKey,
    meaning: 'Conversions that one key may have in flight; more are refused with API_KEY_BUSY.',
  },
  BURIN_WORKERS: {
    type: 'integer',
    min: 1,
    max: 256,
    default: 'cores',
    meaning: 'Processes that trace; BURIN_IDLE_WORKERS of them stay, and the others start when they are needed.',
  },
  BURIN_WORKER_MEMORY: {
    type: 'bytes',
    min: 64 * MB,
    default: 2 * GB,
    meaning: "JavaScript heap of one worker; past it the worker's request fails and the worker is replaced.",
  },
  BURIN_WORKER_RESIDENT: {
    type: 'bytes',
    min: 128 * MB,
    default: 4 * GB,
    meaning:
      'All that one worker may have in memory, pixels and libraries included (on Linux); past it as past BURIN_WORKER_MEMORY.',
  },
  BURIN_WORKER_TASKS: {
    type: 'integer',
    min: 1,
    max: 1_000_000_000,
    default: 1000,
    meaning: 'Conversions or exports after which a worker is replaced by a new process.',
  },
  BURIN_IDLE_WORKERS: {
    type: 'integer',
    min: 1,
    max: 256,
    default: 1,
    meaning:
      'Workers that trace that stay when there is nothing to do; the others are begun when needed, and go after a minute.',
  },
  BURIN_MEMORY_BUDGET: {
    type: 'bytes',
    min: 128 * MB,
    default: 4 * GB,
    meaning:
      'What the conversions that run at once may need, by the sizes in the headers of their pictures; more wait, and a picture that never fits is refused with IMAGE_TOO_LARGE.',
  },
  BURIN_RESTORE_MODEL: {
    type: 'model',
    default: '',
    meaning: 'The ONNX model with which real_esrgan restores pictures; empty for the one that comes with Burin.',
  },
  BURIN_EXPORT_RUNNING: { type: 'integer', min: 1, max: 256, default: 'cores', meaning: 'Exports that run at once.' },
  BURIN_EXPORT_WAITING: {
    type: 'integer',
    min: 0,
    max: 10_000,
    default: 64,
    meaning: 'Exports that may wait for a worker; more are refused with QUEUE_FULL.',
  },
  BURIN_EXPORT_WAIT_LIMIT: {
    type: 'duration',
    minMs: 10,
    maxMs: HOUR,
    default: 30 * SECOND,
    meaning: 'How long an export may wait for a worker before QUEUE_TIMEOUT.',
  },
  BURIN_EXPORT_RUN_LIMIT: {
    type: 'duration',
    minMs: 10,
    maxMs: HOUR,
    default: 60 * SECOND,
    meaning: 'How long an export may run before CONVERSION_TIMEOUT.',
  },
  ...tierRows('fast'),
  ...tierRows('balanced_crisp'),
  ...tierRows('high_precision'),
  BURIN_HEADERS_TIMEOUT: {
    type: 'duration',
    minMs: 100,
    maxMs: HOUR,
    default: 10 * SECOND,
    meaning: "How long a request's header may take to arrive.",
  },
  BURIN_REQUEST_TIMEOUT: {
    type: 'duration',
    minMs: 100,
    maxMs: HOUR,
    default: 2 * MINUTE,
    meaning: 'How long a whole request may take to arrive, its upload included.',
  },
  BURIN_KEEP_ALIVE_TIMEOUT: {
    type: 'duration',
    minMs: 100,
    maxMs: HOUR,
    default: 72 * SECOND,
    meaning: 'How long an idle connection is kept open.',
  },
  BURIN_SHUTDOWN_LIMIT: {
    type: 'duration',
    minMs: 0,
    maxMs: HOUR,
    default: 30 * SECOND,
    meaning: 'How long running conversions may go on after SIGTERM or SIGINT.',
  },
  BURIN_LOG_LEVEL: {
    type: 'enum',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    meaning: 'The least important lines to log.',
  },
} as const satisfies Record<`BURIN_${string}`, VariableRow>;

export type VariableName = keyof typeof VARIABLES;
export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];
/** The row of a variable, without its literal types. */
export const variableRow = (name: VariableName): VariableRow => VARIABLES[name];

export type ValueOf<Row> = Row extends { readonly type: 'integer' | 'bytes' | 'duration' }
  ? number
  : Row extends { readonly type: 'enum'; readonly values: readonly (infer Value)[] }
    ? Value
    : Row extends { readonly type: 'url' }
      ? URL | null
      : Row extends { readonly type: 'names'; readonly values: readonly (infer Value)[] }
        ? readonly Value[]
        : Row extends { readonly type: 'origins' }
          ? readonly string[]
          : Row extends { readonly type: 'proxies' }
            ? boolean | readonly string[]
            : Row extends { readonly type: 'model' }
              ? ModelChoice
              : string;

/** The accepted form of a variable, for errors and `.env.example`. */
export function acceptedForm(row: VariableRow): string {
  switch (row.type) {
    case 'text':
      return 'text';
    case 'enum':
      return row.values.join(' | ');
    case 'integer':
      return `a whole number from ${row.min} to ${row.max}`;
    case 'bytes':
      return `bytes, at least ${formatBytes(row.min)}: a whole number, or one with KB, MB or GB`;
    case 'duration':
      return `a time from ${formatDuration(row.minMs)} to ${formatDuration(row.maxMs)}: a number with ms, s, min or h`;
    case 'url':
      return `empty, or an address starting with ${row.schemes.join(' or ')}`;
    case 'origins':
      return 'empty, or origins such as https://example.org, separated by commas';
    case 'names':
      return `one or more of ${row.values.join(', ')}, separated by commas`;
    case 'model':
      return "empty, off, or a file's path, which #sha256=<64 hexadecimal digits> after it pins";
    case 'proxies':
      return 'off, on, or addresses and ranges such as 10.0.0.0/8, separated by commas';
  }
}

/** Units from the largest; a value is written in the largest that divides it. */
export const BYTE_UNITS = { GB, MB, KB } as const;
export const DURATION_UNITS = { h: HOUR, min: MINUTE, s: SECOND, ms: 1 } as const;

const inLargestUnit = (value: number, units: Readonly<Record<string, number>>) => {
  const unit = Object.entries(units).find(([, size]) => value > 0 && value % size === 0);
  return unit === undefined ? String(value) : `${value / unit[1]}${unit[0]}`;
};
export const formatBytes = (bytes: number): string => inLargestUnit(bytes, BYTE_UNITS);
export const formatDuration = (ms: number): string => (ms === 0 ? '0s' : inLargestUnit(ms, DURATION_UNITS));

/** A default as it would be written. */
export function formatDefault(row: VariableRow): string {
  switch (row.type) {
    case 'bytes':
      return formatBytes(row.default);
    case 'duration':
      return formatDuration(row.default);
    case 'origins':
    case 'names':
      return row.default.join(',');
    case 'integer':
      return row.default === 'cores' ? '' : String(row.default);
    default:
      return row.default;
  }
}

/** The text of `.env.example`. */
export function envExample(): string {
  const blocks = VARIABLE_NAMES.map((name) => {
    const row = variableRow(name);
    const unset = row.type === 'integer' && row.default === 'cores' ? ' Unset: as many as there are cores.' : '';
    return `# ${row.meaning}\n# Takes ${acceptedForm(row)}.${unset}\n#${name}=${formatDefault(row)}\n`;
  });
  return `# Settings of the service, each with its default. Copy what you want to change to the environment.\n\n${blocks.join('\n')}`;
}

/** The name of one tier's variable. */
export const tierVariable = <Id extends TierId, Part extends 'RUNNING' | 'WAITING' | 'WAIT_LIMIT' | 'RUN_LIMIT'>(
  id: Id,
  part: Part,
) => `BURIN_${id.toUpperCase()}_${part}` as `BURIN_${Uppercase<Id>}_${Part}`;
