import { expect } from 'chai';
import sharp from 'sharp';
import { measureBlur } from '#adapters/tracing/engine/intake/blur-width.js';
import { findEnlarged } from '#adapters/tracing/engine/intake/enlargement.js';
import { findSmaller } from '#adapters/tracing/engine/intake/smaller-picture.js';
import { lookAtEdges } from '#adapters/tracing/engine/intake/soft-edges.js';
import type { Raster } from '#application/ports/tracer.js';
import { countFarther } from '#test/support/compare-pictures.js';
import { enlarged, type Kernel } from '#test/support/enlarged-pictures.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { bar, circle, rectangle, star } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';
import { renderExact } from '#test/support/render-exact.js';
import { gaussianBlurred, softened } from '#test/support/soft-pictures.js';

const small = paint(72, 60, 0xffffff, [
  layer(0x000000, circle(25.3, 28.6, 18.2)),
  layer(0xe63946, star(52.7, 30.2, 16, 7, 5)),
  layer(0xffffff, circle(25.3, 28.6, 8.1)),
]);

const figures = (scale: number) => [
  layer(0x1d3557, circle(40.3 * scale, 44.6 * scale, 25.2 * scale)),
  layer(0xe63946, star(102.7 * scale, 36.2 * scale, 30 * scale, 13 * scale, 5)),
  layer(0x2a9d8f, star(100.7 * scale, 90.2 * scale, 24 * scale, 15 * scale, 7)),
  layer(0xffffff, circle(40.3 * scale, 44.6 * scale, 11.1 * scale)),
];
const drawing = paint(144, 120, 0xffffff, figures(1));

