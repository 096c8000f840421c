import { expect } from 'chai';
import { clusterColors, nearestColors } from '#adapters/tracing/engine/quantize/cluster-colors.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const gray = (...levels: number[]) => Float64Array.from(levels.flatMap((level) => [level, level, level, 255]));

describe('bringing colors down to a number', () => {
  it('leaves colors alone where there are not more than asked for', () => {
    const channels = gray(0, 100, 200);
    const clusters = clusterColors(channels, [1, 1, 1], 3);
    expect(clusters.count).to.equal(3);
    expect([...clusters.of]).to.deep.equal([0, 1, 2]);
    expect(clusters.channels).to.equal(channels);
    expect(clusterColors(channels, [1, 1, 1], 9).count).to.equal(3);
  });

  it('joins what is near first, and takes the heaviest color of each cluster', () => {
    const clusters = clusterColors(gray(10, 14, 200, 206, 120), [5, 50, 30, 3, 8], 3);
    expect(clusters.count).to.equal(3);
    expect([...clusters.of]).to.deep.equal([0, 0, 1, 1, 2]);
    expect(clusters.channels).to.deep.equal(gray(14, 200, 120));
  });

  it('weighs: a rare color is given up before a frequent one that is nearer', () => {
    const clusters = clusterColors(gray(0, 60, 255), [1000, 1000, 1], 2);
    expect([...clusters.of]).to.deep.equal([0, 1, 1]);
  });

  it('gives exactly as many clusters as asked for, numbered without gaps, and the same twice', () => {
    const random = createSeededRandom(21);
    let rounds = 0;
    for (const size of [2, 17, 120, 700]) {
      const channels = Float64Array.from({ length: size * 4 }, () => Math.floor(random() * 256));
      const weights = Float64Array.from({ length: size }, () => Math.floor(random() * 50));
      for (const count of [1, 2, 5, 16]) {
        const clusters = clusterColors(channels, weights, count);
        expect(clusters.count).to.equal(Math.min(size, count));
        expect(new Set(clusters.of).size).to.equal(clusters.count);
        expect(Math.max(...clusters.of)).to.equal(clusters.count - 1);
        expect(clusterColors(channels, weights, count)).to.deep.equal(clusters);
        rounds++;
      }
    }
    expect(rounds).to.equal(16);
  });

  it('first gathers very many colors in cubes, and still no color appears that is not in the picture', () => {
    const random = createSeededRandom(4);
    const size = 3000;
    const centers = [
      [20, 30, 40],
      [200, 40, 60],
      [90, 220, 130],
      [240, 240, 250],
    ];
    const channels = new Float64Array(size * 4);
    for (let i = 0; i < size; i++) {
      for (let c = 0; c < 3; c++) channels[i * 4 + c] = centers[i % 4]![c]! + Math.round((random() - 0.5) * 20);
      channels[i * 4 + 3] = 255;
    }
    const clusters = clusterColors(channels, new Float64Array(size).fill(1), 4);
    expect(clusters.count).to.equal(4);
    for (let i = 4; i < size; i++) expect(clusters.of[i]).to.equal(clusters.of[i % 4]);
    const known = new Set(Array.from({ length: size }, (_, i) => channels.subarray(i * 4, i * 4 + 4).join()));
    for (let k = 0; k < 4; k++) expect(known.has(clusters.channels.subarray(k * 4, k * 4 + 4).join())).to.equal(true);
  });
});

describe('the nearest of given colors', () => {
  it('is found by distance in all four channels, the first of equals', () => {
    const fixed = Float64Array.from([255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0]);
    const channels = Float64Array.from([200, 10, 10, 255, 10, 10, 200, 255, 0, 0, 0, 20, 100, 0, 100, 255]);
    expect([...nearestColors(channels, fixed)]).to.deep.equal([0, 1, 2, 0]);
  });
});
