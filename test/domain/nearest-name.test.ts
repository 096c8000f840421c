import { expect } from 'chai';
import fc from 'fast-check';
import { nearestName } from '#domain/nearest-name.js';
import { SETTING_NAMES } from '#domain/presets/settings.js';
import { holds } from '#test/support/properties.js';

describe('the nearest name', () => {
  it('forgives a swap, a missing, a doubled and a wrong letter, and another spelling', () => {
    for (const typed of [
      'pallete_count',
      'palete_count',
      'palette_ccount',
      'palette-count',
      'paletteCount',
      'PALETTE_COUNT',
    ])
      expect(nearestName(typed, SETTING_NAMES), typed).to.equal('palette_count');
  });

  it('takes the first of equals', () => {
    expect(nearestName('x', ['ab', 'cd'])).to.equal('ab');
  });

  it('finds every name from itself with one letter changed', () => {
    holds(
      fc.property(fc.constantFrom(...SETTING_NAMES), fc.nat(), (name, at) => {
        const i = at % name.length;
        expect(nearestName(`${name.slice(0, i)}#${name.slice(i + 1)}`, SETTING_NAMES)).to.equal(name);
      }),
    );
  });

  it('refuses to choose among none', () => {
    expect(() => nearestName('a', [])).to.throw(RangeError);
  });
});
