import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { invalid } from '#domain/errors.js';
import { PIPE } from './output-paths.js';

/** A picture that was named, or found in a folder that was. */
export interface FoundPicture {
  /** As it can be opened; `-` for standard input. */
  readonly path: string;
  /** Its place below the folder that was named, which is kept where the drawings go; a bare name otherwise. */
  readonly place: string;
}

/** Extensions by which pictures are told from other files in a folder. A file that is named itself may be called anything. */
const PICTURE = /\.(?:jpe?g|png|bmp|webp|avif)$/i;
/** What a pattern has and a name seldom does; a name that is there is never a pattern. */
export const GLOB = /[*?]|\[[^\]/]+\]|\{[^}/]*\}/;

const kindOf = (path: string): 'folder' | 'file' | 'nothing' => {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
};

/** Files of a folder and of those below it, by their place in it, in the order of their names. Hidden ones are left out, links to folders not followed. */
function* filesBelow(folder: string, place = ''): Generator<string> {
  const entries = readdirSync(join(folder, place), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(place, entry.name);
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else yield path;
  }
}

/**
 * A pattern of paths as an expression: `*` and `?` within a name, `**` across folders, `{a,b}` for either, `[a-z]` for one of
 * these. Paths are written with `/`.
 */
export function globExpression(pattern: string): RegExp {
  let depth = 0;
  const source = pattern.replace(/\*\*\/|\*\*|\[[^\]/]+\]|[*?{},.+^$()|\\]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part === '{') {
      depth++;
      return '(?:';
    }
    if (part === '}' && depth > 0) {
      depth--;
      return ')';
    }
    if (part === ',') return depth > 0 ? '|' : ',';
    if (part.startsWith('[')) return part.replace(/^\[!/, '[^');
    return `\\${part}`;
  });
  if (depth > 0) throw invalid('IN', `${pattern} opens a brace and does not close it`);
  return new RegExp(`^${source}$`);
}

/** The folder that every match is below, and the rest of the pattern. */
function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => GLOB.test(part));
  const folder = parts.slice(0, first).join('/');
  return { folder: folder === '' && pattern.startsWith('/') ? '/' : folder, rest: parts.slice(first).join('/') };
}

function inFolder(folder: string, holds: (place: string) => boolean, shown: string): readonly FoundPicture[] {
  const root = folder === '' ? '.' : folder;
  if (kindOf(root) !== 'folder') throw invalid('IN', `${root} is no folder, so ${shown} finds nothing`);
  const found: FoundPicture[] = [];
  for (const place of filesBelow(root)) if (holds(place)) found.push({ path: join(folder, place), place });
  if (found.length === 0) throw invalid('IN', `${shown} has no JPG, PNG, BMP, WEBP or AVIF in it`);
  return found;
}

/**
 * What there is to trace: files as they were named, every picture in and below a folder, and whatever a pattern that the shell
 * left alone finds. Throws INVALID_REQUEST for a folder or pattern with no picture.
 */
export function findPictures(inputs: readonly string[]): readonly FoundPicture[] {
  return inputs.flatMap((input) => {
    if (input === PIPE) return [{ path: PIPE, place: 'stdin' }];
    const kind = kindOf(input);
    if (kind === 'folder') return inFolder(input, (place) => PICTURE.test(place), input);
    if (kind === 'file' || !GLOB.test(input)) return [{ path: input, place: basename(input) }];
    const { folder, rest } = splitGlob(input.replaceAll('\\', '/'));
    const expression = globExpression(rest);
    return inFolder(folder, (place) => PICTURE.test(place) && expression.test(place.replaceAll('\\', '/')), input);
  });
}
