import { expect } from 'chai';
import fc from 'fast-check';
import { hasMoreValues } from '#adapters/http/bounded-json.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';
import { holds } from '#test/support/properties.js';

/** Values in a parsed JSON, names of fields aside. */
const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 0)
    : 1;

const countEmpty = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, one) => sum + countEmpty(one), 0);
};

describe('JSON bodies that may be large', () => {
  it('are counted as they are parsed, whatever stands in their strings', () => {
    holds(
      fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (compact, spaced) => {
        const parsed = JSON.parse(compact);
        const bytes = Buffer.from(JSON.stringify(parsed, null, spaced ? 2 : 0));
        // An empty list or object may count for one more than it has.
        const empty = countEmpty(parsed);
        const values = countValues(parsed);
        if (values > 1) expect(hasMoreValues(bytes, values - 1)).to.equal(true);
        expect(hasMoreValues(bytes, values + empty)).to.equal(false);
      }),
    );
    for (const text of ['"\\\\\\",[{"', '["a\\\\",{"b":"]"}]', '"unended ,,,'])
      expect(hasMoreValues(Buffer.from(text), 4), text).to.equal(false);
  });

  it('of tiny values are refused unread, and of long strings are taken', async () => {
    const { app } = createTestService();
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: '/api/v1/export', headers: { 'content-type': 'application/json' }, payload });
    for (const filler of ['{},', '1,', '"",', '[[],{}],'])
      expectProblem(await send(`{"x":[${filler.repeat(1_000_000)}0]}`), 400, 'INVALID_REQUEST', 'body');
    expectProblem(await send(`${'['.repeat(1_000_000)}`), 400, 'INVALID_REQUEST', 'body');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${',"{['.repeat(500_000)}--></svg>`;
    const taken = await send(JSON.stringify({ svg, format: 'svg' }));
    expect(taken.statusCode, taken.body).to.equal(200);
    expectProblem(await send('{"svg":"'), 400, 'INVALID_REQUEST', 'body');
    expectProblem(await send('{"__proto__":{"a":1}}'), 400, 'INVALID_REQUEST', 'body');
  });
});
