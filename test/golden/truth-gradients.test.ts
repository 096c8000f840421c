import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { type Paint, shapesOf } from '#domain/drawing/drawing.js';
import { bar, circle, ring } from '#test/support/outlines.js';
import { ditheredShade, layer, linearShade, paint, radialShade, type Shade } from '#test/support/pictures.js';
import { GOLDEN_INPUTS, LINEAR_SHADE, RADIAL_SHADE, SHADOW_SHADE, TRUE_RADIAL, TRUE_SHADOW } from './inputs.js';

const SCALE = 3;

async function draw(name: string, settings: VectorizeSettings = {}) {
  const { svg, drawing, qualityDiagnostics } = await vectorize(await GOLDEN_INPUTS[name]!.picture(), {
    ...settings,
    fidelity: false,
  });
  const shapes = [...shapesOf(drawing.items)];
  return { svg, shapes, fills: shapes.map(({ fill }) => fill as Paint), diagnostics: qualityDiagnostics };
}

/** The drawing's colors, premultiplied, at the points of a fine grid that `inside` takes. */
function eachPoint(
  svg: string,
  inside: (x: number, y: number) => boolean,
  see: (x: number, y: number, color: number[]) => void,
) {
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: SCALE } }).render();
  const { pixels } = image;
  let seen = 0;
  for (let v = 0; v < image.height; v++)
    for (let u = 0; u < image.width; u++) {
      const [x, y] = [(u + 0.5) / SCALE, (v + 0.5) / SCALE];
      if (!inside(x, y)) continue;
      seen++;
      see(x, y, [...pixels.subarray((v * image.width + u) * 4, (v * image.width + u) * 4 + 4)]);
    }
  expect(seen).to.be.greaterThan(1000);
}

