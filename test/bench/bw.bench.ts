import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import { vectorize } from '#config/main/library.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { drawPlan } from '#test/support/plans.js';
import { psnrOf } from '#test/support/psnr.js';
import { renderExact } from '#test/support/render-exact.js';

/**
 * Both tracers side by side in black and white: how near each comes to the drawing that a picture was made of, at four times its size,
 * with how many nodes and bytes, and in what time. `npm run bench:bw`
 */

const RUNS = 3;
const ICON_PX = 160;
const ICONS = ['alarm', 'bicycle', 'camera', 'cup-hot', 'egg-fried', 'flower1', 'gear', 'music-note', 'puzzle', 'tree'];
const ENGINES = ['planar', 'potrace'] as const;

interface Subject {
  readonly kind: string;
  readonly svg: string;
  readonly width: number;
}

interface Result {
  readonly psnr: number;
  readonly nodes: number;
  readonly bytes: number;
  readonly ms: number;
}

const subjects: Subject[] = [
  ...[1, 2, 3, 4].map((seed) => ({ kind: 'plan', ...drawPlan(seed) })),
  ...ICONS.map((name) => ({
    kind: 'icon',
    svg: readFileSync(join(PACKAGE_ROOT, 'node_modules', 'bootstrap-icons', 'icons', `${name}.svg`), 'utf8'),
    width: ICON_PX,
  })),
];

async function measure({ svg, width }: Subject, engine: (typeof ENGINES)[number]): Promise<Result> {
  const picture = renderExact(svg, width);
  let ms = Infinity;
  let drawn = '';
  let nodes = 0;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const made = await vectorize(picture, { engine, color_mode: 'bw', fidelity: false });
    ms = Math.min(ms, performance.now() - start);
    drawn = made.svg;
    nodes = made.traceStats.nodes;
  }
  return { psnr: psnrOf(svg, drawn, width * 4), nodes, bytes: Buffer.byteLength(drawn), ms };
}

if (findPotrace() === undefined) throw new Error('potrace is not installed');
const lines = ['| pictures | tracer | dB at 4x, mean and worst | nodes | KB | ms |', '|---|---|---|---|---|---|'];
for (const kind of new Set(subjects.map((subject) => subject.kind))) {
  for (const engine of ENGINES) {
    const results: Result[] = [];
    for (const subject of subjects) if (subject.kind === kind) results.push(await measure(subject, engine));
    const mean = (of: (result: Result) => number) => results.reduce((sum, one) => sum + of(one), 0) / results.length;
    const worst = Math.min(...results.map(({ psnr }) => psnr));
    const kilobytes = (mean(({ bytes }) => bytes) / 1024).toFixed(1);
    lines.push(
      `| ${results.length} x ${kind} | ${engine} | ${mean(({ psnr }) => psnr).toFixed(1)}, ${worst.toFixed(1)} | ${mean(({ nodes }) => nodes).toFixed(0)} | ${kilobytes} | ${mean(({ ms }) => ms).toFixed(0)} |`,
    );
  }
}
process.stdout.write(`${lines.join('\n')}\n`);
