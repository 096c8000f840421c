import { expect } from 'chai';
import Value from 'typebox/value';
import { JobAnswer } from '#adapters/http/schemas/service-answers.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';
import { convertForm } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';

const form = () => convertForm(toPpm(discRaster(24)), {}, 'disc.png');
const ASYNC = { prefer: 'respond-async, wait=0' };
const faultsOf = (value: unknown) =>
  [...Value.Errors(JobAnswer, value)].map(({ instancePath, message }) => `${instancePath} ${message}`);

describe('a conversion that nobody waits for', () => {
  it('is a job at once, and then its result', async () => {
    const { app, convert } = createTestService();
    const begun = await convert(form(), ASYNC);
    expect(begun.statusCode, begun.body).to.equal(202);
    const { id, state, links } = begun.json();
    expect(faultsOf(begun.json())).to.deep.equal([]);
    expect(state).to.equal('queued');
    expect(begun.headers.location).to.equal(links.self).and.to.equal(`/api/v1/jobs/${id}`);
    const events = await app.inject(links.events);
    expect(events.headers['content-type']).to.match(/^text\/event-stream/);
    expect(events.body).to.match(/event: succeeded\ndata: \{[^\n]*"fraction":1[^\n]*\n\n$/);
    const job = (await app.inject(links.self)).json();
    expect(faultsOf(job)).to.deep.equal([]);
    expect(job.result.svg).to.match(/^<svg /);
    expect(job.result.downloadActualFilename).to.equal('disc.svg');
  });

  it('says what it cost when it has succeeded', async () => {
    const { app, convert, createKey } = createTestService();
    const { headers } = await createKey();
    const { links } = (await convert(form(), { ...ASYNC, ...headers })).json();
    await app.inject({ url: links.events, headers });
    const done = await app.inject({ url: links.self, headers });
    expect(done.json().state).to.equal('succeeded');
    expect(done.headers).to.include({ 'x-credits-charged': '2' });
    expect(Number(done.headers['x-credits-remaining'])).to.be.above(0);
  });

  it('can be cancelled while it waits, and then leaves the queue', async () => {
    const { app, convert, queue } = createTestService();
    const slot = await queue.enter('balanced_crisp', { id: 'other', maxInFlight: 1 });
    const { id, position, links } = (await convert(form(), ASYNC)).json();
    expect(position).to.equal(1);
    await until(() => queue.load().balanced_crisp.waiting === 1);
    const cancelled = (await app.inject({ method: 'DELETE', url: links.self })).json();
    expect(cancelled).to.include({ id, state: 'cancelled' });
    await until(() => queue.load().balanced_crisp.waiting === 0);
    slot.release();
    expect((await app.inject(links.self)).json()).to.include({ state: 'cancelled' });
    expect((await app.inject(links.events)).body).to.match(/^event: cancelled\n/);
  });

  it('says why it failed, charges nothing, and is for its owner alone', async () => {
    const { app, convert, createKey, stores } = createTestService();
    const key = await createKey();
    const before = await stores.credits.balance(key.account.id);
    const broken = convertForm(Buffer.from('no picture'), {}, 'x.png');
    const { links } = (await convert(broken, { ...ASYNC, ...key.headers })).json();
    await app.inject({ url: links.events, headers: key.headers });
    const job = (await app.inject({ url: links.self, headers: key.headers })).json();
    expect(faultsOf(job)).to.deep.equal([]);
    expect(job.state).to.equal('failed');
    expect(job.error.code).to.be.a('string');
    expect(await stores.credits.balance(key.account.id)).to.deep.equal(before);
    expectProblem(await app.inject(links.self), 404, 'NOT_FOUND');
    expectProblem(await app.inject(links.events), 404, 'NOT_FOUND');
    expectProblem(await app.inject({ method: 'DELETE', url: links.self }), 404, 'NOT_FOUND');
  });
});
