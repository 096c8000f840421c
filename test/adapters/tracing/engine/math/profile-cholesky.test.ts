import { expect } from 'chai';
import { ProfileSystem } from '#adapters/tracing/engine/math/profile-cholesky.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

/** Gaussian elimination with pivoting. */
function solveDense(matrix: number[][], rhs: number[]): number[] {
  const n = rhs.length;
  const a = matrix.map((row, i) => [...row, rhs[i]!]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c; r < n; r++) if (Math.abs(a[r]![c]!) > Math.abs(a[pivot]![c]!)) pivot = r;
    [a[c], a[pivot]] = [a[pivot]!, a[c]!];
    for (let r = c + 1; r < n; r++) {
      const factor = a[r]![c]! / a[c]![c]!;
      for (let k = c; k <= n; k++) a[r]![k]! -= factor * a[c]![k]!;
    }
  }
  const solution = new Array<number>(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let sum = a[r]![n]!;
    for (let k = r + 1; k < n; k++) sum -= a[r]![k]! * solution[k]!;
    solution[r] = sum / a[r]![r]!;
  }
  return solution;
}

interface Equation {
  readonly unknowns: readonly number[];
  readonly factors: readonly number[];
}

/** Equations of neighbors in a row, as a chain has them, some of which close the loop. */
function randomEquations(random: () => number, size: number): Equation[] {
  const equations: Equation[] = [];
  for (let k = 0; k < size * 3; k++) {
    const reach = 1 + Math.floor(random() * Math.min(6, size));
    const first = random() < 0.1 ? size - 1 : Math.floor(random() * size);
    const unknowns = [...new Set(Array.from({ length: reach }, (_, i) => (first + i) % size))];
    equations.push({ unknowns, factors: unknowns.map(() => random() * 4 - 2) });
  }
  return equations;
}

describe('a symmetric system kept by its profile', () => {
  it('has the solution a dense solver finds, for 200 random systems solved on one object', () => {
    const random = createSeededRandom(11);
    const system = new ProfileSystem();
    let solved = 0;
    for (let round = 0; round < 200; round++) {
      const size = 1 + Math.floor(random() * (round % 10 === 0 ? 300 : 40));
      const damping = random() < 0.5 ? 0.05 : 1;
      const equations = randomEquations(random, size);
      const dense = Array.from({ length: size }, () => new Array<number>(size).fill(0));
      const rhs = Array.from({ length: size }, () => random() * 10 - 5);
      system.begin(size);
      for (const { unknowns } of equations)
        for (const a of unknowns) for (const b of unknowns) if (a > b) system.coupleAll(Int32Array.of(b, a));
      system.coupleAll(Int32Array.of(-1, 0));
      system.layOut();
      system.clear();
      rhs.forEach((value, i) => {
        system.rhs[i]! += value;
      });
      for (const { unknowns, factors } of equations)
        unknowns.forEach((a, i) => {
          for (let j = 0; j <= i; j++) {
            const b = unknowns[j]!;
            const value = factors[i]! * factors[j]!;
            system.add(a, b, value);
            dense[a]![b]! += value;
            if (a !== b) dense[b]![a]! += value;
          }
        });
      expect(system.solve(damping)).to.equal(true);
      for (let i = 0; i < size; i++) dense[i]![i]! += damping;
      const expected = solveDense(dense, rhs);
      for (let i = 0; i < size; i++)
        expect(system.solution[i]).to.be.closeTo(expected[i]!, 1e-6 * (1 + Math.abs(expected[i]!)));
      solved++;
    }
    expect(solved).to.equal(200);
  });

  it('keeps its matrix: another damping gives that damping its answer', () => {
    const system = new ProfileSystem();
    system.begin(2);
    system.coupleAll(Int32Array.of(0, 1));
    system.layOut();
    system.clear();
    system.add(0, 0, 3);
    system.add(1, 1, 2);
    system.add(0, 1, 1);
    system.rhs.set([1, 2]);
    for (const damping of [5, 0, 5]) {
      expect(system.solve(damping)).to.equal(true);
      const determinant = (3 + damping) * (2 + damping) - 1;
      expect(system.solution[0]).to.be.closeTo((2 + damping - 2) / determinant, 1e-12);
      expect(system.solution[1]).to.be.closeTo((2 * (3 + damping) - 1) / determinant, 1e-12);
    }
  });

  it('says so where the matrix is not positive definite', () => {
    const system = new ProfileSystem();
    system.begin(2);
    system.coupleAll(Int32Array.of(0, 1));
    system.layOut();
    system.clear();
    system.add(0, 0, 1);
    system.add(1, 1, 1);
    system.add(1, 0, 2);
    expect(system.solve(0)).to.equal(false);
    expect(system.solve(1.5)).to.equal(true);
    system.add(0, 0, Number.NaN);
    expect(system.solve(1)).to.equal(false);
  });
});
