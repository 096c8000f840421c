import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { parseS3Address } from '#adapters/storage/s3-address.js';
import { createS3ArtifactStore, type S3ArtifactStoreDeps } from '#adapters/storage/s3-artifact-store.js';
import { contentOf, describeArtifactStore, svgArtifact } from '#test/contracts/artifact-store.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { createManualClock } from '#test/support/manual-clock.js';
import {
  type FailingStore,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  startFailingStore,
  startS3Server,
} from '#test/support/s3-server.js';

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.close());

const newPrefix = () => randomBytes(6).toString('hex');
const open = (deps: Partial<S3ArtifactStoreDeps> & { endpoint?: string; prefix?: string; query?: string } = {}) => {
  const { endpoint = server.endpoint, prefix = newPrefix(), query = '' } = deps;
  return createS3ArtifactStore({
    address: parseS3Address(new URL(`s3://${S3_BUCKET}/${prefix}?endpoint=${endpoint}${query}`))!,
    credentials: S3_CREDENTIALS,
    limits: { connectLimitMs: 1000, requestLimitMs: 2000, tries: 2 },
    clock: createManualClock(),
    ids: randomIdSource,
    capBytes: 1_000_000_000,
    ...deps,
  });
};

describeArtifactStore('a bucket of S3', (deps) => open(deps));

