import { expect } from 'chai';
import { ProfileSystem } from '#adapters/tracing/engine/math/profile-cholesky.js';
import { StageMemory } from '#adapters/tracing/engine/math/stage-memory.js';

/** The corner solution of a chain of springs: 2, -1 beside it. */
function solveSprings(system: ProfileSystem, size: number): number {
  system.begin(size);
  for (let i = 1; i < size; i++) system.coupleAll(Int32Array.of(i - 1, i));
  system.layOut();
  system.clear();
  for (let i = 0; i < size; i++) {
    system.add(i, i, 2);
    if (i > 0) system.add(i, i - 1, -1);
    system.rhs[i] = 1;
  }
  expect(system.solve(0)).to.equal(true);
  return system.solution[0]!;
}

describe('memory of stages', () => {
  it('is the same for all of them until one needs more, and then none of it holds what lay in the former', () => {
    const memory = new StageMemory();
    const first = new Float64Array(memory.take(800), 0, 100);
    expect(memory.holds(first)).to.equal(true);
    expect(memory.take(80)).to.equal(first.buffer);
    const larger = memory.take(80_000);
    expect(larger.byteLength).to.be.at.least(80_000);
    expect(memory.holds(first)).to.equal(false);
    expect(memory.holds(new Float64Array(larger))).to.equal(true);
  });

  it('leaves a system right that another one has written over, smaller or larger', () => {
    const memory = new StageMemory();
    const own = new ProfileSystem(memory);
    const other = new ProfileSystem(memory);
    for (const [size, between] of [
      [10, 4],
      [10, 30_000],
      [2000, 3],
      [50_000, 10],
    ] as const) {
      solveSprings(other, between);
      expect(solveSprings(own, size)).to.be.closeTo(size / 2, size * 1e-6);
    }
  });

  it('gives a system room beside its matrix', () => {
    const system = new ProfileSystem();
    system.begin(2);
    const room = system.layOut(5000);
    expect(room.length).to.be.at.least(5000);
    system.clear();
    system.add(0, 0, 4);
    system.add(1, 1, 4);
    system.rhs.set([4, 8]);
    room.fill(77);
    expect(system.solve(0)).to.equal(true);
    expect([...system.solution.subarray(0, 2)]).to.deep.equal([1, 2]);
  });
});
