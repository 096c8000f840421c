import type { RateLimiter } from '#application/ports/rate-limiter.js';
import { RATE_WINDOW_MS } from './memory-rate-limiter.js';

export interface RedisRateLimiterDeps {
  /** Runs a Lua script in Redis, as one step. */
  readonly run: (script: string, keys: readonly string[], values: readonly (string | number)[]) => Promise<unknown>;
  /** Of every key in Redis. */
  readonly prefix: string;
  /** Milliseconds; Redis's own clock when left out, which is the same for every process. */
  readonly nowMs?: () => number;
}

/**
 * One window: its count and its end. It begins with the first request that counts, and Redis forgets it when it has ended.
 * KEYS: the window. ARGV: the limit, 1 to count, the length of a window, the time or nothing.
 */
const WINDOW = `
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local limit = tonumber(ARGV[1])
local length = tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'count', 'end')
local count, ends = tonumber(kept[1]), tonumber(kept[2])
local new = not ends or ends <= now
if new then count, ends = 0, now + length end
local allowed = count < limit
if ARGV[2] == '1' and allowed then
  count = count + 1
  redis.call('HSET', KEYS[1], 'count', count, 'end', ends)
  if new then redis.call('PEXPIRE', KEYS[1], length) end
end
return { allowed and 1 or 0, count, ends - now }
`;

/** A RateLimiter of as many processes as share a Redis. Rejects with UPSTREAM_UNAVAILABLE while that cannot be reached. */
export function createRedisRateLimiter({ run, prefix, nowMs }: RedisRateLimiterDeps): RateLimiter {
  const look = async (name: string, limit: number, count: 0 | 1) => {
    const values = [limit, count, RATE_WINDOW_MS, nowMs?.() ?? ''];
    const [allowed, counted, leftMs] = (await run(WINDOW, [`${prefix}:rate:${name}`], values)) as [
      number,
      number,
      number,
    ];
    return {
      allowed: allowed === 1,
      limit,
      remaining: Math.max(0, limit - counted),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    };
  };
  return {
    take: (name, limit) => look(name, limit, 1),
    async peek(name, limit) {
      const { allowed: _, ...window } = await look(name, limit, 0);
      return window;
    },
  };
}
