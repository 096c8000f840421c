import { expect } from 'chai';
import type { ConversionQueue, QueuedConversion } from '#application/ports/conversion-queue.js';
import type { TraceStage } from '#application/ports/tracer.js';
import type { VectorizedFile, VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import type { TierId } from '#domain/tiers/tier.js';
import { refusalOf } from './refusal-of.js';

export interface QueueOptions {
  readonly workers: number;
  readonly waiting: number;
  readonly waitLimitMs: number;
  readonly vectorizeToFile: VectorizeToFile;
}

export interface QueueUnderTest {
  readonly queue: ConversionQueue;
  /** From now on nothing is there that could run a conversion. */
  loseWorkers(): Promise<void>;
  close(): Promise<void>;
}

/** A conversion at work. */
interface Work {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly queuedMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  report(stage: TraceStage, fraction: number): void;
  end(): void;
  fail(error: unknown): void;
}

/** Asks again and again: what is shared by processes is known a little later than it is done. */
const utf8 = (text: string) => new TextEncoder().encode(text).slice();
/** What a conversion of this name makes. */
export const drawn = (name: string): VectorizedFile =>
  ({
    svgFile: utf8(`<svg id="${name}"/>`),
    drawingFile: new Uint8Array([1, 2, 3]),
    json: { svg: utf8('""'), colorPalette: utf8('[]'), colorGroups: utf8('[]') },
    qualityDiagnostics: { notes: [{ code: 'a', message: name }], fidelity: null },
    traceStats: { width: 1.5, timingsMs: { queued: 3 } },
  }) as unknown as VectorizedFile;

let callers = 0;
/** Somebody who has never been here. */
const anybody = () => ({ id: `caller ${callers++}`, maxInFlight: 1000 });

/** What every queue keeps to. `make` gives one without anything in it. */
export function describeConversionQueue(name: string, make: (options: QueueOptions) => Promise<QueueUnderTest>) {
  describe(`${name} is a queue of conversions`, () => {
    let made: QueueUnderTest | undefined;
    let works: Work[] = [];
    /** Every conversion that has begun, in order. */
    let begun: string[] = [];
    /** Of each conversion that was asked for and has ended. */
    let ended: Promise<unknown>[] = [];

    let over = false;

    afterEach(async () => {
      over = true;
      for (const work of works) work.end();
      await Promise.allSettled(ended);
      await made?.close();
      made = undefined;
    });

    const setUp = async (workers = 2, limits: { waiting?: number; waitLimitMs?: number } = {}) => {
      over = false;
      works = [];
      begun = [];
      ended = [];
      made = await make({
        workers,
        waiting: limits.waiting ?? 100,
        waitLimitMs: limits.waitLimitMs ?? 60_000,
        vectorizeToFile: ({ picture, settings, queuedMs, onProgress }, signal) =>
          new Promise((resolve, reject) => {
            if (signal?.aborted) throw new ServiceError('CANCELLED');
            const called = settings.name as string;
            begun.push(called);
            const leave = () => {
              works = works.filter((one) => one !== work);
            };
            const work: Work = {
              name: called,
              bytes: picture.kind === 'encoded' ? picture.bytes : new Uint8Array(),
              queuedMs,
              signal,
              report: (stage, fraction) => onProgress?.(stage, fraction),
              end() {
                leave();
                resolve(drawn(called));
              },
              fail(error) {
                leave();
                reject(error);
              },
            };
            signal?.addEventListener('abort', () => work.fail(new ServiceError('CANCELLED')), { once: true });
            works.push(work);
            if (over) work.end();
          }),
      });
      return made;
    };
    const convert = (
      called: string,
      tier: TierId,
      { signal, ...own }: Partial<QueuedConversion> & { signal?: AbortSignal } = {},
    ) => {
      const running = (made as QueueUnderTest).queue.convert(
        {
          tier,
          caller: anybody(),
          bytes: new Uint8Array([1, 2, 3]),
          settings: { name: called },
          onTurn: async () => {},
          ...own,
        },
        signal,
      );
      running.catch(() => {});
      ended.push(running);
      return running;
    };
    const load = async (tier: TierId) => (await (made as QueueUnderTest).queue.load())[tier];
    const runs = (called: string) => until(() => works.some((work) => work.name === called));
    const workOf = (called: string) => works.find((work) => work.name === called) as Work;
    /** Lets what runs end, one after the other, until so many more have begun. */
    const serve = async (more: number) => {
      for (const target = begun.length + more; begun.length < target; ) {
        await until(() => works.length > 0);
        const before = begun.length;
        works[0]?.end();
        await until(() => begun.length > before);
      }
    };
    const waits = (tier: TierId, count: number) => until(async () => (await load(tier)).waiting === count);

    it('runs a conversion when its turn has come, and answers with all that was made', async () => {
      await setUp();
      const turns: number[] = [];
      const progress: unknown[] = [];
      const answer = convert('a', 'fast', {
        bytes: new Uint8Array([9, 8, 7]),
        onTurn: async (waitedMs) => {
          expect(begun).to.deep.equal([]);
          turns.push(waitedMs);
        },
        onProgress: (stage, fraction) => progress.push([stage, fraction]),
      });
      await runs('a');
      const work = workOf('a');
      expect([...work.bytes]).to.deep.equal([9, 8, 7]);
      expect(turns).to.have.length(1);
      expect(work.queuedMs).to.equal(turns[0]);
      work.report('segment', 0.25);
      await until(() => progress.length === 1);
      work.end();
      const { svgFile, drawingFile, json, ...rest } = await answer;
      expect(progress).to.deep.equal([['segment', 0.25]]);
      expect(new TextDecoder().decode(svgFile)).to.equal('<svg id="a"/>');
      expect([...drawingFile]).to.deep.equal([1, 2, 3]);
      expect(Object.keys(json)).to.deep.equal(['svg', 'colorPalette', 'colorGroups']);
      const { qualityDiagnostics, traceStats } = drawn('a');
      expect(rest).to.deep.equal({ qualityDiagnostics, traceStats });
      expect(await load('fast')).to.deep.equal({ waiting: 0, running: 0, capacity: 2 });
    });

    it('begins nothing where its turn is refused, and has its slot back', async () => {
      await setUp(1);
      const refused = await refusalOf(
        convert('a', 'fast', {
          onTurn: async () => {
            throw new ServiceError('INSUFFICIENT_CREDITS', { needed: 2, balance: 1 });
          },
        }),
      );
      expect([refused.code, refused.details]).to.deep.equal(['INSUFFICIENT_CREDITS', { needed: 2, balance: 1 }]);
      const next = convert('b', 'fast');
      await runs('b');
      expect(begun).to.deep.equal(['b']);
      workOf('b').end();
      await next;
    });

    it('brings refusals back with their details, and faults as faults', async () => {
      await setUp();
      const refused = convert('a', 'fast');
      await runs('a');
      workOf('a').fail(new ServiceError('CONVERSION_TIMEOUT', { limitMs: 10, tier: 'fast' }));
      const refusal = await refusalOf(refused);
      expect([refusal.code, refusal.details]).to.deep.equal(['CONVERSION_TIMEOUT', { limitMs: 10, tier: 'fast' }]);
      const failed = convert('b', 'fast');
      await runs('b');
      workOf('b').fail(new TypeError('a bug'));
      const fault = await failed.catch((error: unknown) => error);
      expect(fault).to.be.instanceOf(Error);
      expect(fault).not.to.be.instanceOf(ServiceError);
      expect((fault as Error).message).to.equal('a bug');
    });

    it('keeps one worker for the fast tier where there are two', async () => {
      await setUp(2);
      void convert('slow 1', 'balanced_crisp');
      await runs('slow 1');
      void convert('slow 2', 'high_precision');
      await waits('high_precision', 1);
      void convert('fast', 'fast');
      await runs('fast');
      expect(begun).to.deep.equal(['slow 1', 'fast']);
      expect(await (made as QueueUnderTest).queue.load()).to.deep.equal({
        fast: { waiting: 0, running: 1, capacity: 2 },
        balanced_crisp: { waiting: 0, running: 1, capacity: 1 },
        high_precision: { waiting: 1, running: 0, capacity: 1 },
      });
      workOf('slow 1').end();
      await runs('slow 2');
    });

    it('lets every tier use the one worker where there is one', async () => {
      await setUp(1);
      void convert('a', 'high_precision');
      await runs('a');
      void convert('b', 'fast');
      await waits('fast', 1);
      expect(begun).to.deep.equal(['a']);
      workOf('a').end();
      await runs('b');
    });

    it('serves one caller in the order in which it came', async () => {
      await setUp(1);
      const caller = anybody();
      for (const [i, called] of ['a', 'b', 'c', 'd'].entries()) {
        void convert(called, 'fast', { caller });
        if (i === 0) await runs('a');
        else await waits('fast', i);
      }
      await serve(3);
      expect(begun).to.deep.equal(['a', 'b', 'c', 'd']);
    });

    it('says how long a conversion waited', async () => {
      await setUp(1);
      void convert('a', 'fast');
      await runs('a');
      const sinceMs = performance.now();
      void convert('b', 'fast');
      await waits('fast', 1);
      const seenMs = performance.now();
      await until(() => performance.now() - seenMs >= 30);
      const untilMs = performance.now();
      workOf('a').end();
      await runs('b');
      expect(workOf('b').queuedMs).to.be.within(untilMs - seenMs, performance.now() - sinceMs);
    });

    it('refuses when the waiting places are taken: exactly so many wait, however many come at once', async () => {
      await setUp(1, { waiting: 5 });
      void convert('running', 'fast');
      await runs('running');
      const refusals: ServiceError[] = [];
      for (let i = 0; i < 20; i++) convert('waiting', 'fast').catch((error: ServiceError) => refusals.push(error));
      await until(() => refusals.length >= 15);
      await waits('fast', 5);
      for (const { code, retryAfterSeconds } of refusals) {
        expect(code).to.equal('QUEUE_FULL');
        expect(retryAfterSeconds).to.be.within(1, 60);
      }
      expect(refusals).to.have.length(15);
      // Six before it and itself, each taken to last a second.
      expect((await refusalOf(convert('more', 'fast'))).retryAfterSeconds).to.equal(7);
      // The places of one tier are not those of another.
      void convert('other', 'high_precision');
      await waits('high_precision', 1);
      expect((await load('fast')).waiting).to.equal(5);
    });

    it('keeps a place for who was refused and comes again as told', async () => {
      await setUp(1, { waiting: 2 });
      void convert('inside', 'fast');
      await runs('inside');
      for (let i = 1; i <= 2; i++) {
        void convert('inside', 'fast');
        await waits('fast', i);
      }
      const patient = anybody();
      const told = (await refusalOf(convert('patient', 'fast', { caller: patient }))).retryAfterSeconds as number;
      const toldAtMs = performance.now();
      expect(told).to.equal(4);
      await serve(1);
      // From 3 s before its time on, the one place that is free is not for others.
      await until(() => performance.now() - toldAtMs > 1200);
      expect((await refusalOf(convert('other', 'fast'))).code).to.equal('QUEUE_FULL');
      expect((await refusalOf(convert('too early', 'fast', { caller: patient }))).code).to.equal('QUEUE_FULL');
      await until(() => performance.now() - toldAtMs > told * 1000);
      void convert('patient', 'fast', { caller: patient });
      await serve(2);
      expect(begun.at(-1)).to.equal('patient');
    }).timeout(20_000);

    it('refuses who has waited too long, and nobody else', async () => {
      await setUp(1, { waitLimitMs: 150 });
      void convert('running', 'fast');
      await runs('running');
      const refused = await refusalOf(convert('waiting', 'fast'));
      expect(refused.code).to.equal('QUEUE_TIMEOUT');
      expect(refused.details).to.include({ tier: 'fast', waitedMs: 150 });
      expect(refused.retryAfterSeconds).to.be.within(1, 60);
      const later = convert('later', 'fast');
      await waits('fast', 1);
      workOf('running').end();
      await runs('later');
      workOf('later').end();
      await later;
      expect(begun).to.deep.equal(['running', 'later']);
      expect(await load('fast')).to.include({ waiting: 0, running: 0 });
    });

    it('forgets who gives up waiting', async () => {
      await setUp(1);
      void convert('running', 'fast');
      await runs('running');
      const aborting = new AbortController();
      const waiting = convert('waiting', 'fast', { signal: aborting.signal });
      await waits('fast', 1);
      aborting.abort();
      expect((await refusalOf(waiting)).code).to.equal('CANCELLED');
      expect((await refusalOf(convert('late', 'fast', { signal: aborting.signal }))).code).to.equal('CANCELLED');
      expect(await load('fast')).to.include({ waiting: 0, running: 1 });
      void convert('next', 'fast');
      await serve(1);
      expect(begun).to.deep.equal(['running', 'next']);
    });

    it('ends what is done at its turn before it says that nothing came of it', async () => {
      await setUp(1);
      const aborting = new AbortController();
      let turned = (): void => {};
      let done = false;
      const running = convert('a', 'fast', {
        signal: aborting.signal,
        async onTurn() {
          await new Promise<void>((resolve) => {
            turned = resolve;
            aborting.abort();
          });
          done = true;
        },
      });
      const told = running.then(
        () => [],
        (error: ServiceError) => [error.code, done],
      );
      await until(() => aborting.signal.aborted);
      await new Promise((resolve) => setImmediate(resolve));
      turned();
      expect(await told).to.deep.equal(['CANCELLED', true]);
      expect(begun).to.deep.equal([]);
      void convert('b', 'fast');
      await runs('b');
    });

    it('stops what runs when nobody wants it any more', async () => {
      await setUp(1);
      const aborting = new AbortController();
      const running = convert('a', 'fast', { signal: aborting.signal });
      await runs('a');
      const { signal } = workOf('a');
      aborting.abort();
      expect((await refusalOf(running)).code).to.equal('CANCELLED');
      await until(() => signal?.aborted === true);
      void convert('b', 'fast');
      await runs('b');
    });

    it('gives two keys equal shares, however many requests each has waiting', async () => {
      await setUp(1);
      const [greedy, modest] = [anybody(), anybody()];
      void convert('greedy', 'fast', { caller: greedy });
      await runs('greedy');
      for (let i = 1; i < 14; i++) {
        void convert('greedy', 'fast', { caller: greedy });
        await waits('fast', i);
      }
      for (let i = 0; i < 6; i++) {
        void convert('modest', 'fast', { caller: modest });
        await waits('fast', 14 + i);
      }
      await serve(19);
      // One of each in turn, until the modest one is served.
      const turns = begun.slice(1, 13);
      expect(turns.filter((one) => one === 'modest')).to.have.length(6);
      for (let i = 0; i < 12; i += 2) expect(turns.slice(i, i + 2).sort()).to.deep.equal(['greedy', 'modest']);
    });

    it('lets nobody starve behind callers that come new all the time', async () => {
      await setUp(1);
      const key = anybody();
      void convert('key', 'fast', { caller: key });
      await runs('key');
      void convert('key', 'fast', { caller: key });
      await waits('fast', 1);
      void convert('new', 'fast');
      await waits('fast', 2);
      for (let i = 0; i < 4; i++) {
        void convert('new', 'fast');
        await waits('fast', 3);
        await serve(1);
      }
      expect(begun.slice(0, 4).filter((one) => one === 'key')).to.have.length(2);
    });

    it('holds one caller to what it may have in flight, in all tiers together', async () => {
      await setUp(2);
      const caller = { id: `one key ${callers++}`, maxInFlight: 2 };
      const first = convert('a', 'fast', { caller });
      void convert('b', 'balanced_crisp', { caller });
      await Promise.all([runs('a'), runs('b')]);
      const refused = await refusalOf(convert('c', 'high_precision', { caller }));
      expect([refused.code, refused.details]).to.deep.equal(['API_KEY_BUSY', { limit: 2, retryAfterSeconds: 1 }]);
      workOf('a').end();
      await first;
      // Whoever was answered may ask again at once.
      const next = convert('d', 'fast', { caller });
      await runs('d');
      workOf('d').end();
      await next;
      const codes: string[] = [];
      for (let i = 0; i < 10; i++)
        convert('at once', 'balanced_crisp', { caller }).catch(({ code }: ServiceError) => codes.push(code));
      await until(() => codes.length >= 9);
      await waits('balanced_crisp', 1);
      expect(codes).to.deep.equal(Array.from({ length: 9 }, () => 'API_KEY_BUSY'));
    });

    it('refuses at once where nothing could run it', async () => {
      const { loseWorkers } = await setUp(1);
      await loseWorkers();
      const refused = await refusalOf(convert('a', 'high_precision'));
      expect([refused.code, refused.details]).to.deep.equal([
        'AT_CAPACITY',
        { tier: 'high_precision', retryAfterSeconds: refused.retryAfterSeconds },
      ]);
      expect(refused.retryAfterSeconds).to.be.within(1, 60);
    });

    it('closes: refuses who waits and who comes, and waits for who runs', async () => {
      const { queue } = await setUp(1);
      const running = convert('running', 'fast');
      await runs('running');
      const waiting = convert('waiting', 'fast');
      await waits('fast', 1);
      let closed = false;
      const closing = queue.close().then(() => {
        closed = true;
      });
      expect((await refusalOf(waiting)).code).to.equal('AT_CAPACITY');
      expect((await refusalOf(convert('late', 'high_precision'))).code).to.equal('AT_CAPACITY');
      expect(closed).to.equal(false);
      workOf('running').end();
      await running;
      await closing;
    });
  });
}

import { until } from '#test/support/until.js';
