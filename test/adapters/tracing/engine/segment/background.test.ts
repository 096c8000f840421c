import { expect } from 'chai';
import { findBackground } from '#adapters/tracing/engine/segment/background.js';
import { regionsOf } from '#test/support/engine-parts.js';

const marked = (rows: readonly string[]) => {
  const regions = regionsOf(rows);
  const background = findBackground(regions);
  return rows.map((row, y) => [...row].map((_, x) => background[regions.of[y * row.length + x]!]).join(''));
};

describe('the background', () => {
  it('is the color most of the border has, wherever that color touches the border', () => {
    expect(marked(['eeeee', 'eaaae', 'eaeae', 'eaaae', 'eeeee'])).to.deep.equal([
      '11111',
      '10001',
      '10001',
      '10001',
      '11111',
    ]);
    expect(marked(['eeaee', 'eeaee', 'eeaee', 'eeaee'])).to.deep.equal(['11011', '11011', '11011', '11011']);
  });

  it('is nothing where no color has half of the border', () => {
    expect(marked(['aab', 'aab', 'ccb', 'ccd'])).to.deep.equal(['000', '000', '000', '000']);
  });

  it('is found in pictures one pixel high, wide or both', () => {
    expect(marked(['aaab'])).to.deep.equal(['1110']);
    expect(marked(['a', 'a', 'b'])).to.deep.equal(['1', '1', '0']);
    expect(marked(['a'])).to.deep.equal(['1']);
  });
});
