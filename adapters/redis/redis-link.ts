import { createHash } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { ServiceError } from '#domain/errors.js';

/** A process's way to Redis: commands that fail at once while it is away, and connections for what waits there. */
export interface RedisLink {
  /** For libraries that speak Redis themselves; its commands fail at once while Redis is away. */
  readonly client: Redis;
  /** Runs a Lua script, which is sent once. Rejects with UPSTREAM_UNAVAILABLE where Redis cannot be reached or does not answer. */
  run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  /** The same commands through a wall of errors: what they reject with becomes UPSTREAM_UNAVAILABLE. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Another connection: for subscriptions, or for commands that block, which wait until Redis is back. */
  connect(kind: 'subscribing' | 'blocking'): Redis;
  isUp(): boolean;
  close(): Promise<void>;
}

/** A Redis that takes longer is as good as away. */
const COMMAND_LIMIT_MS = 2000;
const CONNECT_LIMIT_MS = 2000;
/** Short: it decides how soon a service is whole again. */
const MAX_RECONNECT_DELAY_MS = 500;
const RETRY_AFTER_SECONDS = 2;

const reconnectDelay = (attempt: number) => Math.min(50 * attempt, MAX_RECONNECT_DELAY_MS);

export const redisAway = (cause: unknown) =>
  new ServiceError('UPSTREAM_UNAVAILABLE', { what: 'Redis', retryAfterSeconds: RETRY_AFTER_SECONDS }, { cause });

/** Of a Redis that answers, and cannot do its work for the moment. */
const BUSY_REPLY = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|OOM|MISCONF)/;
/** Of the client, of BullMQ's use of it, and of the operating system. */
const LOST =
  /isn't writeable|connection is closed|connection ended|timed out|\b(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/i;

/** Whether Redis could not be reached. Anything else that is wrong is a fault of ours, or an answer. */
const isAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ReplyError') return BUSY_REPLY.test(error.message);
  return (
    error.name === 'MaxRetriesPerRequestError' || LOST.test(`${error.message} ${(error as NodeJS.ErrnoException).code}`)
  );
};

export interface RedisWatch {
  /** A connection was lost or refused. */
  readonly onTrouble?: (error: unknown) => void;
  /** Commands are answered, for the first time or again. */
  readonly onReady?: () => void;
}

/** Connects; rejects with UPSTREAM_UNAVAILABLE where nobody answers. */
export async function createRedisLink(
  url: string,
  { onTrouble = () => {}, onReady = () => {} }: RedisWatch = {},
): Promise<RedisLink> {
  const connections = new Set<Redis>();
  const open = (options: RedisOptions): Redis => {
    const all: RedisOptions = { connectTimeout: CONNECT_LIMIT_MS, retryStrategy: reconnectDelay, ...options };
    const redis = new Redis(url, { ...all, replyMapping: 'legacy' });
    redis.on('error', onTrouble);
    connections.add(redis);
    return redis;
  };
  const close = async () => {
    for (const redis of connections) redis.disconnect();
  };

  const client = open({
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_LIMIT_MS,
    // While starting it is tried once.
    retryStrategy: () => null,
    lazyConnect: true,
  });
  try {
    await client.connect();
  } catch (error) {
    await close();
    throw redisAway(error);
  }
  client.options.retryStrategy = reconnectDelay;
  client.on('ready', onReady);

  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw isAway(error) ? redisAway(error) : error;
    }
  };
  const digests = new Map<string, string>();
  const digestOf = (script: string) => {
    const known = digests.get(script) ?? createHash('sha1').update(script).digest('hex');
    digests.set(script, known);
    return known;
  };
  const evaluate = async (script: string, keys: readonly string[], values: readonly (string | number)[]) => {
    const rest = [keys.length, ...keys, ...values] as [number, ...string[]];
    try {
      return await client.evalsha(digestOf(script), ...rest);
    } catch (error) {
      // It has been started again since.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(script, ...rest);
      throw error;
    }
  };

  return {
    client,
    guard,
    run: (script, keys, values) => guard(evaluate(script, keys, values)),
    connect: (kind) => open(kind === 'subscribing' ? {} : { maxRetriesPerRequest: null }),
    isUp: () => client.status === 'ready',
    close,
  };
}
