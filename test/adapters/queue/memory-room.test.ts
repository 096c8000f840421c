import { expect } from 'chai';
import { withMemoryRoom } from '#adapters/queue/memory-room.js';
import type { VectorizedFile, VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import { drawn } from '#test/contracts/conversion-queue.js';
import { refusalOf } from '#test/contracts/refusal-of.js';

/** Everything that has been settled by now gets to say so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A picture's bytes are as many as it needs; above the budget of 100 it is refused. */
function setUp() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve: (file: VectorizedFile) => void; reject: (error: unknown) => void }>();
  const vectorizeToFile: VectorizeToFile = ({ picture }) =>
    new Promise((resolve, reject) => {
      const size = picture.kind === 'encoded' ? picture.bytes.length : 0;
      begun.push(size);
      ends.set(size, { resolve, reject });
    });
  const memoryOf = ({ length }: Uint8Array) => {
    if (length > 100) throw new ServiceError('IMAGE_TOO_LARGE', { width: length, height: 1, limitPixels: 100 });
    return length;
  };
  const vectorize = withMemoryRoom({ vectorizeToFile, memoryOf, budgetBytes: 100 });
  const ask = (size: number, signal?: AbortSignal) =>
    vectorize({ picture: { kind: 'encoded', bytes: new Uint8Array(size) }, settings: {} }, signal);
  return { ask, begun, end: (size: number) => ends.get(size)!.resolve(drawn(String(size))), ends };
}

describe('room in memory', () => {
  it('is given in the order in which it was asked for', async () => {
    const { ask, begun, end, ends } = setUp();
    const asked = [60, 50, 10, 45].map((size) => ask(size).catch((error: unknown) => error));
    await settled();
    expect(begun).to.deep.equal([60]);
    // Given back by what fails, too.
    ends.get(60)!.reject(new Error('it failed'));
    await settled();
    expect(begun).to.deep.equal([60, 50, 10]);
    end(10);
    await settled();
    expect(begun).to.deep.equal([60, 50, 10, 45]);
    end(50);
    end(45);
    expect((await asked[0]) as Error).to.include({ message: 'it failed' });
    await Promise.all(asked);
    void ask(100);
    await settled();
    expect(begun.at(-1)).to.equal(100);
  });

  it('is not waited for by what never fits', async () => {
    const { ask, begun } = setUp();
    expect((await refusalOf(ask(101))).code).to.equal('IMAGE_TOO_LARGE');
    expect(begun).to.deep.equal([]);
  });

  it('is left to who stands behind by who leaves', async () => {
    const { ask, begun } = setUp();
    const aborting = new AbortController();
    void ask(60);
    const leaving = refusalOf(ask(50, aborting.signal));
    void ask(40);
    await settled();
    expect(begun).to.deep.equal([60]);
    aborting.abort();
    expect((await leaving).code).to.equal('CANCELLED');
    await settled();
    expect(begun).to.deep.equal([60, 40]);
    expect((await refusalOf(ask(1, aborting.signal))).code).to.equal('CANCELLED');
  });
});
