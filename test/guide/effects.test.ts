import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import { settingNames } from '#domain/presets/settings.js';
import {
  EFFECT_PICTURES,
  EFFECTS_PAGE,
  effectNames,
  effectsPage,
  effectText,
  measureEffects,
  rowsOn,
  TRIED,
} from './effects.js';

const ALL = process.env.BURIN_TEST_ALL_CASES === '1';
/** What is measured again in every run; all of it with BURIN_TEST_ALL_CASES=1. */
const SHARE = ['color_mode', 'details_level', 'stroke_mode', 'tiny_path_area'] as const;

interface Figures {
  readonly nodes: number;
  readonly colors: number;
  readonly bytes: number;
  readonly psnr: number;
  readonly deltaE: number;
}

const figuresOf = (cell: string): Figures => {
  const [, nodes, colors, kilobytes, psnr, deltaE] =
    /(\d+) nodes, (\d+) colors, ([\d.]+) KB, (?:([\d.]+) dB, ΔE ([\d.]+)|not measured)/.exec(cell) ?? [];
  return {
    nodes: Number(nodes),
    colors: Number(colors),
    bytes: Number(kilobytes) * 1024,
    psnr: Number(psnr),
    deltaE: Number(deltaE),
  };
};

/** Which figure grows (or does not shrink) along the values, in the order in which they stand. */
const GROWING: readonly (readonly [name: keyof typeof TRIED, figure: keyof Figures, sign: 1 | -1])[] = [
  ['details_level', 'nodes', 1],
  ['details_level', 'colors', 1],
  ['details_level', 'psnr', 1],
  ['line_fit_tolerance', 'nodes', 1],
  // Curves are settled against the pixels whatever they were fitted with: on clean art alone does the finest tell.
  ['line_fit_tolerance', 'psnr', 1],
  ['quality_tier', 'psnr', 1],
  ['palette_count', 'colors', 1],
  ['palette_count', 'psnr', 1],
  ['simplification', 'nodes', -1],
  ['simplification', 'bytes', -1],
  ['tiny_path_area', 'colors', -1],
  ['tiny_path_area', 'psnr', -1],
  ['artifact_cleanup', 'nodes', -1],
  ['artifact_cleanup', 'colors', -1],
  ['artifact_cleanup', 'bytes', -1],
  ['max_nodes', 'nodes', 1],
  ['max_bytes', 'bytes', 1],
];
/** By how much a figure may go the other way and still count as the same. */
const SAME = { nodes: 0.05, bytes: 0.06, colors: 0.12, psnr: 0.04, deltaE: 0.04 };

describe('what each value does', () => {
  const page = readFileSync(EFFECTS_PAGE, 'utf8');
  const rows = rowsOn(page);
  const cellsOf = (name: string) => (rows.get(name) ?? []).map((row) => row.split(' | ').slice(2).map(figuresOf));

  it('is told of every parameter at every value, on every picture', () => {
    expect([...rows.keys()]).to.have.members([...settingNames('tracing')]);
    for (const [name, { values }] of Object.entries(TRIED)) {
      const cells = cellsOf(name);
      expect(cells, name).to.have.length(values.length);
      for (const [k, row] of cells.entries()) {
        expect(row, `${name} ${k}`).to.have.length(EFFECT_PICTURES.length);
        for (const { nodes } of row) expect(nodes, `${name} ${k}: an empty drawing`).to.be.above(0);
      }
    }
  });

  it('grows where it should, and shrinks where it should', () => {
    for (const [name, figure, sign] of GROWING) {
      const cells = cellsOf(name);
      for (let picture = 0; picture < EFFECT_PICTURES.length; picture++) {
        const values = cells.map((row) => (row[picture] as Figures)[figure]);
        const text = `${name}, ${figure} on ${EFFECT_PICTURES[picture]}: ${values.join(', ')}`;
        for (let k = 1; k < values.length; k++) {
          const [before, after] = [values[k - 1] as number, values[k] as number];
          expect(sign * (after - before), text).to.be.at.least(-SAME[figure] * Math.max(before, after));
        }
      }
      // And on one of them it does something at all.
      const moved = EFFECT_PICTURES.some((_, picture) => {
        const values = cells.map((row) => (row[picture] as Figures)[figure]);
        return sign * ((values.at(-1) as number) - (values[0] as number)) > 0;
      });
      expect(moved, `${name} never changes ${figure}`).to.equal(true);
    }
  });

  it('differs: every parameter shows on one picture at least, and each way of closing gaps is its own', () => {
    const kinds = (name: string) => new Set(cellsOf(name).map((row) => JSON.stringify(row))).size;
    for (const name of Object.keys(TRIED)) expect(kinds(name), name).to.be.at.least(2);
    expect(kinds('gap_cleanup')).to.equal(3);
    expect(kinds('recovery_detail')).to.be.at.least(3);
  });

  it('stays within the budgets that were set', () => {
    for (const [name, figure] of [
      ['max_nodes', 'nodes'],
      ['max_bytes', 'bytes'],
      ['palette_count', 'colors'],
    ] as const) {
      for (const [k, row] of cellsOf(name).entries())
        for (const cell of row)
          expect(cell[figure], name).to.be.at.most((TRIED[name].values[k] as number) + (figure === 'bytes' ? 52 : 0));
    }
  });

  it('is as the page says', async () => {
    if (ALL && process.env.UPDATE_GOLDEN === '1') {
      writeFileSync(EFFECTS_PAGE, effectsPage(await measureEffects()));
      return;
    }
    // A network's last digits are the processor's.
    const names = ALL ? effectNames().filter((name) => !/recovery/.test(name)) : SHARE;
    const stale: string[] = [];
    for (const row of await measureEffects(names)) {
      const text = effectText(row);
      if (!rows.get(row.name)?.includes(text)) stale.push(text);
    }
    expect(stale, 'run: npm run guide').to.deep.equal([]);
    expect(names.length).to.be.above(findPotrace() === undefined ? 2 : 3);
  }).timeout(300_000);
});
