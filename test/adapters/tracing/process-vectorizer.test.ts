import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createProcessVectorizer, type ProcessVectorizer } from '#adapters/tracing/process-vectorizer.js';
import { createVectorizeToFile, type VectorizedFile } from '#application/use-cases/vectorize-to-file.js';
import { composeVectorizeImage } from '#config/compose.js';
import { circle } from '#test/support/outlines.js';
import { fixturePath } from '#test/support/package-root.js';
import { layer, paint } from '#test/support/pictures.js';
import { refusalOf } from '#test/support/refusal-of.js';
import { until } from '#test/support/until.js';
import { pngOf } from '#test/support/write-png.js';

const ENTRY = new URL(import.meta.resolve('#config/main/tracing-process.js'));
const disc = (n: number): Uint8Array =>
  pngOf(paint(40, 40, 0xffffff, [layer(0x204080 + n * 7919, circle(20, 20, 6 + n))]));
const encoded = (bytes: Uint8Array) => ({ picture: { kind: 'encoded' as const, bytes }, settings: {} });
const svgOf = ({ svgFile }: VectorizedFile) => new TextDecoder().decode(svgFile);

/** How a process was started; nothing where it has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Processes that this one has started and that still run. */
const children = (): readonly number[] =>
  readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((text) => text !== '')
    .map(Number)
    .filter((pid) => commandOf(pid).includes('tracing-process'));

describe('processes that trace', () => {
  let vectorizer: ProcessVectorizer;
  beforeEach(() => {
    vectorizer = createProcessVectorizer({ entry: ENTRY, processes: 2, memoryBytes: 512 * 1024 ** 2 });
  });
  afterEach(() => vectorizer.close());

  it('answer what tracing here answers, each picture its own', async () => {
    const here = createVectorizeToFile({ vectorizeImage: composeVectorizeImage() });
    const pictures = [1, 2, 3, 4, 5].map(disc);
    const there = await Promise.all(pictures.map((bytes) => vectorizer.vectorizeToFile(encoded(bytes))));
    for (const [at, bytes] of pictures.entries()) {
      const own = await here(encoded(bytes));
      expect(svgOf(there[at]!)).to.equal(svgOf(own));
      expect(there[at]!.drawingFile).to.deep.equal(own.drawingFile);
      expect(there[at]!.traceStats).to.have.keys(Object.keys(own.traceStats));
      for (const name of ['svg', 'colorPalette', 'colorGroups'] as const)
        expect(Buffer.from(there[at]!.json[name]).toString()).to.equal(Buffer.from(own.json[name]).toString());
    }
    expect(new Set(there.map(svgOf)).size).to.equal(5);
    expect(children()).to.have.length(2);
  });

  it('say how far they are to who asks', async () => {
    const seen: string[] = [];
    const bytes = readFileSync(fixturePath('lighthouse.png'));
    await vectorizer.vectorizeToFile({ ...encoded(bytes), onProgress: (stage) => seen.push(stage) });
    expect(seen[0]).to.equal('decode');
  });

  it('refuse with the code of the refusal, and go on', async () => {
    const broken = vectorizer.vectorizeToFile(encoded(disc(1).subarray(0, 60)));
    expect((await refusalOf(broken)).code).to.equal('UNREADABLE_IMAGE');
    expect(svgOf(await vectorizer.vectorizeToFile(encoded(disc(2))))).to.match(/^<svg /);
  });

  it('are given up with what they work on, and what waits is never begun', async () => {
    const aborting = new AbortController();
    const bytes = readFileSync(fixturePath('lighthouse.png'));
    const given = Array.from({ length: 6 }, () =>
      refusalOf(vectorizer.vectorizeToFile({ ...encoded(bytes), onProgress: () => aborting.abort() }, aborting.signal)),
    );
    for (const refusal of await Promise.all(given)) expect(refusal.code).to.equal('CANCELLED');
    await until(() => children().length === 0);
    expect((await refusalOf(vectorizer.vectorizeToFile(encoded(bytes), aborting.signal))).code).to.equal('CANCELLED');
    expect(svgOf(await vectorizer.vectorizeToFile(encoded(disc(3))))).to.match(/^<svg /);
  });

  it('take nothing with them but their own picture when they die', async () => {
    const bytes = readFileSync(fixturePath('lighthouse.png'));
    let killed = false;
    const kill = () => {
      if (!killed) process.kill(children()[0] as number, 'SIGKILL');
      killed = true;
    };
    const outcomes = await Promise.allSettled([
      vectorizer.vectorizeToFile({ ...encoded(bytes), onProgress: kill }),
      ...[1, 2, 3].map((n) => vectorizer.vectorizeToFile(encoded(disc(n)))),
    ]);
    const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(lost.map(({ reason }) => (reason as Error).message)).to.deep.equal([
      'the process that traced it was ended by SIGKILL',
    ]);
  });

  it('are gone when they are closed', async () => {
    await vectorizer.vectorizeToFile(encoded(disc(1)));
    expect(children()).to.have.length(1);
    await vectorizer.close();
    await until(() => children().length === 0);
  });
});
