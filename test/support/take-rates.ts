import { createRedisRateLimiter } from '#adapters/limits/redis-rate-limiter.js';
import { createRedisLink } from '#adapters/redis/redis-link.js';

/** A process of its own that asks one window for more than it has, and says how many it was given. */
const [url, prefix, name, asks, limit] = process.argv.slice(2) as [string, string, string, string, string];
const link = await createRedisLink(url);
const limiter = createRedisRateLimiter({ run: link.run, prefix });
let allowed = 0;
for (let left = Number(asks); left > 0; left -= 10)
  for (const decision of await Promise.all(Array.from({ length: 10 }, () => limiter.take(name, Number(limit)))))
    if (decision.allowed) allowed++;
await link.close();
process.stdout.write(`${allowed}\n`);
