import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownerId } from '#application/caller.js';
import type { Job, TrackJobs } from '#application/track-jobs.js';
import { ServiceError } from '#domain/errors.js';
import { creditHeaders } from '../credit-headers.js';
import { jsonBody } from '../json-body.js';
import { toProblem } from '../problem.js';
import '../callers.js';

type JobRequest = FastifyRequest<{ Params: { id: string } }>;

const ENDED: ReadonlySet<Job['state']> = new Set(['succeeded', 'failed', 'cancelled']);
/** Proxies end connections on which nothing comes. */
const HEARTBEAT_MS = 15_000;

/** RFC 7240 */
export const wantsAsync = ({ headers }: FastifyRequest): boolean =>
  [headers.prefer ?? []].flat().some((prefer) => /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(prefer));

/** A job as it is answered, its result apart. */
export const toJobAnswer = ({ id, state, position, stage, fraction, createdAtMs, error }: Job, requestId: string) => ({
  id,
  state,
  ...(position !== null && { position }),
  ...(stage !== null && { stage }),
  fraction,
  created_at: new Date(createdAtMs).toISOString(),
  links: { self: `/api/v1/jobs/${id}`, events: `/api/v1/jobs/${id}/events` },
  ...(state === 'failed' && { error: toProblem(error, requestId).body }),
});

const unknown = () => new ServiceError('NOT_FOUND', { what: 'The job' });

/** GET and DELETE /api/v1/jobs/{id}, GET /api/v1/jobs/{id}/events */
export function registerJobs(app: FastifyInstance, jobs: TrackJobs): void {
  app.addHook('onClose', () => jobs.idle());

  const answerOf = async (job: Job, request: JobRequest): Promise<Buffer> => {
    const result = job.state === 'succeeded' ? await jobs.result(ownerId(request.caller), job.id) : undefined;
    return jsonBody({ ...toJobAnswer(job, request.id), ...(result && { result }) });
  };
  app.get('/api/v1/jobs/:id', async (request: JobRequest, reply) => {
    const job = await jobs.find(ownerId(request.caller), request.params.id);
    if (job === undefined) throw unknown();
    if (job.charge !== null) reply.headers(creditHeaders(job.charge));
    return reply.type('application/json; charset=utf-8').send(await answerOf(job, request));
  });
  app.delete('/api/v1/jobs/:id', async (request: JobRequest, reply) => {
    const job = await jobs.cancel(ownerId(request.caller), request.params.id);
    if (job === undefined) throw unknown();
    return reply.type('application/json; charset=utf-8').send(await answerOf(job, request));
  });
  app.get('/api/v1/jobs/:id/events', async (request: JobRequest, reply) => {
    const job = await jobs.find(ownerId(request.caller), request.params.id);
    if (job === undefined) throw unknown();
    const events = new PassThrough();
    const tell = (now: Job) => {
      if (events.writableEnded) return;
      events.write(`event: ${now.state}\ndata: ${JSON.stringify(toJobAnswer(now, request.id))}\n\n`);
      if (ENDED.has(now.state)) events.end();
    };
    tell(job);
    const stopWatching = events.writableEnded ? () => {} : jobs.watch(job.id, tell);
    const beating = setInterval(() => events.write(': still here\n\n'), HEARTBEAT_MS).unref();
    events.once('close', () => {
      stopWatching();
      clearInterval(beating);
    });
    return reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream')
      .send(events);
  });
}
