import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createRedisRateLimiter } from '#adapters/limits/redis-rate-limiter.js';
import { createRedisLink, type RedisLink } from '#adapters/redis/redis-link.js';
import { describeRateLimiter } from '#test/contracts/rate-limiter.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

const title = 'the limiter of many processes';
const anyPrefix = () => `test-${randomBytes(6).toString('hex')}`;

if (missingForRedis !== undefined) it(`${title} (${missingForRedis})`);
else
  describe(title, () => {
    let redis: OwnRedis;
    let link: RedisLink;
    before(async () => {
      redis = await startRedis();
      link = await createRedisLink(redis.url);
    });
    after(async () => {
      await link.close();
      await redis.remove();
    });

    describeRateLimiter('Redis', async (clock) =>
      createRedisRateLimiter({ run: link.run, prefix: anyPrefix(), nowMs: clock.monotonicMs }),
    );

    it('lets two processes have exactly the limit between them, by the time of Redis', async () => {
      const script = join(PACKAGE_ROOT, 'dist/test/support/take-rates.js');
      const prefix = anyPrefix();
      const ask = () => promisify(execFile)(process.execPath, [script, redis.url, prefix, 'a key', '400', '200']);
      const given = await Promise.all([ask(), ask()]);
      expect(given.reduce((sum, { stdout }) => sum + Number(stdout), 0)).to.equal(200);
      const limiter = createRedisRateLimiter({ run: link.run, prefix });
      const { resetSeconds, ...rest } = await limiter.peek('a key', 200);
      expect(rest).to.deep.equal({ limit: 200, remaining: 0 });
      expect(resetSeconds).to.be.within(1, 60);
      // Redis forgets it by itself.
      expect(await link.client.pttl(`${prefix}:rate:a key`)).to.be.within(1, 60_000);
    });

    it('says at once that Redis is away, and goes on when it is back', async () => {
      const limiter = createRedisRateLimiter({ run: link.run, prefix: anyPrefix() });
      await limiter.take('a', 5);
      await redis.stop();
      const refused = await refusalOf(limiter.take('a', 5));
      expect([refused.code, refused.retryAfterSeconds]).to.deep.equal(['UPSTREAM_UNAVAILABLE', 2]);
      await redis.start();
      while (!link.isUp()) await new Promise((resolve) => setImmediate(resolve));
      expect(await limiter.take('a', 5)).to.include({ allowed: true, remaining: 4 });
    });

    it('refuses to begin where no Redis answers', async () => {
      const refused = await refusalOf(createRedisLink('redis://127.0.0.1:1'));
      expect(refused.code).to.equal('UPSTREAM_UNAVAILABLE');
    });
  });
