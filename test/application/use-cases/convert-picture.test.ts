import { expect } from 'chai';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createInProcessConversionQueue } from '#adapters/queue/in-process-conversion-queue.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { unpackDrawing } from '#application/drawing-file.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import { type ConvertPictureInput, createConvertPicture } from '#application/use-cases/convert-picture.js';
import { createDownloadArtifact } from '#application/use-cases/download-artifact.js';
import { estimateConversion } from '#application/use-cases/estimate-conversion.js';
import { createVectorizeToFile, type VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import { TIERS, type TierId } from '#domain/tiers/tier.js';
import { contentOf } from '#test/contracts/artifact-store.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { discRaster } from '#test/support/rasters.js';
import { createRunTracer, toPpm } from '#test/support/run-tracer.js';
import { until } from '#test/support/until.js';
import { vectorizeWith } from '#test/support/vectorize-with.js';

function setUp(over: { artifacts?: ArtifactStore; vectorizeToFile?: VectorizeToFile } = {}) {
  const clock = createManualClock();
  const artifacts = over.artifacts ?? createMemoryArtifactStore({ clock, ids: randomIdSource, capBytes: 1_000_000 });
  const slots: string[] = [];
  const queue = createInProcessConversionQueue({
    slots: {
      async enter(tier: TierId) {
        slots.push(`enter ${tier}`);
        return { waitedMs: 12, release: () => slots.push('release') };
      },
      requirePlace: () => {},
      claimPlace: () => () => {},
      isCrowded: () => false,
      load: () => {
        throw new Error('nobody asks');
      },
      close: async () => {},
    },
    vectorizeToFile:
      over.vectorizeToFile ?? createVectorizeToFile({ vectorizeImage: vectorizeWith(createRunTracer()) }),
  });
  const convertPicture = createConvertPicture({ queue, artifacts, fileLifetimeMs: 5000 });
  const convert = (input: Omit<ConvertPictureInput, 'caller'>) =>
    convertPicture({ ...input, caller: { id: 'somebody', maxInFlight: 1 } });
  return { clock, artifacts, slots, convert, download: createDownloadArtifact({ artifacts }) };
}
const bytes = () => toPpm(discRaster(16));

describe('converting a picture', () => {
  it('answers with the SVG, keeps it, and keeps its drawing beside it', async () => {
    const { convert, download, artifacts, clock } = setUp();
    const answer = await convert({ bytes: bytes(), fileName: 'my disc.ppm', settings: {} });
    expect(answer.file).to.include({
      fileName: 'my-disc.svg',
      sizeBytes: answer.traceStats.svgBytes,
      expiresAtMs: clock.wallMs() + 5000,
    });
    const { basename, fileName } = answer.file;
    const stored = await download({ fileBasename: basename, actualFilename: fileName });
    expect(stored.mediaType).to.equal('image/svg+xml');
    expect((await contentOf(stored)).toString()).to.equal(Buffer.from(answer.svgFile).toString());
    const drawing = unpackDrawing((await artifacts.companion(basename))!);
    expect(drawing).to.include({ width: 16, height: 16 });
    expect(drawing.items.length).to.equal(answer.traceStats.shapes);
    expect(answer).not.to.have.any.keys('drawing', 'drawingFile');
    expect(JSON.parse(Buffer.from(answer.json.svg).toString())).to.equal(Buffer.from(answer.svgFile).toString());
  });

  it('runs in a slot of its tier, told how long it waited for it', async () => {
    const { convert, slots } = setUp();
    const { traceStats } = await convert({ bytes: bytes(), fileName: undefined, settings: { quality_tier: 'fast' } });
    expect(slots).to.deep.equal(['enter fast', 'release']);
    expect(traceStats.timingsMs.queued).to.equal(12);
  });

  it('refuses wrong settings before it waits for anything', async () => {
    const { convert, slots } = setUp();
    const error = await refusalOf(convert({ bytes: bytes(), fileName: undefined, settings: { preset: 'foo' } }));
    expect([error.code, error.field]).to.deep.equal(['INVALID_REQUEST', 'preset']);
    expect(slots).to.deep.equal([]);
  });

  it('gives its slot back whatever happens', async () => {
    const { convert, slots } = setUp();
    await refusalOf(convert({ bytes: new Uint8Array([1, 2]), fileName: undefined, settings: {} }));
    expect(slots).to.deep.equal(['enter balanced_crisp', 'release']);
  });

  it('finds before any work that nothing more can be kept', async () => {
    const artifacts = createMemoryArtifactStore({ clock: createManualClock(), ids: randomIdSource, capBytes: 10 });
    const { convert, slots } = setUp({ artifacts });
    const onTurn = () => {
      throw new Error('its turn does not come');
    };
    const refused = await refusalOf(convert({ bytes: bytes(), fileName: undefined, settings: {}, onTurn }));
    expect(refused.code).to.equal('STORAGE_FULL');
    expect(slots).to.deep.equal(['enter balanced_crisp', 'release']);
  });

  it('works while its turn is paid for, and gives nothing away before that', async () => {
    const { convert, artifacts, slots } = setUp();
    let pay = () => {};
    const paid = new Promise<void>((resolve) => {
      pay = resolve;
    });
    const done: string[] = [];
    const put = artifacts.reserve.bind(artifacts);
    artifacts.reserve = async (size) => {
      const room = await put(size);
      return {
        ...room,
        put(artifact) {
          done.push('kept');
          return room.put(artifact);
        },
      };
    };
    const converting = convert({ bytes: bytes(), fileName: 'a.ppm', settings: {}, onTurn: () => paid });
    void converting.then(() => done.push('answered'));
    await until(() => slots.includes('release'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(done).to.deep.equal([]);
    pay();
    await converting;
    expect(done).to.deep.equal(['kept', 'answered']);
  });

  it('stops the work where its turn cannot be paid for, and says why', async () => {
    let stopped: unknown;
    const { convert, slots, artifacts } = setUp({
      vectorizeToFile: (_input, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            stopped = signal.reason;
            reject(new ServiceError('CANCELLED'));
          });
        }),
    });
    const poor = new ServiceError('INSUFFICIENT_CREDITS', { needed: 2, balance: 1 });
    const onTurn = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw poor;
    };
    expect(await refusalOf(convert({ bytes: bytes(), fileName: undefined, settings: {}, onTurn }))).to.equal(poor);
    expect(stopped).to.equal(poor);
    expect(slots).to.deep.equal(['enter balanced_crisp', 'release']);
    // The room is there again.
    (await artifacts.reserve(1_000_000)).release();
  });

  it('ends with how its turn ended where the work fails first', async () => {
    let hasTurned = false;
    const { convert } = setUp();
    const onTurn = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      hasTurned = true;
    };
    const broken = new Uint8Array([1, 2]);
    expect((await refusalOf(convert({ bytes: broken, fileName: undefined, settings: {}, onTurn }))).code).to.equal(
      'UNSUPPORTED_IMAGE',
    );
    expect(hasTurned).to.equal(true);
  });

  it('gives the room back where nothing comes of it', async () => {
    const artifacts = createMemoryArtifactStore({ clock: createManualClock(), ids: randomIdSource, capBytes: 70_000 });
    const { convert } = setUp({ artifacts });
    for (let i = 0; i < 3; i++)
      await refusalOf(convert({ bytes: new Uint8Array([1, 2]), fileName: undefined, settings: {} }));
    await convert({ bytes: bytes(), fileName: undefined, settings: {} });
  });

  it('answers the same for every file that is not there', async () => {
    const { convert, download, clock } = setUp();
    const { file } = await convert({ bytes: bytes(), fileName: 'a.png', settings: {} });
    const wrong = await refusalOf(download({ fileBasename: file.basename, actualFilename: 'b.svg' }));
    const never = await refusalOf(download({ fileBasename: 'x', actualFilename: 'a.svg' }));
    clock.advance(5000);
    const expired = await refusalOf(download({ fileBasename: file.basename, actualFilename: 'a.svg' }));
    for (const error of [wrong, never, expired]) {
      expect(error.code).to.equal('NOT_FOUND');
      expect(error.message).to.equal(wrong.message);
    }
  });
});

describe('estimating a conversion', () => {
  it('says the price and the settings, and who chose each', () => {
    const { credits, settings } = estimateConversion({ quality_tier: 'high_precision', preset: 'logo' });
    expect(credits).to.equal(TIERS.high_precision.credits);
    expect(settings.quality_tier).to.deep.equal({ value: 'high_precision', origin: 'explicit' });
    expect(settings.quality_profile?.origin).to.equal('preset');
    expect(settings.simplification?.origin).to.equal('default');
  });
});
