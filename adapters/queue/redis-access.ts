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
