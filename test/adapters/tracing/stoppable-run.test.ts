import { expect } from 'chai';
import { runStoppable } from '#adapters/tracing/stoppable-run.js';
import type { WorkerProcess } from '#adapters/tracing/worker-process.js';
import { toFailure, type WorkerReply } from '#adapters/tracing/worker-protocol.js';
import { ServiceError } from '#domain/errors.js';
import { refusalOf } from '#test/support/refusal-of.js';

/** A process that answers when it has been killed, as one does whose answer was on its way. */
function answeringWhenKilled(reply: WorkerReply<unknown>): WorkerProcess {
  let answer: (reply: WorkerReply<unknown>) => void;
  const run = new Promise<WorkerReply<unknown>>((resolve) => {
    answer = resolve;
  });
  return { run: () => run, askToStop: () => {}, kill: () => answer(reply) } as unknown as WorkerProcess;
}

/** A task that is aborted once the process has it. */
function abortedAt(process: WorkerProcess) {
  const aborting = new AbortController();
  const task = { name: 'trace', input: undefined };
  const run = runStoppable(task, { signal: aborting.signal, timeoutMs: 60_000, tierId: 'fast' });
  const end = run.on(process).then(
    () => 'free',
    () => 'lost',
  );
  aborting.abort();
  return { run, end };
}

describe('a task that is stopped too late', () => {
  it('leaves its process, which was killed as it answered, to no other', async () => {
    const cancelled = toFailure(new ServiceError('CANCELLED'));
    const { run, end } = abortedAt(answeringWhenKilled(cancelled));
    expect((await refusalOf(run.outcome)).code).to.equal('CANCELLED');
    expect(await end).to.equal('lost');
  });

  it('gives what it had finished nevertheless', async () => {
    const { run, end } = abortedAt(answeringWhenKilled({ ok: true, output: 'a drawing' }));
    expect(await run.outcome).to.deep.equal({ ok: true, output: 'a drawing' });
    expect(await end).to.equal('lost');
  });
});
