import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fixturePath } from './package-root.js';

export interface SvgFile {
  readonly name: string;
  readonly markup: string;
}

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.svg'))
    .sort()
    .map((file) => join(folder, file));

const read = (path: string): SvgFile => ({ name: basename(path, '.svg'), markup: readFileSync(path, 'utf8') });

/** Drawn by us, one for each family of features. */
export const featureSvgs = (): readonly SvgFile[] => filesIn(fixturePath('svg')).map(read);

/** A folder of SVG files that a development package ships. */
const folderOf = (name: string, folder: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), folder);

/** Packages of real files that other tools made: flags (clips, masks, gradients, uses), icons of one color. */
const PACKAGES = [
  { name: 'flag-icons', folder: 'flags/4x3', count: 16 },
  { name: 'bootstrap-icons', folder: 'icons', count: 8 },
] as const;

/** Real files, evenly from each package's list. */
export const realSvgs = (): readonly SvgFile[] =>
  PACKAGES.flatMap(({ name, folder, count }) => {
    const all = filesIn(folderOf(name, folder));
    return Array.from({ length: count }, (_, i) => read(all[Math.floor(((i + 0.5) * all.length) / count)]!));
  });