describe('enlarged pictures', () => {
  for (const kernel of ['linear', 'cubic', 'steep-cubic', 'mitchell', 'lanczos'] as const satisfies readonly Kernel[]) {
    // Lanczos's rings cover all of so small a picture, and hide where it is even.
    for (const factor of kernel === 'lanczos' ? [2, 3, 4] : [1.5, 2, 3, 4]) {
      it(`are brought back, enlarged ${factor} times, ${kernel}`, () => {
        const found = findEnlarged(enlarged(small, 72 * factor, 60 * factor, kernel)) as Raster;
        expect([found.width, found.height]).to.deep.equal([72, 60]);
        // Beyond white and black nothing is known of what the rings would have been.
        expect(countFarther(found, small, 8)).to.be.at.most(0.01 * 72 * 60);
      });
    }
  }

  for (const kernel of ['linear', 'cubic'] as const satisfies readonly Kernel[]) {
    for (const factor of [2, 3, 4]) {
      it(`are brought back, enlarged ${factor} times, ${kernel}, half a pixel aside`, () => {
        const found = findEnlarged(enlarged(small, 72 * factor, 60 * factor, kernel, 0.5)) as Raster;
        expect([found.width, found.height]).to.deep.equal([72, 60]);
        expect(countFarther(found, small, 8)).to.be.at.most(0.01 * 72 * 60);
      });
    }
  }

  it('are brought back where their edges lie on pixels and are sharp still, but not where such a drawing was compressed', async () => {
    const boxes = [
      layer(0x1d3557, rectangle(6, 5, 30, 18)),
      layer(0xe63946, rectangle(12, 28, 40, 9)),
      layer(0x2a9d8f, rectangle(41, 8, 12, 14)),
      layer(0x000000, rectangle(8, 42, 14, 8)),
      layer(0xf4a261, rectangle(30, 41, 23, 10)),
      layer(0xffffff, rectangle(14, 9, 12, 7)),
    ];
    const icon = paint(60, 56, 0xffffff, boxes);
    const sharp = enlarged(icon, 90, 84, 'cubic');
    expect(measureBlur(sharp).px).to.be.within(0.1, 0.3);
    const found = findSmaller(sharp, true)?.picture as Raster;
    expect([found.width, found.height]).to.deep.equal([60, 56]);
    expect(countFarther(found, icon, 8)).to.equal(0);
    expect(findSmaller(await jpegDamaged(paint(90, 84, 0xffffff, boxes), 60), true)).to.equal(undefined);
  });

  it('are brought back as libvips enlarges them', async () => {
    const { data } = await sharp(small.data, { raw: { width: 72, height: 60, channels: 4 } })
      .resize(144, 120, { kernel: 'cubic' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const found = findEnlarged({ width: 144, height: 120, data: new Uint8Array(data) }) as Raster;
    expect([found.width, found.height]).to.deep.equal([72, 60]);
    expect(countFarther(found, small, 8)).to.be.at.most(0.01 * 72 * 60);
  });

  for (const [kernel, factor, quality, shiftPx] of [
    ['linear', 2, 75, 0],
    ['cubic', 2, 60, 0],
    ['cubic', 2, 85, 0.5],
    ['cubic', 3, 85, 0],
    ['mitchell', 2, 85, 0],
    ['lanczos', 2, 85, 0],
    ['cubic', 1.5, 90, 0],
    ['linear', 4, 80, 0],
  ] as const) {
    it(`are brought back, enlarged ${factor} times, ${kernel}${shiftPx > 0 ? ', aside' : ''}, and compressed since (${quality})`, async () => {
      const damaged = await jpegDamaged(enlarged(drawing, 144 * factor, 120 * factor, kernel, shiftPx), quality);
      const found = findEnlarged(damaged) as Raster;
      expect([found.width, found.height]).to.deep.equal([144, 120]);
      // Colors are compressed to half the size, and bleed.
      expect(countFarther(found, drawing, 40)).to.be.at.most(0.03 * 144 * 120);
    });
  }

  for (const [kernel, width, height] of [
    ['cubic', 369, 308],
    ['linear', 317, 264],
    ['lanczos', 475, 396],
    ['cubic', 240, 200],
    ['cubic', 192, 160],
  ] as const) {
    it(`are brought back from any size, ${width} x ${height} px, ${kernel}, compressed or not`, async () => {
      const large = enlarged(drawing, width, height, kernel);
      for (const picture of [large, await jpegDamaged(large, 90)]) {
        const found = findEnlarged(picture) as Raster;
        expect([found.width, found.height]).to.deep.equal([144, 120]);
        expect(countFarther(found, drawing, 40)).to.be.at.most(0.03 * 144 * 120);
      }
    });
  }

  // A rule, a ring and letters, as on a form: most of what changes is black on white, which cuts off half of what sharp kernels add.
  const form = paint(180, 120, 0xffffff, [
    layer(0x000000, rectangle(12, 14, 150, 3)),
    layer(0x000000, circle(48.3, 70.6, 30.2)),
    layer(0xffffff, circle(48.3, 70.6, 26.1)),
    layer(0x000000, bar(100, 40, 128, 100, 5), bar(128, 100, 156, 40, 5), bar(110, 62, 146, 62, 5)),
  ]);
  for (const [kernel, shiftPx, inBytes] of [
    ['linear', 0, true],
    ['cubic', 0, false],
    ['cubic', 0.5, false],
    ['steep-cubic', 0, true],
    ['lanczos', 0, true],
  ] as const) {
    for (const factor of [1.2, 1.25, 4 / 3]) {
      const how = `${kernel}${shiftPx > 0 ? ', half a pixel aside' : ''}${inBytes ? ', in bytes' : ''}`;
      it(`are brought back, enlarged by no more than ${factor.toFixed(2)}, ${how}`, () => {
        // Of Lanczos's rings too little is left of those to tell them by.
        for (const before of kernel === 'lanczos' ? [drawing] : [drawing, form]) {
          const [width, height] = [Math.round(before.width * factor), Math.round(before.height * factor)];
          const found = findSmaller(enlarged(before, width, height, kernel, shiftPx, inBytes), true)?.picture as Raster;
          expect(found).to.include({ width: before.width, height: before.height });
          expect(countFarther(found, before, 8)).to.be.at.most(0.04 * before.width * before.height);
        }
      });
    }
  }

  // Drawn by few lines, whose bends tell of what is drawn rather than of the grid.
  for (const [kernel, shiftPx, factor] of [
    ['linear', 0, 1.28],
    ['cubic', 0, 1.43],
    ['cubic', 0.5, 1.37],
    ['steep-cubic', 0, 1.55],
    ['cubic', 0, 1.7],
    ['mitchell', 0, 2.3],
  ] as const) {
    it(`are brought back, enlarged by an unusual ${factor}, ${kernel}${shiftPx > 0 ? ', half a pixel aside' : ''}`, () => {
      const picture = paint(200, 150, 0xfdf0d5, [
        layer(0x003049, circle(70.3, 74.6, 52.2)),
        layer(0xfdf0d5, circle(70.3, 74.6, 40.1)),
        layer(0xc1121f, bar(110, 20, 182, 130, 9), bar(182, 20, 110, 130, 9)),
      ]);
      const [width, height] = [Math.round(200 * factor), Math.round(150 * factor)];
      const found = findSmaller(enlarged(picture, width, height, kernel, shiftPx), true)?.picture as Raster;
      expect(found).to.include({ width: 200, height: 150 });
      expect(countFarther(found, picture, 8)).to.be.at.most(0.01 * 200 * 150);
    });
  }

  it('are none that were hardly enlarged: blurred, sharpened or reduced ones', () => {
    for (const [name, picture] of Object.entries({
      'a little soft': softened(form, 0.1),
      soft: softened(form, 0.2),
      blurred: gaussianBlurred(form, 0.8),
      sharpened: softened(form, -0.1),
      reduced: enlarged(paint(360, 240, 0xffffff, figures(2.2)), 180, 120, 'lanczos'),
    })) {
      const found = findSmaller(picture, true);
      expect(found?.blurPx === null, name).to.equal(false);
    }
  });

  // Along rows every edge of these takes two pixels and more, as aslant as it is, and grids of fine cells explain that nearly as well.
  it('are no flags with slanted edges only', () => {
    const draw = (shapes: string) =>
      renderExact(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 384">${shapes}</svg>`, 512);
    const tooth = 'l88.56 38.4L76.8 ';
    const teeth = [76.8, 153.6, 230.4, 307.2, 384].map((y) => `${tooth}${y}`).join('');
    const zigzag = draw(`<path fill="#ce1126" d="M512 0H76.8${teeth}H512"/>`);
    const saltire = draw(
      '<path fill="#0065bd" d="M0 0h512v384H0z"/><path stroke="#fff" stroke-width="62" d="M0 0l512 384M0 384L512 0"/>',
    );
    for (const [name, picture] of Object.entries({ zigzag, saltire })) {
      expect(lookAtEdges(picture).isSoft, name).to.equal(true);
      expect(findSmaller(picture, true), name).to.equal(undefined);
      expect(findSmaller(picture, false), name).to.equal(undefined);
    }
  });

  it('are told however large they are, and no compressed picture is that was not enlarged', async () => {
    const large = await jpegDamaged(enlarged(paint(400, 300, 0xffffff, figures(2.6)), 1600, 1200, 'cubic'), 85);
    expect(findEnlarged(large)).to.include({ width: 400, height: 300 });
    for (const quality of [60, 85, 95]) {
      expect(findEnlarged(await jpegDamaged(drawing, quality)), `sharp, ${quality}`).to.equal(undefined);
      const soft = enlarged(enlarged(drawing, 288, 240, 'cubic'), 144, 120, 'linear');
      expect(findEnlarged(await jpegDamaged(soft, quality)), `soft, ${quality}`).to.equal(undefined);
    }
    // Stripes have edges along few lines, which fit many grids.
    const stripes = paint(144, 120, 0xffffff, [layer(0x002395, rectangle(0, 0, 48.3, 120))]);
    expect(findEnlarged(await jpegDamaged(stripes, 85))).to.equal(undefined);
  });

  it('are no others: sharp, soft or see-through ones, or ones that were changed since', () => {
    const large = enlarged(small, 144, 120, 'linear');
    // Some small dots that are as sharp as the picture itself is not.
    const isDot = (i: number) => Math.floor(i / 4) % 144 === 40 && Math.floor(i / 576) % 12 === 5;
    const changed = { ...large, data: large.data.map((value, i) => (isDot(i) && i % 4 < 3 ? 255 - value : value)) };
    const clear = { ...large, data: large.data.map((value, i) => (i % 4 === 3 && i < 4000 ? 128 : value)) };
    expect(findEnlarged(large)).not.to.equal(undefined);
    const grained = grainy(enlarged(drawing, 288, 240, 'cubic'), 3);
    expect(findEnlarged(grained), 'grain upon it').to.include({ width: 144, height: 120 });
    for (const [name, picture] of Object.entries({
      sharp: small,
      soft: softened(small, 0.15),
      grainy: grainy(small, 3),
      changed,
      clear,
      tiny: enlarged(paint(10, 10, 0xffffff, [layer(0, circle(5, 5, 3))]), 20, 20, 'linear'),
    }))
      expect(findEnlarged(picture), name).to.equal(undefined);
  });

  // Small icons of thin lines: from pixel to pixel they change so much that no sharp kernel explains that by fewer cells.
  const icon = paint(48, 48, 0xffffff, [
    layer(0x222222, circle(19.2, 19.2, 14.1)),
    layer(0xffffff, circle(19.2, 19.2, 12.6)),
    layer(0x222222, bar(29.1, 29.3, 43.6, 43.1, 1.5)),
    layer(0x222222, bar(12.4, 19.2, 26.2, 19.4, 1.5)),
  ]);
  for (const [factor, shiftPx] of [
    [1.5, 0],
    [2, 0.5],
    [3, 0.5],
  ] as const) {
    it(`are brought back with thin lines, enlarged ${factor} times, linear${shiftPx > 0 ? ', half a pixel aside' : ''}`, () => {
      const found = findEnlarged(enlarged(icon, 48 * factor, 48 * factor, 'linear', shiftPx)) as Raster;
      expect(found).to.include({ width: 48, height: 48 });
      expect(countFarther(found, icon, 8)).to.be.at.most(0.01 * 48 * 48);
    });
  }

  it('are no drawings with all edges on half pixels', async () => {
    // Boxes in three rows, joined by lines, as family trees are drawn.
    const box = (x: number, y: number) => rectangle(x, y, 39, 23);
    const fork = (x: number, y: number, width: number) => {
      const [right, left] = [x + width, x + (width - 9) / 2];
      const [upper, lower, end] = [y + 23, y + 32, y + 55];
      const inside = [x + 9, y, x + 9, upper, right - 9, upper, right - 9, y];
      return [
        x,
        y,
        ...inside,
        right,
        y,
        right,
        lower,
        left + 9,
        lower,
        left + 9,
        end,
        left,
        end,
        left,
        lower,
        x,
        lower,
      ];
    };
    const boxes = [
      ...[12.5, 76.5, 140.5, 204.5].map((x) => box(x, 24.5)),
      ...[44.5, 172.5].map((x) => box(x, 120.5)),
      box(108.5, 208.5),
    ];
    const forks = [fork(27.5, 56.5, 73), fork(155.5, 56.5, 73), fork(59.5, 152.5, 137)];
    const tree = paint(256, 256, 0xffffff, [layer(0x222222, ...boxes, ...forks)]);
    expect(findEnlarged(tree)).to.equal(undefined);
    // One with soft edges is brought back, which has wider ones.
    const odd = [layer(0x222222, rectangle(6, 5, 20, 11)), layer(0x2a9d8f, circle(40.1, 28.4, 9.3))];
    const { data } = await sharp(paint(64, 48, 0xffffff, odd).data, { raw: { width: 64, height: 48, channels: 4 } })
      .resize(128, 96, { kernel: 'linear' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(findEnlarged({ width: 128, height: 96, data: new Uint8Array(data) })).to.include({ width: 64, height: 48 });
  });
});
