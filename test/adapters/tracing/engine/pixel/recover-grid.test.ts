import { expect } from 'chai';
import { recoverGrid } from '#adapters/tracing/engine/pixel/recover-grid.js';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { drawSprite, enlargeSprite, isExact, makeGridCases, shareRight } from '#test/support/pixel-grids.js';

/** All of the cases with BURIN_TEST_ALL_CASES=1, an even share of them otherwise. */
const WHOLE = 210;
const COUNT = process.env.BURIN_TEST_ALL_CASES === '1' ? WHOLE : 30;

const settings: VectorizeSettings = { edge_recovery: 'pixel_exact', fidelity: false };

describe('recoverGrid', function () {
  this.timeout(600_000);

  it(`gives sprites back from ${COUNT} enlargements, and none where they were turned`, async () => {
    const cases = await makeGridCases(COUNT);
    expect(cases).to.have.lengthOf(COUNT);
    const tally = { clean: 0, exact: 0, jpeg: 0, right: 0, drifting: 0, rightDrifting: 0, turned: 0 };
    for (const made of cases) {
      const { grid } = recoverGrid(made);
      if (made.kind === 'turned') {
        tally.turned++;
        expect(grid, made.name).to.equal(undefined);
        continue;
      }
      const [columns, rows] = [(grid?.xLines.length ?? 1) - 1, (grid?.yLines.length ?? 1) - 1];
      const cells = grid?.cells ?? new Uint32Array();
      if (made.kind === 'clean') {
        tally.clean++;
        if (isExact(made.sprite, columns, rows, cells)) tally.exact++;
      } else if (made.kind === 'jpeg') {
        tally.jpeg++;
        tally.right += shareRight(made.sprite, columns, rows, cells);
      } else {
        tally.drifting++;
        tally.rightDrifting += shareRight(made.sprite, columns, rows, cells);
      }
    }
    expect(Math.min(tally.clean, tally.jpeg, tally.drifting, tally.turned)).to.be.greaterThan(2);
    expect(tally.exact / tally.clean, JSON.stringify(tally)).to.be.at.least(COUNT === WHOLE ? 0.95 : 0.9);
    expect(tally.right / tally.jpeg, JSON.stringify(tally)).to.be.at.least(0.85);
    expect(tally.rightDrifting / tally.drifting, JSON.stringify(tally)).to.be.at.least(0.85);
  });

  it('says what it found, and draws the sprite in its own colors', async () => {
    const sprite = drawSprite(4);
    const how = { kernel: 'linear', step: 6.3, cropX: 0, cropY: 0, drift: 0 } as const;
    const { width, height, data } = enlargeSprite(sprite, how, 4);
    const { qualityDiagnostics: diagnostics, drawing } = await vectorize({ width, height, data }, settings);
    expect(diagnostics.edgeRecoveryResolved).to.equal('pixel_exact');
    expect(diagnostics.edgeRecoveryReason).to.match(/cells of 6\.\d* px was found, blurred by linear enlargement/);
    const colors = new Set(sprite.cells);
    const drawn = drawing.items.map((item) =>
      item.kind === 'shape' && item.fill?.kind === 'solid' ? item.fill.color : -1,
    );
    expect(new Set(drawn)).to.deep.equal(colors);
    expect(drawing.crispEdges).to.equal(true);
  });

  it('says that there is no grid, and traces directly', async () => {
    const data = new Uint8Array(64 * 64 * 4).fill(255);
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 64; x++) {
        const inside = Math.min(1, Math.max(0, 20.5 - Math.hypot(x - 31.3, y - 32.6)));
        for (let c = 0; c < 2; c++) data[(y * 64 + x) * 4 + c] = Math.round(255 - 200 * inside);
      }
    }
    const { qualityDiagnostics: diagnostics, drawing } = await vectorize({ width: 64, height: 64, data }, settings);
    expect(diagnostics.edgeRecoveryResolved).to.equal('off');
    expect(diagnostics.edgeRecoveryReason).to.match(/^no pixel grid was found: .*; traced directly$/);
    expect(drawing.items.length).to.be.greaterThan(0);
  });

  it('never leaves a small picture empty, whatever the preset', async () => {
    const sprite = drawSprite(7);
    const picture = enlargeSprite(sprite, { kernel: 'nearest', step: 1, cropX: 0, cropY: 0, drift: 0 }, 7);
    for (let i = 0; i < picture.width * picture.height; i++) if ((i * 7) % 11 < 6) picture.data[i * 4 + 3] = 0;
    for (const preset of ['logo', 'illustration', 'photo', 'pixel_art'] as const) {
      const { drawing } = await vectorize(picture, { preset, tiny_path_area: 40, fidelity: false });
      expect(drawing.items.length, preset).to.be.greaterThan(0);
    }
    // Nor as outlines: those of its cells, where nothing else has any.
    const whole = enlargeSprite(sprite, { kernel: 'nearest', step: 1, cropX: 0, cropY: 0, drift: 0 }, 7);
    const settings = { preset: 'logo', color_mode: 'outline', tiny_path_area: 400, fidelity: false } as const;
    const { items } = (await vectorize(whole, settings)).drawing;
    expect(items.length).to.be.greaterThan(0);
    for (const item of items) expect(item).to.deep.include({ kind: 'shape', fill: null });
  });
});
