import { expect } from 'chai';
import { randomId } from '#adapters/persistence/secrets.js';

describe('random ids', () => {
  it('are no options on a command line, and never the same', () => {
    const ids = Array.from({ length: 4000 }, randomId);
    for (const id of ids) expect(id).to.match(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/);
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
