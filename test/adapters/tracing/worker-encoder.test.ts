import { expect } from 'chai';
import { createWorkerEncoder } from '#adapters/tracing/worker-encoder.js';
import { createWorkerPool, type WorkerPool } from '#adapters/tracing/worker-pool.js';
import type { EncodeDrawingInput } from '#application/use-cases/encode-drawing.js';
import type { ServiceError } from '#domain/errors.js';
import { createRecordingLogger } from '#test/support/recording-logger.js';
import { until } from '#test/support/until.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20"/></svg>';
const input = (svg = SVG, format = 'png'): EncodeDrawingInput => ({
  source: { kind: 'markup', svg },
  format,
  options: {},
});
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: ServiceError) => error.code,
  );

describe('exports in workers', () => {
  let pool: WorkerPool;
  const encoderOf = (limits: { running?: number; waiting?: number; waitLimitMs?: number; runLimitMs?: number } = {}) =>
    createWorkerEncoder({ pool, running: 1, waiting: 1, waitLimitMs: 60_000, runLimitMs: 60_000, ...limits });

  before(() => {
    pool = createWorkerPool({
      entry: new URL('../../../config/main/export-worker.js', import.meta.url),
      workers: 1,
      idleWorkers: 0,
      heapBytes: 256 * 1024 * 1024,
      data: { maxPixels: 1_000_000 },
      logger: createRecordingLogger(),
    });
  });
  after(() => pool.close());

  it('gives the file, with warnings and size, and refusals as they are', async () => {
    const { encodeDrawing, load } = encoderOf();
    const { bytes, warnings, size } = await encodeDrawing(input());
    expect([...bytes.subarray(1, 4)]).to.deep.equal([...Buffer.from('PNG')]);
    expect(warnings).to.deep.equal([]);
    expect(size).to.deep.equal({ width: 40, height: 20, unit: 'px' });
    expect(await codeOf(encodeDrawing(input('<svg')))).to.equal('INVALID_SVG');
    expect(load()).to.deep.equal({ waiting: 0, running: 0, capacity: 1 });
  });

  it('lets so many wait, in order, and lets go of those who leave', async () => {
    const { encodeDrawing, load } = encoderOf();
    const leaving = new AbortController();
    const first = encodeDrawing(input());
    const second = codeOf(encodeDrawing(input(), leaving.signal));
    expect(load()).to.deep.equal({ waiting: 1, running: 1, capacity: 1 });
    expect(await codeOf(encodeDrawing(input()))).to.equal('QUEUE_FULL');
    leaving.abort();
    expect(await second).to.equal('CANCELLED');
    const third = encodeDrawing(input());
    expect((await first).bytes.length).to.be.above(0);
    expect((await third).bytes.length).to.be.above(0);
    expect(load()).to.deep.equal({ waiting: 0, running: 0, capacity: 1 });
  });

  it('gives up what takes too long, and who waits too long', async () => {
    const heavy = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${'<path d="M0 0h9v9z"/>'.repeat(40_000)}</svg>`;
    const hurried = encoderOf({ runLimitMs: 1 }).encodeDrawing(input(heavy, 'pdf'));
    expect(await codeOf(hurried)).to.equal('CONVERSION_TIMEOUT');
    const { encodeDrawing } = encoderOf({ waitLimitMs: 1 });
    const first = encodeDrawing(input(heavy, 'pdf'));
    expect(await codeOf(encodeDrawing(input()))).to.equal('QUEUE_TIMEOUT');
    await first;
    await until(() => pool.state().busy === 0);
  });
});
