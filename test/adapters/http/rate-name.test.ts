import { expect } from 'chai';
import { rateNameOf } from '#adapters/http/rate-name.js';

describe('the name that an address is counted under', () => {
  it('is one for an IPv6 customer, and the same for an IPv4 address in either form', () => {
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
