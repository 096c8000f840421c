import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { createMemoryEdgeRecovery } from '#adapters/restoration/memory-edge-recovery.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import { composeEncodeDrawing } from '#config/compose-export.js';
import { createTestService } from '#test/support/http-service.js';
import { openHoldsOf } from '#test/support/open-holds.js';
import { operationsOf } from '../operations.js';
import { requestFrom } from '../random-requests.js';
import { samplePictures } from '../sample-pictures.js';
import type { Surface } from '../surface.js';

/** The same service for so many requests, then one that has seen nothing: memory and logs stay small. */
const REQUESTS_PER_SERVICE = 500;
const KNOWN = 40;

/** The service over HTTP, without a network: the real decoder, reader and engine, everything else in memory. */
export async function httpSurface(): Promise<Surface> {
  const pictures = (await samplePictures()).filter(({ bytes }) => bytes.length < 4000);
  const decoder = createImageDecoder({ maxPixels: 10_000 });
  const encodeDrawing = composeEncodeDrawing({ maxPixels: 10_000 });
  const begin = async () => {
    const service = createTestService({
      tracer: createPlanarTracer({ decoder, edgeRecovery: createMemoryEdgeRecovery() }),
      encodeDrawing,
      server: { requestsPerMinute: { key: 1e9, anonymous: 1e9 } },
      capBytes: 200_000_000,
    });
    const operations = operationsOf((await service.app.inject('/api/v1/openapi.json')).json());
    const { account, headers } = await service.createKey();
    await service.stores.credits.grant(account.id, 1_000_000);
    return { service, operations, account, headers, known: [] as string[], requests: 0 };
  };
  let now = await begin();

  const checkLeaks = async ({ service, account, requests } = now) => {
    // What was begun for somebody who did not wait for it (jobs) may still run.
    for (let turns = 0; turns < 5000 && isBusy(service.queue.load()); turns++)
      await new Promise((resolve) => setTimeout(resolve, 2));
    const load = service.queue.load();
    if (isBusy(load)) throw new Error(`slots were not given back: ${JSON.stringify(load)}`);
    const entries = await service.stores.credits.entries(account.id);
    const held = openHoldsOf(entries);
    if (held.length > 0) throw new Error(`${held.length} holds of credits were not ended in ${requests} requests`);
    const faults = service.logged.filter((line) => /"a request failed"/.test(line));
    service.logged.length = 0;
    if (faults.length > 0) throw new Error(`logged as faults: ${faults.slice(0, 3).join('').slice(0, 3000)}`);
  };
  const end = async (ended = now) => {
    await checkLeaks(ended);
    await ended.service.app.close();
  };

  return {
    limitMs: 20_000,
    async run(choices) {
      if (now.requests >= REQUESTS_PER_SERVICE) {
        const before = now;
        now = await begin();
        await end(before);
      }
      now.requests++;
      const { service, operations, headers, known } = now;
      const request = requestFrom(choices, { operations, pictures, key: headers, known });
      const { payload, ...rest } = request;
      const answer = await service.app.inject({ ...rest, ...(payload !== undefined && { payload }) });
      const { statusCode: status, body } = answer;
      const shown = `${request.method} ${request.url.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 500)} -> ${status} ${body.slice(0, 300)}`;
      if (status === 500)
        throw new Error(
          `${shown} ${service.logged
            .filter((line) => /failed/.test(line))
            .join('')
            .slice(0, 3000)}`,
        );
      if (answer.headers['x-request-id'] === undefined) throw new Error(`no id: ${shown}`);
      if (status >= 400 && request.method !== 'HEAD' && !/mcp/.test(request.url)) {
        const problem = JSON.parse(body) as Record<string, unknown>;
        for (const name of ['error', 'code', 'request_id'])
          if (typeof problem[name] !== 'string') throw new Error(`no ${name}: ${shown}`);
        if (status === 400 && typeof problem.field !== 'string') throw new Error(`no field: ${shown}`);
      }
      for (const match of body
        .slice(0, 5000)
        .matchAll(/"(?:downloadBasename|fileBasename|id|job_id|jobId)":"([\w-]{6,60})"/g))
        if (known.push(match[1]!) > KNOWN) known.shift();
      return `${/convert|export|batch|mcp/.exec(request.url.split('?')[0]!)?.[0] ?? 'other'} ${status}`;
    },
    checkLeaks: () => checkLeaks(),
    close: () => end(),
  };
}

const isBusy = (load: Readonly<Record<string, { readonly waiting: number; readonly running: number }>>) =>
  Object.values(load).some(({ waiting, running }) => waiting + running > 0);
