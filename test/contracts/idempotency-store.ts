import { expect } from 'chai';
import type { IdempotencyState, IdempotentWork, StoredAnswer } from '#application/ports/idempotency-store.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { DAY_MS, type MakeStores } from './make-stores.js';
import { refusalOf } from './refusal-of.js';

const answer = (text: string): StoredAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'x-credits-charged': '2' },
  body: new TextEncoder().encode(text),
});
const request = (over: object = {}) => ({
  caller: 'account-1',
  key: 'order 7 – ü',
  fingerprint: 'f'.repeat(64),
  ...over,
});

function assertNew(state: IdempotencyState): asserts state is IdempotentWork {
  expect(state.state).to.equal('new');
}

/** What every idempotency store keeps to. */
export function describeIdempotencyStore(make: MakeStores) {
  const setUp = async () => {
    const clock = createManualClock(0, Date.UTC(2026, 10, 21));
    return { clock, store: (await make(clock)).idempotency };
  };

  it('lets one begin, tells the others to wait, and gives its answer afterwards', async () => {
    const { store } = await setUp();
    const states = await Promise.all(Array.from({ length: 20 }, () => store.begin(request())));
    expect(states.filter(({ state }) => state === 'in-flight').length).to.equal(19);
    const work = states.find(({ state }) => state === 'new')!;
    assertNew(work);
    await work.finish(answer('{"größe":1}'));
    for (let i = 0; i < 2; i++) {
      const replay = await store.begin(request());
      if (replay.state !== 'replay') throw new Error(replay.state);
      expect(replay.answer).to.include({ status: 200 });
      expect(replay.answer.headers).to.deep.equal(answer('').headers);
      expect(new TextDecoder().decode(replay.answer.body)).to.equal('{"größe":1}');
    }
  });

  it('refuses the key for another request, before and after the answer, and not for another caller', async () => {
    const { store } = await setUp();
    const work = await store.begin(request());
    assertNew(work);
    const other = request({ fingerprint: 'e'.repeat(64) });
    expect(await store.begin(other)).to.deep.equal({ state: 'conflict' });
    await work.finish(answer('a'));
    expect(await store.begin(other)).to.deep.equal({ state: 'conflict' });
    assertNew(await store.begin(request({ caller: 'account-2' })));
    assertNew(await store.begin(request({ key: 'order 8' })));
  });

  it('frees the key when the work fails', async () => {
    const { store } = await setUp();
    const failed = await store.begin(request());
    assertNew(failed);
    await failed.free();
    const work = await store.begin(request({ fingerprint: 'e'.repeat(64) }));
    assertNew(work);
    expect(work.id).to.not.equal(failed.id);
    await failed.finish(answer('late'));
    expect(await store.begin(request({ fingerprint: 'e'.repeat(64) }))).to.deep.equal({ state: 'in-flight' });
    await work.finish(answer('a'));
    await work.free();
    expect((await store.begin(request({ fingerprint: 'e'.repeat(64) }))).state).to.equal('replay');
  });

  it('lets the same request go on under the same name when the work failed, for it may have been paid all the same', async () => {
    const { store } = await setUp();
    const failed = await store.begin(request());
    assertNew(failed);
    await failed.free();
    const states = await Promise.all(Array.from({ length: 5 }, () => store.begin(request())));
    expect(states.filter(({ state }) => state === 'in-flight').length).to.equal(4);
    const again = states.find(({ state }) => state === 'new')!;
    assertNew(again);
    expect(again.id).to.equal(failed.id);
    await failed.finish(answer('late'));
    expect(await store.begin(request())).to.deep.equal({ state: 'in-flight' });
    await again.finish(answer('a'));
    expect((await store.begin(request())).state).to.equal('replay');
  });

  it('lets a retry go on under the same name when the process died', async () => {
    const { store, clock } = await setUp();
    const died = await store.begin(request());
    assertNew(died);
    clock.advance(119_999);
    expect(await store.begin(request())).to.deep.equal({ state: 'in-flight' });
    await died.renew();
    clock.advance(119_999);
    expect(await store.begin(request())).to.deep.equal({ state: 'in-flight' });
    clock.advance(1);
    const states = await Promise.all(Array.from({ length: 5 }, () => store.begin(request())));
    expect(states.filter(({ state }) => state === 'in-flight').length).to.equal(4);
    const work = states.find(({ state }) => state === 'new')!;
    assertNew(work);
    expect(work.id).to.equal(died.id);
    // It did not die after all: the key is another's now.
    await died.finish(answer('late'));
    await died.free();
    await died.renew();
    await work.finish(answer('a'));
    const replay = await store.begin(request());
    expect(replay.state === 'replay' && new TextDecoder().decode(replay.answer.body)).to.equal('a');
  });

  it('forgets after 24 hours', async () => {
    const { store, clock } = await setUp();
    const work = await store.begin(request());
    assertNew(work);
    await work.finish(answer('a'));
    await store.begin(request({ key: 'other' }));
    clock.advance(DAY_MS - 1);
    expect((await store.begin(request())).state).to.equal('replay');
    expect(await store.sweep()).to.equal(0);
    clock.advance(1);
    const again = await store.begin(request({ fingerprint: 'e'.repeat(64) }));
    assertNew(again);
    expect(again.id).to.not.equal(work.id);
    expect(await store.sweep()).to.equal(1);
  });

  it('takes keys of 1 to 255 characters', async () => {
    const { store } = await setUp();
    for (const key of ['', 'k'.repeat(256)])
      expect(await refusalOf(store.begin(request({ key })))).to.include({
        code: 'INVALID_REQUEST',
        field: 'Idempotency-Key',
      });
    assertNew(await store.begin(request({ key: 'k'.repeat(255) })));
  });
}
