import { expect } from 'chai';
import { LostWorker } from '#adapters/tracing/lost-worker.js';
import { createWorkerPool, type WorkerPool } from '#adapters/tracing/worker-pool.js';
import { createWorkerTracer } from '#adapters/tracing/worker-tracer.js';
import type { Picture, TraceRequest } from '#application/ports/tracer.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { tierOf } from '#domain/tiers/tier.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { describeTracer } from '#test/contracts/tracer.js';
import { discRaster } from '#test/support/rasters.js';
import { createRecordingLogger } from '#test/support/recording-logger.js';
import { createRunTracer, type Mischief, toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';
import { busyWorkers, environmentOf, workerProcesses } from '#test/support/worker-processes.js';

const MB = 1024 * 1024;
const raster = discRaster(32);

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
const endless = (): Picture => ({ kind: 'encoded', bytes: toPpm(raster, 'endless') });

describeTracer('a tracer in the calling thread', {
  tracer: () => createRunTracer(),
  encode: toPpm,
  busy: endless,
  raster,
});

describe('a pool of workers', () => {
  const logger = createRecordingLogger();
  const workers = 2;
  let pool: WorkerPool;
  const tracer = () => createWorkerTracer({ pool, id: 'planar', version: 'planar-runs-1' });

  before(async () => {
    pool = createWorkerPool({
      entry: new URL('../../support/run-worker.js', import.meta.url),
      workers,
      heapBytes: 64 * MB,
      residentBytes: 256 * MB,
      logger,
    });
    await pool.warm();
  });
  after(() => pool.close());

  describeTracer('a tracer in a worker', { tracer, encode: toPpm, busy: endless, raster });

  const request = (mischief?: Mischief, over: Partial<TraceRequest> = {}): TraceRequest => ({
    picture: { kind: 'encoded', bytes: toPpm(raster, mischief) },
    settings: resolveSettings({}),
    tier: tierOf('fast'),
    fidelity: false,
    timeoutMs: 60_000,
    ...over,
  });
  const works = async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => tracer().trace(request())));
    expect(outcomes).to.have.length(4);
    for (const { drawing } of outcomes) expect(drawing.width).to.equal(32);
    // An aborted task gives its worker back when the worker has noticed.
    await until(() => pool.state().busy === 0);
    expect(pool.state().workers).to.equal(workers);
  };

  it('keeps as many workers as it was told, idle ones too', works);

  it('says how many workers are at it', async () => {
    const aborting = new AbortController();
    const running = tracer().trace(request('endless'), aborting.signal);
    expect(pool.state()).to.deep.equal({ workers, busy: 1 });
    aborting.abort();
    expect((await refusalOf(running)).code).to.equal('CANCELLED');
    expect(pool.state().busy).to.equal(0);
  });

  it('hands out as many tasks at once as there are workers', async () => {
    const aborting = new AbortController();
    let begun = 0;
    const both = new Promise<void>((resolve) => {
      const started = new Set<number>();
      for (const i of [0, 1]) {
        const onProgress = () => {
          if (started.has(i)) return;
          started.add(i);
          begun++;
          if (begun === 2) resolve();
        };
        void tracer()
          .trace(request('endless', { onProgress }), aborting.signal)
          .catch(() => {});
      }
    });
    await both;
    aborting.abort();
    await works();
  });

  it('kills a worker that never looks up, when its caller has gone', async () => {
    const aborting = new AbortController();
    const onProgress = () => aborting.abort();
    expect((await refusalOf(tracer().trace(request('stuck', { onProgress }), aborting.signal))).code).to.equal(
      'CANCELLED',
    );
    await works();
  });

  it('kills a worker that never looks up, past its deadline', async () => {
    const error = await refusalOf(tracer().trace(request('stuck', { timeoutMs: 50 })));
    expect(error.code).to.equal('CONVERSION_TIMEOUT');
    await works();
  });

  const faultOf = async (work: Promise<unknown>): Promise<Error> => {
    const outcome = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(Error);
    expect((outcome as { code?: unknown }).code).to.equal(undefined);
    return outcome as Error;
  };

  for (const [mischief, reason] of [
    ['exit', 'broke'],
    ['hog', 'memory'],
    ['swell', 'memory'],
  ] as const)
    it(`loses one request, and one only, to a worker that does ${mischief}`, async () => {
      const other = tracer().trace(request());
      const error = await faultOf(tracer().trace(request(mischief)));
      expect(error).to.be.instanceOf(LostWorker);
      expect((error as LostWorker).reason).to.equal(reason);
      expect((await other).drawing.width).to.equal(32);
      await works();
    });

  it('loses one request, and one only, to whoever kills a worker', async () => {
    // None is starting, which computes as well: the one that computes is the one at work.
    await pool.warm();
    const begun = withResolvers();
    const lost = faultOf(tracer().trace(request('endless', { onProgress: begun.resolve })));
    await begun.promise;
    const [atWork] = await busyWorkers();
    const other = tracer().trace(request());
    process.kill(atWork!, 'SIGKILL');
    const error = (await lost) as LostWorker;
    expect(error).to.be.instanceOf(LostWorker);
    expect(error.reason).to.equal('killed');
    expect((await other).drawing.width).to.equal(32);
    await works();
  });

  it('has another worker in the place of an idle one that was killed', async () => {
    await until(() => workerProcesses().length === workers);
    const [first] = workerProcesses();
    process.kill(first!, 'SIGKILL');
    await until(() => !workerProcesses().includes(first!) && workerProcesses().length === workers);
    await works();
  });

  it('replaces a worker after so many tasks', async () => {
    const logger = createRecordingLogger();
    const recycled = createWorkerPool({
      entry: new URL('../../support/run-worker.js', import.meta.url),
      workers: 1,
      heapBytes: 64 * MB,
      tasksPerWorker: 3,
      env: { NODE_V8_COVERAGE: process.env.NODE_V8_COVERAGE, BURIN_TEST_POOL: 'recycled' },
      logger,
    });
    try {
      await recycled.warm();
      const own = () => workerProcesses('BURIN_TEST_POOL=recycled');
      const one = createWorkerTracer({ pool: recycled, id: 'planar', version: 'planar-runs-1' });
      const [first] = own();
      for (let i = 0; i < 2; i++) await one.trace(request());
      expect(own()).to.deep.equal([first]);
      await one.trace(request());
      await until(() => own().length === 1 && own()[0] !== first);
      // Whatever runs meanwhile is done, by the one or the other.
      for (let i = 0; i < 5; i++) expect((await one.trace(request())).drawing.width).to.equal(32);
      expect(recycled.state().busy).to.equal(0);
      expect(logger.lines).to.deep.equal([]);
    } finally {
      await recycled.close();
    }
  });

  it('shows workers nothing of the environment but what it is told to', async () => {
    const own = createWorkerPool({
      entry: new URL('../../support/run-worker.js', import.meta.url),
      workers: 1,
      heapBytes: 64 * MB,
      env: { BURIN_TEST_POOL: 'shut' },
      logger,
    });
    try {
      await own.warm();
      const [pid] = workerProcesses('BURIN_TEST_POOL=shut');
      const seen = environmentOf(pid!).map((line) => line.split('=')[0]);
      expect(seen).to.have.members(['BURIN_TEST_POOL', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']);
    } finally {
      await own.close();
    }
  });

  it('brings a fault back whole, and as no refusal', async () => {
    const error = await faultOf(tracer().trace(request('throw')));
    const cause = error.cause as Error;
    expect(cause.message).to.equal('a fault inside the tracer, secret');
    expect(cause.stack).to.include('run-tracer');
    await works();
  });

  it('lets go of its listeners and timers', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') return () => listeners++;
        if (key === 'removeEventListener') return () => listeners--;
        return Reflect.get(target, key);
      },
    });
    await tracer().trace(request(), counted);
    expect(listeners).to.equal(0);
  });

  it('cannot be warmed where the entry does not load', async () => {
    const broken = createWorkerPool({
      entry: new URL('../../support/no-such-worker.js', import.meta.url),
      workers: 1,
      heapBytes: 64 * MB,
      logger,
    });
    const error = await faultOf(broken.warm());
    expect(String(error.cause)).to.include('no-such-worker');
    await broken.close();
  });
});
