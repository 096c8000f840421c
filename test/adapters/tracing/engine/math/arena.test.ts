import { expect } from 'chai';
import { Arena } from '#adapters/tracing/engine/math/arena.js';

describe('the working memory of a picture', () => {
  it('gives zeros, whatever was there before, and the same memory for the next picture', () => {
    const arena = new Arena();
    // What the first picture needs is known when the second begins.
    arena.int32(100);
    arena.reset();
    const first = arena.int32(100).fill(7);
    expect(first.length).to.equal(100);
    arena.reset();
    const second = arena.int32(100);
    expect(second.buffer).to.equal(first.buffer);
    expect([...second]).to.deep.equal(new Array(100).fill(0));
  });

  it('never gives the same memory twice to one picture, of whatever kind and size', () => {
    const arena = new Arena();
    for (let picture = 0; picture < 3; picture++) {
      arena.reset();
      const taken = [
        arena.uint8(3),
        arena.float64(5),
        arena.uint8(1),
        arena.int32(7),
        arena.float64(2),
        arena.int32(0),
      ];
      taken.forEach((array, k) => void array.fill(k + 1));
      taken.forEach((array, k) => {
        expect([...array], `${picture} ${k}`).to.deep.equal(new Array(array.length).fill(k + 1));
      });
    }
  });

  it('takes more where a picture needs more than the one before, and keeps no more than its share', () => {
    const arena = new Arena();
    arena.reset();
    const large = arena.float64(6_000_000);
    expect(large.length).to.equal(6_000_000);
    arena.reset();
    const kept = arena.uint8(8);
    expect(kept.buffer.byteLength).to.be.at.most(32 * 1024 * 1024);
    // Too large for what is kept: from the system, and zeros all the same.
    const again = arena.float64(6_000_000);
    expect(again.buffer).to.not.equal(kept.buffer);
    expect(again.length).to.equal(6_000_000);
    expect(again.indexOf(1)).to.equal(-1);
  });
});
