import { expect } from 'chai';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createMemoryStores, type Stores } from '#adapters/persistence/stores.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import { ServiceError } from '#domain/errors.js';
import { createTestService } from '#test/support/http-service.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { convertForm } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';

const away = () => new ServiceError('UPSTREAM_UNAVAILABLE', { what: 'The database', retryAfterSeconds: 1 });
const body = convertForm(toPpm(discRaster(12)), { quality_tier: 'fast' });

/** A service with a key, whose stores were changed on the way to it. */
async function serve(change: (stores: Stores) => Stores, changeFiles = (artifacts: ArtifactStore) => artifacts) {
  const clock = createManualClock();
  const stores = createMemoryStores(clock);
  const files = createMemoryArtifactStore({ clock, ids: randomIdSource, capBytes: 10_000_000 });
  const service = createTestService({ clock, stores: change(stores), artifacts: changeFiles(files) });
  const { account, headers } = await service.createKey();
  const convert = (more: Record<string, string> = {}, form = body) => service.convert(form, { ...headers, ...more });
  return { service, convert, headers, used: async () => (await stores.credits.balance(account.id)).used };
}

describe('a conversion whose books or files fail at its end', () => {
  it('is paid once where it was settled and nobody heard of it, however often it is asked for again', async () => {
    let lost = 0;
    const { convert, used } = await serve((stores) => ({
      ...stores,
      credits: {
        ...stores.credits,
        async hold(...asked) {
          const hold = await stores.credits.hold(...asked);
          const settle = async () => {
            const charge = await hold.settle();
            if (lost++ < 2) throw away();
            return charge;
          };
          return { ...hold, settle };
        },
      },
      // Or the picture itself would be free the second time.
      retrace: { ...stores.retrace, isFree: async () => false },
    }));
    const name = { 'idempotency-key': 'once' };
    for (const status of [502, 502, 200]) expect((await convert(name)).statusCode).to.equal(status);
    expect(await used()).to.equal(1);
  });

  it('is not paid where it is a job whose result cannot be kept', async () => {
    const { service, convert, headers, used } = await serve(
      (stores) => stores,
      (artifacts) => ({
        ...artifacts,
        async reserve(bytes) {
          const room = await artifacts.reserve(bytes);
          const put: typeof room.put = async (artifact) => {
            if (artifact.mediaType === 'application/json') throw away();
            return room.put(artifact);
          };
          return { ...room, put };
        },
      }),
    );
    const begun = await convert({ prefer: 'respond-async' });
    expect(begun.statusCode).to.equal(202);
    let state = '';
    await until(async () => {
      ({ state } = (await service.app.inject({ url: String(begun.headers.location), headers })).json());
      return state !== 'queued' && state !== 'running';
    });
    expect(state).to.equal('failed');
    expect(await used()).to.equal(0);
  });

  it('is refused for what was wrong with it, though the ledger cannot say what is left', async () => {
    let asked = 0;
    const { convert } = await serve((stores) => ({
      ...stores,
      credits: {
        ...stores.credits,
        async balance(id) {
          // Once to see whether there is enough, and then no more.
          if (asked++ > 0) throw away();
          return stores.credits.balance(id);
        },
      },
    }));
    const answer = await convert({}, convertForm(new TextEncoder().encode('no picture'), { quality_tier: 'fast' }));
    expect(answer.json()).to.include({ code: 'UNSUPPORTED_IMAGE' });
    expect(answer.headers).to.not.have.property('x-credits-remaining');
  });
});
