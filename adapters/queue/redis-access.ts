import type { Redis } from 'ioredis';

/** What the queue of many processes needs of a connection to Redis. */
export interface RedisAccess {
  /** Its commands fail at once while Redis is away. */
  readonly client: Redis;
  /** Runs a Lua script, as one step. Rejects with UPSTREAM_UNAVAILABLE while Redis is away. */
  run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  /** Makes UPSTREAM_UNAVAILABLE of what a command rejects with while Redis is away. */
  guard<T>(work: Promise<T>): Promise<T>;
  connect(kind: 'subscribing' | 'blocking'): Redis;
}

/** BullMQ closes what it opened by asking Redis, for which it would wait for ever where that is away. */
const CLOSED_WITHIN_MS = 1000;

/** Resolves when all have ended, however that was, or have had their time. */
export async function inTime(closings: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise((resolve) => {
    timer = setTimeout(resolve, CLOSED_WITHIN_MS);
  });
  await Promise.race([Promise.allSettled(closings), given]);
  clearTimeout(timer);
}
