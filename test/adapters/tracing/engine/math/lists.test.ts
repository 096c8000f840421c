import { expect } from 'chai';
import { FloatList, IntList } from '#adapters/tracing/engine/math/lists.js';
import { toOklab } from '#adapters/tracing/engine/math/oklab.js';

describe('growing lists', () => {
  for (const List of [FloatList, IntList])
    it(`${List.name} keeps everything that is pushed, however much`, () => {
      const list = new List(2);
      for (let i = 0; i < 1000; i++) list.push(i * 3);
      expect(list.length).to.equal(1000);
      for (let i = 0; i < 1000; i++) expect(list.data[i]).to.equal(i * 3);
    });

  for (const List of [FloatList, IntList])
    it(`${List.name} makes room that may be written to directly`, () => {
      const list = new List(1);
      list.push(7);
      list.reserve(500);
      const before = list.data;
      for (let i = 0; i < 500; i++) list.data[list.length++] = i;
      list.reserve(0);
      expect(list.data).to.equal(before);
      expect(list.length).to.equal(501);
      expect([list.data[0], list.data[500]]).to.deep.equal([7, 499]);
    });
});

describe('OKLab', () => {
  it('has the published values of white, black, red, green and blue', () => {
    const expected: readonly (readonly [number[], number[]])[] = [
      [
        [255, 255, 255],
        [1, 0, 0],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [
        [255, 0, 0],
        [0.628, 0.2249, 0.1258],
      ],
      [
        [0, 255, 0],
        [0.8664, -0.2339, 0.1795],
      ],
      [
        [0, 0, 255],
        [0.452, -0.0325, -0.3115],
      ],
    ];
    const out = new Float64Array(5);
    for (const [[r, g, b], lab] of expected) {
      toOklab(r!, g!, b!, out, 2);
      lab.forEach((value, c) => {
        expect(out[2 + c]).to.be.closeTo(value, 5e-4);
      });
    }
  });
});
