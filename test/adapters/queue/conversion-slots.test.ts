import { expect } from 'chai';
import { type ConversionSlot, createConversionSlots } from '#adapters/queue/conversion-slots.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { createManualClock } from '#test/support/manual-clock.js';

/** Everything that has been settled by now gets to say so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

let callers = 0;
/** Somebody who has never been here. */
const anybody = () => ({ id: `caller ${callers++}`, maxInFlight: 1000 });

function setUp(
  workers = 2,
  over: { running?: number; waiting?: number; waitLimitMs?: number; memoryBudgetBytes?: number } = {},
) {
  const clock = createManualClock();
  const timers = new Set<{ atMs: number; callback: () => void }>();
  const { memoryBudgetBytes, ...limitsOver } = over;
  const limits = { running: workers, waiting: 2, waitLimitMs: 1000, ...limitsOver };
  const queue = createConversionSlots({
    workers,
    tiers: Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>,
    clock,
    ...(memoryBudgetBytes !== undefined && { memoryBudgetBytes }),
    schedule(delayMs, callback) {
      const timer = { atMs: clock.monotonicMs() + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const pass = (ms: number) => {
    clock.advance(ms);
    for (const timer of [...timers]) if (timer.atMs <= clock.monotonicMs() && timers.delete(timer)) timer.callback();
  };
  /** Enters, and notes in `admitted` when it is let in. */
  const admitted: string[] = [];
  const enter = (name: string, tier: TierId, signal?: AbortSignal, caller = anybody(), memoryBytes = 0) =>
    queue.enter(tier, caller, signal, memoryBytes).then((slot) => {
      admitted.push(name);
      return slot;
    });
  return { queue, pass, enter, admitted, timers };
}

describe('the slots of one process', () => {
  it('keeps one worker for the fast tier where there are two', async () => {
    const { queue, enter, admitted } = setUp(2);
    const slow = await enter('slow 1', 'balanced_crisp');
    void enter('slow 2', 'high_precision');
    await enter('fast', 'fast');
    expect(admitted).to.deep.equal(['slow 1', 'fast']);
    expect(queue.load()).to.deep.equal({
      fast: { waiting: 0, running: 1, capacity: 2 },
      balanced_crisp: { waiting: 0, running: 1, capacity: 1 },
      high_precision: { waiting: 1, running: 0, capacity: 1 },
    });
    slow.release();
    await settled();
    expect(admitted).to.deep.equal(['slow 1', 'fast', 'slow 2']);
  });

  it('lets every tier use the one worker where there is one', async () => {
    const { enter, admitted } = setUp(1);
    const slot = await enter('a', 'high_precision');
    void enter('b', 'fast');
    await settled();
    expect(admitted).to.deep.equal(['a']);
    slot.release();
    await settled();
    expect(admitted).to.deep.equal(['a', 'b']);
  });

  it('lets in first come, first served', async () => {
    const { enter, admitted } = setUp(1, { waiting: 5 });
    const slots: Promise<ConversionSlot>[] = [];
    for (const name of ['a', 'b', 'c', 'd']) slots.push(enter(name, 'fast'));
    for (const slot of slots) (await slot).release();
    expect(admitted).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('says beforehand whom it would refuse, and takes no place for that', async () => {
    const { queue, enter, pass } = setUp(1, { waiting: 2, waitLimitMs: 60_000 });
    const refusal = (id = 'somebody', maxInFlight = 9) => {
      try {
        queue.requirePlace('fast', { id, maxInFlight });
        return undefined;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const running = await enter('a', 'fast', undefined, { id: 'one at once', maxInFlight: 1 });
    expect(refusal('one at once', 1)).to.equal('API_KEY_BUSY');
    void enter('b', 'fast');
    for (let i = 0; i < 5; i++) expect(refusal()).to.equal(undefined);
    expect(queue.load().fast.waiting).to.equal(1);
    void enter('c', 'fast');
    expect(refusal()).to.equal('QUEUE_FULL');
    // Who was told to come again then has a place kept, and asking does not use it up.
    pass(4000);
    running.release();
    for (let i = 0; i < 2; i++) expect(refusal()).to.equal(undefined);
    await settled();
    void enter('d', 'fast', undefined, { id: 'somebody', maxInFlight: 9 });
    expect(queue.load().fast.waiting).to.equal(2);
    void queue.close();
    expect(refusal()).to.equal('AT_CAPACITY');
  });

  it('keeps a place for who is on the way, against everybody else', async () => {
    const { queue, enter, pass } = setUp(1, { waiting: 2, waitLimitMs: 60_000 });
    const [first, second, third] = ['x', 'y', 'z'].map((id) => ({ id, maxInFlight: 2 }));
    const codeOf = (ask: () => void) => {
      try {
        ask();
        return undefined;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const running = await enter('a', 'fast');
    const release = queue.claimPlace('fast', first!);
    queue.claimPlace('fast', second!);
    expect(codeOf(() => queue.claimPlace('fast', third!))).to.equal('QUEUE_FULL');
    expect(codeOf(() => queue.requirePlace('fast', third!))).to.equal('QUEUE_FULL');
    expect((await refusalOf(queue.enter('fast', third!))).code).to.equal('QUEUE_FULL');
    // What the third was promised meanwhile takes nothing from those who came before it.
    expect(codeOf(() => queue.requirePlace('fast', second!))).to.equal(undefined);
    void enter('second', 'fast', undefined, second);
    expect(queue.load().fast.waiting).to.equal(1);
    // Given back, twice: it is one place.
    release();
    release();
    // Until the third, who was told to come again, has not come.
    expect(codeOf(() => queue.claimPlace('fast', first!))).to.equal('QUEUE_FULL');
    pass(30_000);
    void enter('b', 'fast', undefined, first);
    expect(queue.load().fast.waiting).to.equal(2);
    expect(codeOf(() => queue.claimPlace('fast', third!))).to.equal('QUEUE_FULL');
    running.release();
    // Claims count as requests of their caller.
    const busy = { id: 'busy', maxInFlight: 1 };
    queue.claimPlace('high_precision', busy);
    expect(codeOf(() => queue.claimPlace('high_precision', busy))).to.equal('API_KEY_BUSY');
    expect(codeOf(() => queue.requirePlace('high_precision', busy))).to.equal(undefined);
  });

  it('leaves no slot idle for who is on the way', async () => {
    const { queue, enter, admitted } = setUp(1, { waiting: 2 });
    const slow = { id: 'slow', maxInFlight: 2 };
    expect(queue.isCrowded()).to.equal(false);
    queue.claimPlace('fast', slow);
    const quick = await enter('quick', 'fast');
    expect(queue.isCrowded()).to.equal(false);
    const late = enter('slow', 'fast', undefined, slow);
    expect([queue.load().fast.waiting, queue.isCrowded()]).to.deep.equal([1, true]);
    quick.release();
    await late;
    expect(admitted).to.deep.equal(['quick', 'slow']);
  });

  it('says how long somebody waited', async () => {
    const { enter, pass } = setUp(1);
    const first = await enter('a', 'fast');
    expect(first.waitedMs).to.equal(0);
    const second = enter('b', 'fast');
    pass(300);
    first.release();
    expect((await second).waitedMs).to.equal(300);
  });

  it('holds a tier to its own limit', async () => {
    const { enter, admitted } = setUp(4, { running: 1 });
    await enter('a', 'fast');
    void enter('b', 'fast');
    await enter('c', 'balanced_crisp');
    expect(admitted).to.deep.equal(['a', 'c']);
  });

  it('refuses when the waiting places are taken, and says when to come again', async () => {
    const { queue, enter } = setUp(1);
    await enter('running', 'fast');
    void enter('waiting 1', 'fast');
    void enter('waiting 2', 'fast');
    const error = await refusalOf(queue.enter('fast', anybody()));
    expect(error.code).to.equal('QUEUE_FULL');
    expect(error.retryAfterSeconds).to.be.within(1, 60);
    // The places of one tier are not those of another.
    void enter('other tier', 'high_precision');
    expect(queue.load().high_precision.waiting).to.equal(1);
  });

  it('keeps a place for who was refused and comes again as told', async () => {
    const { queue, enter, pass, admitted } = setUp(1, { waiting: 2, waitLimitMs: 60_000 });
    const running = [await enter('inside', 'fast')];
    const note = (slot: ConversionSlot) => void running.push(slot);
    for (let i = 0; i < 2; i++) void enter('inside', 'fast').then(note);
    const patient = anybody();
    const told = (await refusalOf(queue.enter('fast', patient))).retryAfterSeconds as number;
    const served = async () => {
      running.shift()?.release();
      await settled();
    };
    // Those inside are back before it is: from shortly before its time, the one place that is free is not theirs.
    await served();
    pass(told * 1000 - 1000);
    expect((await refusalOf(queue.enter('fast', anybody()))).code).to.equal('QUEUE_FULL');
    // Nor is it for another request of the same caller, before its time.
    expect((await refusalOf(queue.enter('fast', patient))).code).to.equal('QUEUE_FULL');
    pass(1000);
    void enter('patient', 'fast', undefined, patient).then(note);
    await served();
    await served();
    expect(admitted.at(-1)).to.equal('patient');

    // Who does not come has lost it, and nobody waits for them while nothing runs.
    for (let i = 0; i < 2; i++) void enter('inside', 'fast').then(note);
    await refusalOf(queue.enter('fast', anybody()));
    await served();
    pass(60_000);
    void enter('late', 'fast').then(note);
    await served();
    await served();
    expect(admitted.at(-1)).to.equal('late');
  });

  it('refuses who has waited too long, and nobody else', async () => {
    const { queue, enter, pass, admitted, timers } = setUp(1);
    const slot = await enter('running', 'fast');
    const waiting = enter('waiting', 'fast');
    pass(500);
    const later = enter('later', 'fast');
    pass(500);
    const error = await refusalOf(waiting);
    expect(error.code).to.equal('QUEUE_TIMEOUT');
    expect(error.details).to.include({ tier: 'fast', waitedMs: 1000 });
    expect(error.retryAfterSeconds).to.be.within(1, 60);
    slot.release();
    (await later).release();
    expect(admitted).to.deep.equal(['running', 'later']);
    expect(timers.size).to.equal(0);
    expect(queue.load().fast).to.include({ waiting: 0, running: 0 });
  });

  it('forgets who gives up waiting', async () => {
    const { queue, enter } = setUp(1);
    const slot = await enter('running', 'fast');
    const aborting = new AbortController();
    const waiting = enter('waiting', 'fast', aborting.signal);
    aborting.abort();
    expect((await refusalOf(waiting)).code).to.equal('CANCELLED');
    expect((await refusalOf(queue.enter('fast', anybody(), aborting.signal))).code).to.equal('CANCELLED');
    slot.release();
    expect(queue.load().fast).to.include({ waiting: 0, running: 0 });
  });

  it('takes a slot back once, however often it is given', async () => {
    const { queue, enter } = setUp(1);
    const slot = await enter('a', 'fast');
    const next = enter('b', 'fast');
    slot.release();
    slot.release();
    await next;
    expect(queue.load().fast).to.include({ running: 1, waiting: 0 });
  });

  it('closes: refuses who waits and who comes, and waits for who runs', async () => {
    const { queue, enter } = setUp(1);
    const slot = await enter('running', 'fast');
    const waiting = enter('waiting', 'fast');
    let closed = false;
    const closing = queue.close().then(() => {
      closed = true;
    });
    expect((await refusalOf(waiting)).code).to.equal('AT_CAPACITY');
    const refused = await refusalOf(queue.enter('high_precision', anybody()));
    expect(refused.code).to.equal('AT_CAPACITY');
    expect(refused.retryAfterSeconds).to.be.greaterThan(0);
    await settled();
    expect(closed).to.equal(false);
    slot.release();
    await closing;
    await queue.close();
  });

  it('gives two keys equal shares, however many requests each has waiting', async () => {
    const { enter, admitted } = setUp(1, { waiting: 100 });
    const [greedy, modest] = [anybody(), anybody()];
    const slots: Promise<ConversionSlot>[] = [];
    for (let i = 0; i < 20; i++) slots.push(enter('greedy', 'fast', undefined, greedy));
    for (let i = 0; i < 6; i++) slots.push(enter('modest', 'fast', undefined, modest));
    await settled();
    const waiting = new Set(slots);
    while (waiting.size > 0) {
      const [slot, promise] = await Promise.race([...waiting].map(async (one) => [await one, one] as const));
      waiting.delete(promise);
      slot.release();
      await settled();
    }
    // One of each in turn, until the modest one is served.
    expect(admitted.slice(1, 13)).to.deep.equal(Array.from({ length: 6 }, () => ['greedy', 'modest']).flat());
    expect(admitted).to.have.length(26);
  });

  it('gives a key that asks once at a time as much as one that asks twice', async () => {
    const { enter, admitted } = setUp(1, { waiting: 100 });
    const [twice, once] = [anybody(), anybody()];
    const running: ConversionSlot[] = [];
    /** Asks again as soon as it has been served. */
    const ask = (name: string, caller: ReturnType<typeof anybody>) => {
      const askAgain = () => ask(name, caller);
      void enter(name, 'fast', undefined, caller).then((slot) =>
        running.push({
          ...slot,
          release() {
            slot.release();
            askAgain();
          },
        }),
      );
    };
    for (const [name, caller] of [
      ['twice', twice],
      ['twice', twice],
      ['once', once],
    ] as const)
      ask(name, caller);
    for (let i = 0; i < 40; i++) {
      await settled();
      running.shift()?.release();
    }
    const served = (name: string) => admitted.filter((one) => one === name).length;
    expect(Math.abs(served('twice') - served('once'))).to.be.at.most(2);
  });

  it('lets nobody starve behind callers that come new all the time', async () => {
    const { enter, admitted } = setUp(1, { waiting: 100 });
    const key = anybody();
    const running: ConversionSlot[] = [await enter('key', 'fast', undefined, key)];
    const note = (slot: ConversionSlot) => void running.push(slot);
    void enter('new', 'fast').then(note);
    void enter('key', 'fast', undefined, key).then(note);
    for (let i = 0; i < 4; i++) {
      void enter('new', 'fast').then(note);
      running.shift()?.release();
      await settled();
    }
    expect(admitted.slice(0, 3)).to.deep.equal(['key', 'new', 'key']);
    expect(admitted.filter((name) => name === 'key')).to.have.length(2);
  });

  it('holds one caller to what it may have in flight, in all tiers together', async () => {
    const { queue, enter, pass } = setUp(2);
    const caller = { id: 'one key', maxInFlight: 2 };
    const first = await enter('a', 'fast', undefined, caller);
    const aborting = new AbortController();
    const slow = await enter('b', 'balanced_crisp', undefined, caller);
    pass(400);
    const error = await refusalOf(queue.enter('high_precision', caller));
    expect([error.code, error.retryAfterSeconds]).to.deep.equal(['API_KEY_BUSY', 1]);
    first.release();
    const waiting = enter('c', 'balanced_crisp', aborting.signal, caller);
    expect((await refusalOf(queue.enter('fast', caller))).code).to.equal('API_KEY_BUSY');
    aborting.abort();
    expect((await refusalOf(waiting)).code).to.equal('CANCELLED');
    (await enter('d', 'fast', undefined, caller)).release();
    slow.release();
  });

  it('says when to come again by what runs and waits', async () => {
    const { queue, enter } = setUp(1, { waiting: 5 });
    void enter('running', 'fast');
    for (let i = 0; i < 5; i++) void enter('waiting', 'fast');
    // Six before it and itself, each taken to last a second.
    expect((await refusalOf(queue.enter('fast', anybody()))).retryAfterSeconds).to.equal(7);
  });

  it('lets those run that fit into the memory budget together, in the order of their tier', async () => {
    const { queue, enter, admitted } = setUp(4, { waiting: 9, memoryBudgetBytes: 100 });
    const sized = (name: string, tier: TierId, bytes: number) => enter(name, tier, undefined, anybody(), bytes);
    const first = await sized('60', 'balanced_crisp', 60);
    const large = sized('50', 'balanced_crisp', 50);
    const small = sized('10', 'balanced_crisp', 10);
    await settled();
    // There is room for the small one, but not before who came first.
    expect(admitted).to.deep.equal(['60']);
    expect(queue.load().balanced_crisp).to.include({ running: 1, waiting: 2 });
    const other = await sized('fast 20', 'fast', 20);
    first.release();
    (await large).release();
    other.release();
    (await small).release();
    expect(admitted).to.deep.equal(['60', 'fast 20', '50', '10']);
    // All of it is there again.
    (await sized('100', 'fast', 100)).release();
    expect(queue.load().fast).to.include({ running: 0, waiting: 0 });
  });

  it('lets who stands behind go on when who waits for memory leaves', async () => {
    const { enter, admitted, pass } = setUp(4, { waiting: 9, memoryBudgetBytes: 100 });
    const aborting = new AbortController();
    await enter('60', 'fast', undefined, anybody(), 60);
    const leaving = refusalOf(enter('50', 'fast', aborting.signal, anybody(), 50));
    const behind = enter('40', 'fast', undefined, anybody(), 40);
    aborting.abort();
    expect((await leaving).code).to.equal('CANCELLED');
    await behind;
    const tooLong = refusalOf(enter('1', 'fast', undefined, anybody(), 1));
    pass(1000);
    expect((await tooLong).code).to.equal('QUEUE_TIMEOUT');
    expect(admitted).to.deep.equal(['60', '40']);
  });

  it('runs alone what needs more than there is for all', async () => {
    const { enter, admitted } = setUp(4, { waiting: 9, memoryBudgetBytes: 100 });
    const large = await enter('200', 'fast', undefined, anybody(), 200);
    const small = enter('1', 'fast', undefined, anybody(), 1);
    await settled();
    expect(admitted).to.deep.equal(['200']);
    large.release();
    await small;
    expect(admitted).to.deep.equal(['200', '1']);
  });

  it('refuses at once where nothing could run it', async () => {
    const limits = { running: 1, waiting: 2, waitLimitMs: 1000 };
    const queue = createConversionSlots({
      workers: 1,
      tiers: Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>,
      clock: createManualClock(),
      isAlive: () => false,
    });
    expect((await refusalOf(queue.enter('fast', anybody()))).code).to.equal('AT_CAPACITY');
  });
});