describe('a bucket of S3', () => {
  it('is named by an address, and what is none is refused', () => {
    const parse = (text: string) => parseS3Address(new URL(text));
    expect(parse('s3://files')).to.deep.equal({
      bucket: 'files',
      prefix: '',
      pathStyle: false,
      tags: true,
      sweep: true,
    });
    expect(
      parse(
        's3://files/a/b/?endpoint=http://s3:9000&public_endpoint=https://files.example.org&region=eu-1&tags=off&sweep=off',
      ),
    ).to.deep.equal({
      bucket: 'files',
      prefix: 'a/b/',
      endpoint: 'http://s3:9000',
      publicEndpoint: 'https://files.example.org',
      region: 'eu-1',
      pathStyle: true,
      tags: false,
      sweep: false,
    });
    expect(parse('s3://files?endpoint=http://s3:9000&addressing=host')).to.include({ pathStyle: false });
    for (const odd of [
      's3://key:secret@files',
      's3://Files',
      's3:///x',
      's3://files?endpoint=s3:9000',
      's3://files?zone=1',
      's3://files?tags=maybe',
      's3://files?addressing=on',
      'https://files',
    ])
      expect(parse(odd), odd).to.equal(undefined);
  });

  it('keeps large files whole, in parts', async () => {
    const store = await open();
    const bytes = randomBytes(12 * 1024 * 1024 + 1);
    const { basename } = await store.put(svgArtifact({ bytes, companion: bytes.subarray(0, 6_000_000) }));
    expect((await contentOf(await store.get(basename, 'logo.svg'))).equals(bytes)).to.equal(true);
    expect(bytes.subarray(0, 6_000_000).equals((await store.companion(basename))!)).to.equal(true);
  });

  it('is one for several processes: what one puts, another gives, counts, sweeps and removes', async () => {
    const [prefix, clock] = [newPrefix(), createManualClock()];
    const shared = { prefix, clock, capBytes: 100 };
    const [first, second] = [await open(shared), await open(shared)];
    const one = await first.put(svgArtifact({ bytes: new Uint8Array(40), lifetimeMs: 1000 }));
    const other = await first.put(
      svgArtifact({ bytes: new Uint8Array(40), lifetimeMs: 5000, companion: new Uint8Array(10) }),
    );
    expect(await contentOf(await second.get(one.basename, 'logo.svg'))).to.have.length(40);
    await second.sweep();
    expect((await refusalOf(second.put(svgArtifact({ bytes: new Uint8Array(30) })))).code).to.equal('STORAGE_FULL');
    clock.advance(1000);
    expect(await second.sweep()).to.equal(1);
    expect(await first.get(one.basename, 'logo.svg')).to.equal(undefined);
    await second.remove(other.basename);
    expect(await first.companion(other.basename)).to.equal(undefined);
    const third = await open(shared);
    await third.put(svgArtifact({ bytes: new Uint8Array(100) }));
  });

  it('counts what is there when it is opened', async () => {
    const shared = { prefix: newPrefix(), capBytes: 100 };
    await (await open(shared)).put(svgArtifact({ bytes: new Uint8Array(80) }));
    const again = await open(shared);
    expect((await refusalOf(again.reserve(30))).code).to.equal('STORAGE_FULL');
  });

  it('neither counts nor sweeps where lifecycle rules do', async () => {
    const clock = createManualClock();
    const store = await open({ query: '&sweep=off', capBytes: 1, clock });
    const { basename } = await store.put(svgArtifact({ lifetimeMs: 10 }));
    expect(await contentOf(await store.get(basename, 'logo.svg'))).to.have.length(6);
    clock.advance(10);
    expect(await store.sweep()).to.equal(0);
    expect(await store.get(basename, 'logo.svg')).to.equal(undefined);
  });

  it('gives links where it is told to, which lead to the file under its name, and to no other', async () => {
    const clock = createManualClock();
    const store = await open({ links: true, clock });
    const { basename } = await store.put(svgArtifact({ fileName: 'größe 日本.svg' }));
    const link = (await store.link!(basename, 'größe 日本.svg'))!;
    const answer = await fetch(link);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.equal('<svg/>');
    expect(answer.headers.get('content-type')).to.equal('image/svg+xml');
    expect(answer.headers.get('content-disposition')).to.equal(
      `attachment; filename*=UTF-8''${encodeURIComponent('größe 日本.svg')}`,
    );
    expect([...new URL(link).searchParams.keys()]).to.include.members(['X-Amz-Signature', 'X-Amz-Expires']);
    for (const [name, file] of [
      [basename, 'other.svg'],
      ['A'.repeat(22), 'größe 日本.svg'],
      [`../${basename}`, 'größe 日本.svg'],
    ] as const)
      expect(await store.link!(name, file)).to.equal(undefined);
    clock.advance(1000);
    expect(await store.link!(basename, 'größe 日本.svg')).to.equal(undefined);
    expect((await open()).link).to.equal(undefined);
  });

  describe('that fails', () => {
    let failing: FailingStore;
    beforeEach(async () => {
      failing = await startFailingStore(server.port);
    });
    afterEach(() => failing.close());

    for (const state of ['failing', 'silent'] as const)
      it(`is told as UPSTREAM_UNAVAILABLE while it is ${state}, and is whole afterwards`, async () => {
        const limits = { connectLimitMs: 200, requestLimitMs: 200, tries: 2 };
        const store = await open({ endpoint: failing.endpoint, limits, capBytes: 100, links: true });
        const { basename } = await store.put(svgArtifact());
        failing.become(state);
        const before = failing.seen.failed;
        const room = await store.reserve(20);
        for (const ask of [
          () => room.put(svgArtifact()),
          () => store.put(svgArtifact()),
          () => store.get(basename, 'logo.svg'),
          () => store.companion(basename),
          () => store.link!(basename, 'logo.svg'),
          () => store.remove(basename),
          () => store.sweep(),
        ]) {
          const refusal = await refusalOf(ask());
          expect(refusal.code).to.equal('UPSTREAM_UNAVAILABLE');
          expect(refusal.retryAfterSeconds).to.equal(5);
        }
        expect(failing.seen.failed).to.be.greaterThan(before + 7);
        failing.become('whole');
        expect(await contentOf(await store.get(basename, 'logo.svg'))).to.have.length(6);
        // Nothing of what failed is counted.
        await store.put(svgArtifact({ bytes: new Uint8Array(94) }));
      }).timeout(20_000);

    it('once is asked again', async () => {
      const store = await open({
        endpoint: failing.endpoint,
        limits: { connectLimitMs: 500, requestLimitMs: 500, tries: 5 },
      });
      failing.become('failing');
      const putting = store.put(svgArtifact());
      while (failing.seen.failed < 2) await new Promise(setImmediate);
      failing.become('whole');
      expect(await contentOf(await store.get((await putting).basename, 'logo.svg'))).to.have.length(6);
    });
  });
});
