import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { CurvePainter } from '#adapters/tracing/engine/fit/curve-painter.js';
import { PixelBand } from '#adapters/tracing/engine/fit/pixel-band.js';
import { KernelMemory, kernelMemory } from '#adapters/tracing/engine/kernels/kernel-memory.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE, partsOfPicture } from '#test/support/engine-parts.js';
import { ellipse, star } from '#test/support/outlines.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';
import { layer, paint } from '#test/support/pictures.js';

const KEPT_BYTES = 32 << 20;

describe('the kernels of the engine', () => {
  it('are what their sources compile to', async () => {
    const { compileKernel } = (await import(pathToFileURL(join(PACKAGE_ROOT, 'config/build-kernels.mjs')).href)) as {
      compileKernel(): Promise<string>;
    };
    const code = readFileSync(join(PACKAGE_ROOT, 'adapters/tracing/engine/kernels/kernel-code.ts'), 'utf8');
    expect(code === (await compileKernel()), 'run: npm run kernels').to.equal(true);
    expect(code.length).to.be.greaterThan(4000);
  });
});

describe("the kernels' memory", () => {
  it('keeps what is in it while it grows, and has room for all that was laid out', () => {
    const memory = new KernelMemory();
    memory.beginBand(100, 50);
    memory.slotOf[4999] = 7;
    memory.layBand(1000, 400);
    memory.owner[999] = 3;
    memory.layPainter(20, 60, 5);
    memory.points[479] = 1.5;
    const before = memory.points.buffer.byteLength;
    memory.makeRoom(1 << 18);
    expect(memory.points.buffer.byteLength).to.be.greaterThan(before);
    expect(memory.entries.length).to.be.at.least(13 << 18);
    expect([memory.slotOf[4999], memory.owner[999], memory.points[479]]).to.deep.equal([7, 3, 1.5]);
    expect([memory.slotOf, memory.runs, memory.costs, memory.isLeft].map(({ length }) => length)).to.deep.equal([
      5000, 400, 20, 20,
    ]);
    memory.makeRoom(10);
    expect(memory.entries.length).to.be.at.least(13 << 18);
    memory.beginBand(10, 10);
    expect(memory.slotOf.every((slot) => slot === 0)).to.equal(true);
  });

  it('is given back where a picture took too much of it, and taken again', () => {
    const ground = trace(PATHOLOGICAL['rings in rings']!(700), { ...ENGINE, cleanup: 0 }, () => {});
    expect(ground.drawing.items.length).to.be.greaterThan(100);
    expect(kernelMemory.slotOf.buffer.byteLength).to.equal(0);
    const ball = paint(80, 80, 0xffffff, [layer(0xd62828, ellipse(40.3, 39.1, 30.2, 22.4))]);
    const one = trace(ball, ENGINE, () => {}).drawing;
    expect(kernelMemory.slotOf.buffer.byteLength).to.be.within(1, KEPT_BYTES);
    expect(trace(ball, ENGINE, () => {}).drawing).to.deep.equal(one);
  });

  it('has as much room for entries as the curves of a picture make', () => {
    const picture = paint(96, 96, 0xffffff, [
      layer(0x264653, star(48.2, 47.3, 44, 3, 40)),
      layer(0xe9c46a, ellipse(48, 48, 8.1, 8.1)),
    ]);
    const { map, regions, curves, nodes } = partsOfPicture(picture, { refineRounds: 0, primitives: false });
    const band = new PixelBand(map, regions, picture.data as unknown as Uint8Array, curves, nodes);
    const painter = new CurvePainter(map, regions, band, curves);
    const cost = painter.compare(true);
    expect(kernelMemory.entries.length).to.be.greaterThan(13 * 500);
    // What is tracked changes nothing of what is painted.
    expect(painter.compare(false)).to.equal(cost);
  });
});
