import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyBackground, anyColor } from './flat-art.js';
import type { Random } from './random.js';

// Drawings of people: the icons of bootstrap-icons (MIT) and the flags of flag-icons (MIT), both development packages.

/** Every tenth file is never trained on: what the restorer is measured with. */
const ASIDE_OF = 10;

export type Part = 'train' | 'aside';

export interface IconFiles {
  readonly icons: readonly string[];
  readonly flags: readonly string[];
}

/** FNV-1a of the file's name: which part it belongs to does not change when packages add files. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}

/** The files of one part, in the order of their names. */
export function findIconFiles(packageRoot: string, part: Part): IconFiles {
  const filesOf = (folder: string): string[] =>
    readdirSync(join(packageRoot, 'node_modules', folder))
      .filter((name) => name.endsWith('.svg') && (hashOf(name) % ASIDE_OF === 0) === (part === 'aside'))
      .sort()
      .map((name) => join(packageRoot, 'node_modules', folder, name));
  const found = { icons: filesOf('bootstrap-icons/icons'), flags: filesOf('flag-icons/flags/4x3') };
  if (found.icons.length === 0 || found.flags.length === 0) throw new Error(`No icons were found in ${packageRoot}`);
  return found;
}

/** What stands inside the root element, and its viewBox. */
function innerOf(file: string): { readonly viewBox: string; readonly markup: string } {
  const text = readFileSync(file, 'utf8');
  const viewBox = /viewBox="([^"]+)"/.exec(text)?.[1];
  const markup = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(text)?.[1];
  if (viewBox === undefined || markup === undefined) throw new Error(`${file} is not an icon`);
  return { viewBox, markup };
}

const page = (width: number, height: number, background: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${background}"/>${content}</svg>`;

const nested = (x: number, y: number, size: number, { viewBox, markup }: ReturnType<typeof innerOf>): string =>
  `<svg x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${size.toFixed(2)}" height="${size.toFixed(2)}" viewBox="${viewBox}">${markup}</svg>`;

/** One icon over the whole picture, or a sheet of them, each in a color of its own. */
export function drawIcons(random: Random, files: IconFiles, width: number, height: number): string {
  const background = anyBackground(random);
  const side = Math.min(width, height);
  const across = random.chance(0.6) ? 1 : random.whole(2, 3);
  const step = side / across;
  const cells: string[] = [];
  for (let row = 0; row < across; row++) {
    for (let column = 0; column < across; column++) {
      const icon = innerOf(random.oneOf(files.icons));
      const size = step * random.between(0.6, 1);
      const color = background === '#ffffff' && random.chance(0.5) ? '#000000' : anyColor(random);
      const [x, y] = [column * step + (step - size) * random.unit(), row * step + (step - size) * random.unit()];
      const turn = random.chance(0.2) ? random.between(-45, 45) : 0;
      const placed = nested(x, y, size, icon);
      cells.push(
        `<g fill="${color}" color="${color}" transform="rotate(${turn.toFixed(1)} ${(x + size / 2).toFixed(1)} ${(y + size / 2).toFixed(1)})">${placed}</g>`,
      );
    }
  }
  return page(width, height, background, cells.join(''));
}

/** One flag (their ids would clash on a sheet), to the edges or with a margin around it. */
export function drawFlag(random: Random, files: IconFiles, width: number, height: number): string {
  const flag = innerOf(random.oneOf(files.flags));
  const size = Math.max(width, height) * (random.chance(0.5) ? 1 : random.between(0.7, 1.3));
  return page(width, height, anyBackground(random), nested((width - size) / 2, (height - size) / 2, size, flag));
}
