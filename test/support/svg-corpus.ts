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

/** A folder of SVG files that a development package ships; undefined where it is not installed. */
function folderOf(name: string, folder: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), folder);
  } catch {
    return undefined;
  }
}

/** Packages of real files that other tools made: flags (clips, masks, gradients, uses), icons of one color. */
const PACKAGES = [
  { name: 'flag-icons', folder: 'flags/4x3', count: 16 },
  { name: 'bootstrap-icons', folder: 'icons', count: 8 },
] as const;

/** Real files, evenly from each package's list; `missing` names packages that are not installed. */
export function realSvgs(): { readonly files: readonly SvgFile[]; readonly missing: readonly string[] } {
  const files: SvgFile[] = [];
  const missing: string[] = [];
  for (const { name, folder, count } of PACKAGES) {
    const path = folderOf(name, folder);
    if (path === undefined) {
      missing.push(name);
      continue;
    }
    const all = filesIn(path);
    for (let i = 0; i < count; i++) files.push(read(all[Math.floor(((i + 0.5) * all.length) / count)]!));
  }
  return { files, missing };
}
