import { expect } from 'chai';
import type { Clock } from '#application/ports/clock.js';
import type { RateLimiter } from '#application/ports/rate-limiter.js';
import { createManualClock } from '#test/support/manual-clock.js';

/** What every rate limiter keeps to. `make` gives one without any windows, that goes by the clock. */
export function describeRateLimiter(name: string, make: (clock: Clock) => Promise<RateLimiter>) {
  describe(`${name} limits rates`, () => {
    it('lets so many through in a minute that begins with the first, each name for itself', async () => {
      const clock = createManualClock();
      const limiter = await make(clock);
      expect(await limiter.peek('a', 2)).to.deep.equal({ limit: 2, remaining: 2, resetSeconds: 60 });
      expect(await limiter.take('a', 2)).to.deep.equal({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
      clock.advance(15_500);
      expect(await limiter.take('a', 2)).to.deep.equal({ allowed: true, limit: 2, remaining: 0, resetSeconds: 45 });
      for (let i = 0; i < 3; i++)
        expect(await limiter.take('a', 2)).to.deep.equal({ allowed: false, limit: 2, remaining: 0, resetSeconds: 45 });
      expect(await limiter.peek('a', 2)).to.deep.equal({ limit: 2, remaining: 0, resetSeconds: 45 });
      expect(await limiter.take('b', 2)).to.include({ allowed: true });
      clock.advance(44_499);
      expect(await limiter.take('a', 2)).to.include({ allowed: false, resetSeconds: 1 });
      clock.advance(1);
      expect(await limiter.peek('a', 2)).to.deep.equal({ limit: 2, remaining: 2, resetSeconds: 60 });
      expect(await limiter.take('a', 2)).to.deep.equal({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    });

    it('counts those who come at once', async () => {
      const limiter = await make(createManualClock());
      const decisions = await Promise.all(Array.from({ length: 50 }, () => limiter.take('a', 20)));
      expect(decisions.filter(({ allowed }) => allowed)).to.have.length(20);
    });
  });
}
