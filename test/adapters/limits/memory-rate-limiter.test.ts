import { expect } from 'chai';
import { rateNameOf } from '#adapters/http/rate-name.js';
import { createMemoryRateLimiter } from '#adapters/limits/memory-rate-limiter.js';
import { createManualClock } from '#test/support/manual-clock.js';

describe('the rate limiter of one process', () => {
  it('lets so many through in a minute that begins with the first, each name for itself', async () => {
    const clock = createManualClock();
    const limiter = createMemoryRateLimiter({ clock });
    expect(await limiter.peek('a', 2)).to.deep.equal({ limit: 2, remaining: 2, resetSeconds: 60 });
    expect(await limiter.take('a', 2)).to.deep.equal({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    clock.advance(15_500);
    expect(await limiter.take('a', 2)).to.deep.equal({ allowed: true, limit: 2, remaining: 0, resetSeconds: 45 });
    expect(await limiter.take('a', 2)).to.include({ allowed: false, remaining: 0, resetSeconds: 45 });
    expect(await limiter.take('b', 2)).to.include({ allowed: true });
    clock.advance(44_499);
    expect(await limiter.take('a', 2)).to.include({ allowed: false, resetSeconds: 1 });
    clock.advance(1);
    expect(await limiter.take('a', 2)).to.deep.equal({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  it('counts an IPv6 customer as one, and an IPv4 address alike in either form', () => {
    const cases = [
      ['127.0.0.1', 'address:127.0.0.1'],
      ['::ffff:10.1.2.3', 'address:10.1.2.3'],
      ['::1', 'address:::1'],
      ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::'],
      ['2001:0DB8:0001:0002::9', 'address:2001:db8:1:2::'],
      ['2001:db8::7', 'address:2001:db8:0:0::'],
    ] as const;
    for (const [address, name] of cases) expect(rateNameOf(address)).to.equal(name);
  });
});
