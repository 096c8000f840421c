import { expect } from 'chai';
import { bar, circle, lettering, rectangle, ring, roundedRectangle, star, turned } from './outlines.js';
import { coverageOf, layer, paint, testPictures } from './pictures.js';

const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

describe('the painter of test pictures', () => {
  it('covers exactly the area of every shape', () => {
    const r = 11.3;
    const corner = roundedRectangle(5.3, 4.1, 30.5, 20.25, 6);
    const shapes = [
      { outline: [rectangle(3.25, 4.5, 10.5, 7.125)], area: 10.5 * 7.125 },
      { outline: [turned(rectangle(12, 14, 20, 16), 31, 22, 22)], area: 320 },
      { outline: [bar(4.2, 6.1, 40.7, 33.3, 1.3)], area: 1.3 * Math.hypot(36.5, 27.2) },
      { outline: [circle(22.4, 21.7, r)], area: Math.PI * r * r },
      { outline: ring(22, 22, 17, 8.5), area: Math.PI * (17 ** 2 - 8.5 ** 2) },
      { outline: [corner], area: 30.5 * 20.25 - (4 - Math.PI) * 36 },
      { outline: [star(22, 22, 18, 7, 5)], area: 5 * 18 * 7 * Math.sin(Math.PI / 5) },
    ];
    for (const { outline, area } of shapes) expect(total(coverageOf(outline, 44, 44))).to.be.closeTo(area, area * 1e-4);
  });

  it('gives every pixel a vertical or horizontal edge runs through the covered share', () => {
    const coverage = coverageOf([rectangle(2.25, 1.5, 3.5, 2)], 8, 5);
    expect(coverage[2 * 8 + 2]).to.be.closeTo(0.75, 1e-12);
    expect(coverage[2 * 8 + 4]).to.be.closeTo(1, 1e-12);
    expect(coverage[2 * 8 + 5]).to.be.closeTo(0.75, 1e-12);
    expect(coverage[1 * 8 + 2]).to.be.closeTo(0.375, 1e-12);
    expect(coverage[2 * 8 + 6]).to.be.closeTo(0, 1e-12);
  });

  it('cuts off what lies outside the picture', () => {
    expect(total(coverageOf([rectangle(-5, -5, 10, 10)], 8, 8))).to.be.closeTo(25, 1e-9);
    expect(total(coverageOf([rectangle(-5, 2, 30, 3)], 8, 8))).to.be.closeTo(24, 1e-9);
    expect(total(coverageOf([rectangle(20, 2, 30, 3)], 8, 8))).to.be.closeTo(0, 1e-9);
  });

  it('paints mixtures of colors and of opacity', () => {
    const opaque = paint(2, 1, 0xffffff, [layer(0, rectangle(0, 0, 0.5, 1))]);
    expect([...opaque.data]).to.deep.equal([128, 128, 128, 255, 255, 255, 255, 255]);
    const clear = paint(2, 1, null, [{ color: 0xff8000, opacity: 0.5, outline: [rectangle(0, 0, 1, 1)] }]);
    expect([...clear.data]).to.deep.equal([255, 128, 0, 128, 0, 0, 0, 0]);
  });

  it('writes letters with holes', () => {
    const coverage = coverageOf(lettering(2, 2, 40), 150, 44);
    expect(coverage[Math.floor(2 + 0.27 * 40) * 150 + Math.floor(2 + 0.3 * 40)]).to.be.closeTo(0, 1e-9);
    expect(total(coverage)).to.be.within(1500, 4000);
  });

  it('makes the same pictures on every call, of the size they say', async () => {
    const first = await testPictures();
    const second = await testPictures();
    expect(first.length).to.be.greaterThan(35);
    expect(second).to.deep.equal(first);
    for (const { name, raster } of first) expect(raster.data.length, name).to.equal(raster.width * raster.height * 4);
  });
});
