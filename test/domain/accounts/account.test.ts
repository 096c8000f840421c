import { expect } from 'chai';
import { assertPassword, parseEmail } from '#domain/accounts/account.js';

describe('addresses and passwords', () => {
  it('keeps an address in one form', () => {
    expect(parseEmail('  Ada.L@Example.ORG ')).to.equal('ada.l@example.org');
    for (const text of ['', 'ada', '@b', 'a@', 'a b@c', 'a@b@c', '<a@b>', `${'a'.repeat(251)}@b.c`])
      expect(() => parseEmail(text), text).to.throw(/email: .* is no e-mail address/);
  });

  it('takes passwords of 10 to 200 characters', () => {
    for (const length of [10, 200]) expect(() => assertPassword('x'.repeat(length))).to.not.throw();
    for (const length of [0, 9, 201])
      expect(() => assertPassword('x'.repeat(length))).to.throw(/^password: has \d+ char/);
  });
});
