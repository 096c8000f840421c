import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { type Shape, shapesOf } from '#domain/drawing/drawing.js';
import { compareStrokes } from '#test/support/compare-strokes.js';
import { drawingOf } from '#test/support/export-set.js';
import { figureSvg, KNOTTED_FIGURES, LINE_FIGURES } from '#test/support/line-figures.js';
import { drawPlan } from '#test/support/plans.js';
import { renderExact } from '#test/support/render-exact.js';

const trace = async (svg: string, width: number, more = {}) =>
  (await vectorize(renderExact(svg, width), { stroke_mode: 'centerline', fidelity: false, ...more })).drawing;

const strokesOf = (shapes: Iterable<Shape>) => [...shapes].filter(({ stroke }) => stroke !== null);

describe('lines along their middle', function () {
  this.timeout(120_000);

  for (const figure of LINE_FIGURES) {
    it(`are where they were drawn, and as wide: ${figure.name}`, async () => {
      const svg = figureSvg(figure);
      const truth = await drawingOf({ name: `figure ${figure.name}`, markup: svg });
      for (const width of [96, 320]) {
        const traced = await trace(svg, width);
        const found = compareStrokes(truth, traced);
        const text = `${figure.name} at ${width} px: ${JSON.stringify(found)}`;
        expect(found.mean, text).to.be.at.most(0.2);
        expect(found.near, text).to.be.at.least(0.9);
        expect(found.wide, text).to.equal(1);
        expect(found.astray, text).to.be.at.most(0.6);
        const strokes = strokesOf(shapesOf(traced.items));
        expect(strokes.length, text).to.be.within(1, figure.paths.length + 2);
        for (const { stroke, fill } of strokes) {
          expect(fill).to.equal(null);
          if (width === 320 && figure.name !== 'frame') expect(stroke?.cap, text).to.equal(figure.cap);
        }
      }
    });
  }

  for (const figure of KNOTTED_FIGURES) {
    it(`are where they were drawn where their skeleton is not: ${figure.name}`, async () => {
      const svg = figureSvg(figure);
      const truth = await drawingOf({ name: `figure ${figure.name}`, markup: svg });
      for (const width of [96, 128, 320]) {
        const traced = await trace(svg, width);
        const found = compareStrokes(truth, traced);
        const text = `${figure.name} at ${width} px: ${JSON.stringify(found)}`;
        expect(found.near, text).to.be.at.least(0.97);
        expect(found.wide, text).to.equal(1);
        expect(found.astray, text).to.be.at.most(0.3);
        for (const { fill } of strokesOf(shapesOf(traced.items))) expect(fill).to.equal(null);
      }
    });
  }

  it('are those of a plan: dashes apart, closed lines closed, no more numbers than half as many again', async () => {
    for (const seed of [1, 3]) {
      const { svg, width } = drawPlan(seed);
      const truth = await drawingOf({ name: `plan ${seed}`, markup: svg });
      const { drawing, svg: text } = await vectorize(renderExact(svg, width), {
        preset: 'technical_drawing',
        stroke_mode: 'centerline',
        fidelity: false,
      });
      const found = compareStrokes(truth, drawing);
      expect(found.near, JSON.stringify(found)).to.be.at.least(0.95);
      expect(found.wide, JSON.stringify(found)).to.be.at.least(0.98);
      const shapes = strokesOf(shapesOf(drawing.items));
      expect(shapes.filter(({ geometry }) => geometry.kind === 'circle')).to.have.length(1);
      // Ten dashes at least; each is a straight stroke of about nine px.
      const dashes = shapes.filter(
        ({ stroke, geometry }) => Math.abs((stroke?.width ?? 0) - 2) < 0.1 && geometry.kind === 'path',
      );
      expect(dashes.length).to.be.at.least(8);
      const numbers = (markup: string) =>
        markup
          .match(/ d="[^"]*"/g)
          ?.join(' ')
          .match(/-?\d*\.?\d+/g)?.length ?? 0;
      expect(numbers(text)).to.be.at.most(1.6 * numbers(svg));
    }
  });

  it('leaves areas as they are, and lies in front of them', async () => {
    const [frame] = LINE_FIGURES.filter(({ name }) => name === 'rounded frame');
    const area = '<path d="M4 4h16v16h-16z" fill="#fc3"/><circle cx="12" cy="8.5" r="2.2" fill="#c22"/>';
    const traced = await trace(figureSvg(frame as (typeof LINE_FIGURES)[number], area), 240);
    const shapes = [...shapesOf(traced.items)];
    expect(strokesOf(shapes)).to.have.length(2);
    const kinds = shapes.map(({ stroke }) => (stroke === null ? 'fill' : 'stroke')).join(' ');
    expect(kinds).to.match(/^(fill )+stroke stroke$/);
    const disc = shapes.find(({ geometry }) => geometry.kind === 'circle');
    expect(disc?.fill).to.deep.equal({ kind: 'solid', color: 0xcc2222, opacity: 1 });
  });

  it('takes nothing that is not one line: arrowheads stay on theirs', async () => {
    const [, ring] = LINE_FIGURES;
    const head = '<path d="M3 6l6 -3v6z" fill="#123"/><path d="M8 6h13" stroke="#123" stroke-width=".8"/>';
    const traced = await trace(figureSvg({ ...(ring as (typeof LINE_FIGURES)[number]), paths: [] }, head), 320);
    const shapes = [...shapesOf(traced.items)].filter(
      ({ fill }) => fill !== null && JSON.stringify(fill).includes('1122867'),
    );
    expect(shapes).to.have.length(1);
  });

  it('have areas beside them that are theirs filled: a notch in a frame', async () => {
    const frame = LINE_FIGURES.find(({ name }) => name === 'rounded frame') as (typeof LINE_FIGURES)[number];
    const notch = '<path d="M8 4h8l-2.5 6h-3z" fill="#123"/>';
    const traced = await trace(figureSvg({ ...frame, paths: frame.paths.slice(0, 1) }, notch), 320);
    const shapes = [...shapesOf(traced.items)];
    expect(strokesOf(shapes)).to.have.length(1);
    const filled = shapes.filter(({ fill }) => fill?.kind === 'solid' && fill.color === 0x112233);
    expect(filled).to.have.length(1);
  });

  it("are told by their sides: a notch that the frame's own pen could have drawn", async () => {
    const frame = LINE_FIGURES.find(({ name }) => name === 'rounded frame') as (typeof LINE_FIGURES)[number];
    const notch = '<path d="M9 4h6v1a1.5 1.5 0 0 1 -1.5 1.5h-3a1.5 1.5 0 0 1 -1.5 -1.5z" fill="#123"/>';
    const traced = await trace(figureSvg({ ...frame, paths: frame.paths.slice(0, 1) }, notch), 320);
    const shapes = [...shapesOf(traced.items)];
    expect(strokesOf(shapes)).to.have.length(2);
    expect(shapes).to.have.length(3);
  });

  it('are drawn as such in outline mode, where areas show their boundaries', async () => {
    const [arrow] = LINE_FIGURES;
    const svg = figureSvg(arrow as (typeof LINE_FIGURES)[number], '<circle cx="5" cy="5" r="3.5" fill="#c22"/>');
    const traced = await trace(svg, 240, { stroke_mode: 'fill', color_mode: 'outline' });
    const widths = strokesOf(shapesOf(traced.items)).map(({ stroke }) => Math.round(stroke?.width ?? 0));
    expect(widths.sort((a, b) => a - b)).to.deep.equal([1, 20, 20]);
  });

  it('says so where there are none', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>';
    const { qualityDiagnostics } = await vectorize(renderExact(svg, 96), { stroke_mode: 'centerline' });
    expect(JSON.stringify(qualityDiagnostics)).to.include('centerline-not-traced');
  });
});