describe('gradients whose truth is known', () => {
  it('are one linear gradient of at most three stops, each color within two levels', async () => {
    const { svg, shapes, fills } = await draw('linear-gradient');
    expect(shapes.length).to.equal(2);
    expect(shapes[1]!.geometry.kind).to.equal('circle');
    const paint = fills[1]!;
    if (paint.kind !== 'linear') throw new RangeError(`painted ${paint.kind}`);
    expect(paint.stops.length).to.be.at.most(3);
    expect((Math.atan2(paint.y2 - paint.y1, paint.x2 - paint.x1) * 180) / Math.PI).to.be.closeTo(
      (Math.atan2(26, 38) * 180) / Math.PI,
      0.3,
    );
    expect(svg).to.match(/<linearGradient\b/);
    eachPoint(
      svg,
      (x, y) => Math.hypot(x - 31.7, y - 32.4) < 23,
      (x, y, color) => {
        const truth = LINEAR_SHADE(x, y);
        for (let c = 0; c < 3; c++) expect(color[c], `${x} ${y}`).to.be.closeTo(truth[c]!, 2);
      },
    );
  });

  it('are one radial gradient, its center within 0.1 px, each color within two levels', async () => {
    const { svg, shapes, fills } = await draw('radial-gradient');
    expect(shapes.length).to.equal(2);
    const paint = fills[1]!;
    if (paint.kind !== 'radial') throw new RangeError(`painted ${paint.kind}`);
    expect(paint.stops.length).to.be.at.most(3);
    expect(paint.matrix).to.equal(undefined);
    expect(Math.hypot(paint.cx - TRUE_RADIAL.cx, paint.cy - TRUE_RADIAL.cy)).to.be.at.most(0.1);
    eachPoint(
      svg,
      (x, y) => x > 18 && x < 45 && y > 14 && y < 48,
      (x, y, color) => {
        const truth = RADIAL_SHADE(x, y);
        for (let c = 0; c < 3; c++) expect(color[c], `${x} ${y}`).to.be.closeTo(truth[c]!, 2);
      },
    );
  });

  it('are a soft shadow under its opacity, without bands: one gradient, within two levels of 255 everywhere', async () => {
    const { svg, shapes, fills } = await draw('soft-shadow');
    expect(shapes.length).to.equal(2);
    const paint = fills[0]!;
    if (paint.kind !== 'radial') throw new RangeError(`painted ${paint.kind}`);
    expect(paint.stops.length).to.be.at.most(12);
    expect(Math.hypot(paint.cx - TRUE_SHADOW.cx, paint.cy - TRUE_SHADOW.cy)).to.be.at.most(0.2);
    eachPoint(
      svg,
      (x, y) => Math.hypot(x - 37.4, y - 33.2) > 15,
      (x, y, color) => {
        expect(color[3]! / 255, `${x} ${y}`).to.be.closeTo(SHADOW_SHADE(x, y)[3], 2 / 255);
        for (let c = 0; c < 3; c++) expect(color[c]).to.be.at.most(1);
      },
    );
  });

  it('are two that lie on each other, which no gradient is, to a level on average', async () => {
    const across = linearShade(20, 0, 108, 0, [228, 0, 53, 1], [108, 0, 245, 1]);
    const down = linearShade(0, 16, 0, 112, [255, 91, 225, 0.15], [255, 91, 225, 0]);
    const disc = circle(64, 64, 48);
    const picture = paint(128, 128, 0xffffff, [
      { color: 0, outline: [disc], shade: across },
      { color: 0, outline: [disc], shade: down },
    ]);
    const { svg, drawing } = await vectorize(picture, { fidelity: false });
    const shapes = [...shapesOf(drawing.items)];
    expect(shapes.map(({ fill }) => fill?.kind === 'solid')).to.deep.equal([true, false, false]);
    let sum = 0;
    let count = 0;
    eachPoint(
      svg,
      (x, y) => Math.hypot(x - 64, y - 64) < 45,
      (x, y, color) => {
        const at = (Math.floor(y) * 128 + Math.floor(x)) * 4;
        for (let c = 0; c < 3; c++) sum += Math.abs(color[c]! - picture.data[at + c]!);
        count += 3;
      },
    );
    expect(sum / count).to.be.below(1);
  });

  it('are no bands where many lie on each other, as on balls and hands with lights of several colors', async () => {
    const lit: readonly (readonly [number, number, number, number, number, number])[] = [
      [150, 50, 90, 255, 246, 120],
      [30, 120, 80, 226, 84, 60],
      [100, 190, 70, 232, 110, 170],
      [130, 120, 60, 250, 150, 70],
    ];
    const ball = [circle(98, 102, 80)];
    const picture = paint(200, 200, 0xffffff, [
      { color: 0, outline: ball, shade: linearShade(40, 20, 160, 190, [255, 204, 60, 1], [240, 150, 40, 1]) },
      ...lit.map(([x, y, r, ...color]) => ({
        color: 0,
        outline: ball,
        shade: radialShade(x, y, r, [...color, 1], [...color, 0]),
      })),
    ]);
    const { svg, drawing } = await vectorize(picture, { fidelity: false });
    const fills = [...shapesOf(drawing.items)].map(({ fill }) => fill as Paint);
    expect(fills.filter(({ kind }) => kind !== 'solid').length).to.be.within(2, 24);
    expect(fills.filter(({ kind }) => kind === 'solid').length).to.be.at.most(6);
    // Ragged borders between them took 8.7 KB.
    expect(svg.length).to.be.at.most(7300);
    const { data } = picture;
    let squares = 0;
    let count = 0;
    eachPoint(
      svg,
      (x, y) => Math.hypot(x - 98, y - 102) < 76,
      (x, y, color) => {
        const at = (Math.floor(y) * 200 + Math.floor(x)) * 4;
        for (let c = 0; c < 3; c++) squares += (color[c]! - data[at + c]!) ** 2;
        count += 3;
      },
    );
    expect(Math.sqrt(squares / count)).to.be.below(2.5);
  });

  it('are one gradient in rings and lines of three px, within three levels', async () => {
    const shade = linearShade(6, 8, 42, 40, [0, 150, 255, 1], [255, 30, 86, 1]);
    const outlines = [ring(24.3, 23.8, 19, 15.9), [bar(24.2, 13.6, 24.2, 33.9, 3.1)], [bar(12, 28, 36.4, 17.5, 3.1)]];
    const icon = paint(
      48,
      48,
      0xffffff,
      outlines.map((outline) => ({ color: 0, outline, shade })),
    );
    const { svg, drawing } = await vectorize(icon, { fidelity: false });
    const fills = [...shapesOf(drawing.items)].map(({ fill }) => fill as Paint);
    const paints = new Set(fills.map((fill) => JSON.stringify(fill)));
    expect(paints.size).to.equal(2);
    expect(fills.filter(({ kind }) => kind === 'linear').length).to.be.greaterThan(0);
    const isInside = (x: number, y: number) => {
      const off = Math.hypot(x - 24.3, y - 23.8);
      return (off > 16.4 && off < 18.5) || (Math.abs(x - 24.2) < 1 && y > 14.2 && y < 33.4);
    };
    eachPoint(svg, isInside, (x, y, color) => {
      const truth = shade(x, y);
      for (let c = 0; c < 3; c++) expect(color[c], `${x} ${y}`).to.be.closeTo(truth[c]!, 3);
    });
  });

  it('are one gradient in a broad line where a browser has dithered it, in the numbers of one that is not', async () => {
    const shade = linearShade(20, 20, 130, 110, [80, 190, 240, 1], [50, 130, 240, 1]);
    const outline = [...ring(60.3, 62.2, 44.1, 30.4), bar(66, 28, 146, 28, 16), bar(74, 96, 146, 96, 16)];
    const drawn = async (own: Shade) => {
      const { svg, drawing } = await vectorize(paint(160, 128, 0x242938, [{ color: 0, outline, shade: own }]), {
        fidelity: false,
      });
      const fills = [...shapesOf(drawing.items)].map(({ fill }) => (fill as Paint).kind);
      return { numbers: svg.match(/-?[\d.]+/g)!.length, fills };
    };
    const dithered = await drawn(ditheredShade(shade));
    const plain = await drawn(shade);
    expect(dithered.fills).to.deep.equal(plain.fills);
    expect(dithered.fills).to.include('linear');
    expect(dithered.numbers).to.be.at.most(1.3 * plain.numbers);
  });

  it('have straight edges where all along them the same share of a pixel is theirs', async () => {
    const shade = linearShade(212.1, 35, 33.9, 213, [228, 71, 89, 1], [128, 81, 255, 1]);
    for (const off of [0.05, 0.15, 0.35]) {
      const outline = [[218 + off, 38, 128 + off, 128, 218 + off, 218, 38, 218, 38, 38]];
      const layers = [{ color: 0, outline, shade }, layer(0xffffff, circle(20, 20, 12))];
      const { drawing, traceStats } = await vectorize(paint(256, 256, 0xf4f2ed, layers), { fidelity: false });
      expect(drawing.items, `${off}`).to.have.lengthOf(3);
      expect(traceStats.nodes, `${off}`).to.equal(4 + 5 + 4);
    }
  });

  it('are areas of one color each where gradients are off, and the answer says what was decided', async () => {
    const off = await draw('linear-gradient', { gradients: 'off' });
    expect(off.fills.every(({ kind }) => kind === 'solid')).to.equal(true);
    const auto = await draw('linear-gradient');
    expect(auto.diagnostics.settings.gradients).to.deep.equal({ value: 'on', origin: 'auto' });
    expect((await draw('circle')).diagnostics.settings.gradients).to.deep.equal({ value: 'off', origin: 'auto' });
  });

  it('give way to a palette that was asked for', async () => {
    for (const settings of [{ fixed_palette: ['#000000', '#ffffff'] }, { palette_count: 4 }]) {
      const { fills } = await draw('linear-gradient', settings);
      expect(fills.every(({ kind }) => kind === 'solid')).to.equal(true);
    }
  });
});
