import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vectorize } from '#config/main/library.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { fixturePath, PACKAGE_ROOT } from './package-root.js';
import { featureSvgs, realSvgs, type SvgFile } from './svg-corpus.js';
import { svgReader } from './svg-pictures.js';

const CASES = join(PACKAGE_ROOT, 'test', 'golden', 'cases');

/** Our own traces of every kind of picture. */
async function traces(): Promise<readonly SvgFile[]> {
  const golden = readdirSync(CASES)
    .sort()
    .map((name) => ({ name, markup: readFileSync(join(CASES, name, 'expected.svg'), 'utf8') }));
  const { svg } = await vectorize(new Uint8Array(readFileSync(fixturePath('lighthouse.png'))), {
    preset: 'photo',
    fidelity: false,
  });
  return [...golden, { name: 'lighthouse', markup: svg }];
}

export interface SetFile extends SvgFile {
  readonly kind: 'feature' | 'trace' | 'real';
}

/** What exports are measured with: a file for each family of features, own traces, and real files of others. */
export async function exportSet(): Promise<readonly SetFile[]> {
  return [
    ...featureSvgs().map((file) => ({ ...file, kind: 'feature' as const })),
    ...(await traces()).map((file) => ({ ...file, kind: 'trace' as const })),
    ...realSvgs().map((file) => ({ ...file, kind: 'real' as const })),
  ];
}

const read = new Map<string, Promise<Drawing>>();

/** The drawing that a file of the set is, read once. */
export function drawingOf({ name, markup }: SvgFile): Promise<Drawing> {
  const known = read.get(name) ?? svgReader.read(markup).then(({ drawing }) => drawing);
  read.set(name, known);
  return known;
}

/** Pages so small that most of their pixels are edges are drawn larger: renderers widen every edge by a part of a pixel. */
const LEAST_SIDE = 192;
export const scaleFor = ({ width, height }: Drawing): number =>
  Math.min(8, Math.max(1, Math.ceil(LEAST_SIDE / Math.min(width, height))));
