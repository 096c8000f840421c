import { readFile } from 'node:fs/promises';

/** Names that ask for no font in particular. */
const GENERIC = new Set([
  'serif',
  'sans-serif',
  'cursive',
  'fantasy',
  'monospace',
  'system-ui',
  'ui-serif',
  'ui-sans-serif',
  'ui-monospace',
  'inherit',
  'initial',
  'unset',
]);
const FAMILY_NAME = 1;
const WINDOWS = 3;

/** What is asked of a font file: the name of its family, and which characters it has. */
interface FontFacts {
  readonly family: string;
  readonly characters: ReadonlySet<number>;
}

/** Where the tables of a TrueType file begin, by their tags. */
function tablesOf(file: DataView): ReadonlyMap<string, number> {
  const tables = new Map<string, number>();
  for (let i = 0; i < file.getUint16(4); i++) {
    const at = 12 + 16 * i;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((k) => file.getUint8(at + k)));
    tables.set(tag, file.getUint32(at + 8));
  }
  return tables;
}

function familyOf(file: DataView, name: number): string {
  const texts = name + file.getUint16(name + 4);
  for (let i = 0; i < file.getUint16(name + 2); i++) {
    const at = name + 6 + 12 * i;
    if (file.getUint16(at) !== WINDOWS || file.getUint16(at + 6) !== FAMILY_NAME) continue;
    const [length, start] = [file.getUint16(at + 8), texts + file.getUint16(at + 10)];
    let text = '';
    for (let k = 0; k < length; k += 2) text += String.fromCharCode(file.getUint16(start + k));
    return text;
  }
  return '';
}

/** Characters of the two kinds of table that fonts for Unicode have: segments of 16 bits (4), groups of 32 (12). */
function charactersOf(file: DataView, cmap: number): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (from: number, to: number) => {
    for (let code = from; code <= to; code++) found.add(code);
  };
  for (let i = 0; i < file.getUint16(cmap + 2); i++) {
    const at = cmap + file.getUint32(cmap + 4 + 8 * i + 4);
    const format = file.getUint16(at);
    if (format === 12)
      for (let k = 0; k < file.getUint32(at + 12); k++)
        add(file.getUint32(at + 16 + 12 * k), file.getUint32(at + 20 + 12 * k));
    if (format !== 4) continue;
    const size = file.getUint16(at + 6);
    for (let k = 0; k < size; k += 2) {
      const end = file.getUint16(at + 14 + k);
      // The last segment is a mark and no character.
      if (end !== 0xffff) add(file.getUint16(at + 16 + size + k), end);
    }
  }
  return found;
}

async function factsOf(path: string): Promise<FontFacts> {
  const bytes = await readFile(path);
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = tablesOf(file);
  return {
    family: familyOf(file, tables.get('name')!).toLowerCase(),
    characters: charactersOf(file, tables.get('cmap')!),
  };
}

export interface Fonts {
  readonly files: readonly string[];
  /** The families among those asked for that another one stands in for, and the characters that no font here has. */
  lacks(
    families: Iterable<string>,
    characters: Iterable<string>,
  ): Promise<{ readonly families: readonly string[]; readonly characters: readonly string[] }>;
}

/** TrueType files by their paths, read when the first text comes. */
export function createFonts(files: readonly string[]): Fonts {
  let loading: Promise<readonly FontFacts[]> | undefined;
  return {
    files,
    async lacks(families, characters) {
      loading ??= Promise.all(files.map(factsOf));
      const facts = await loading;
      const isThere = (name: string) =>
        GENERIC.has(name.toLowerCase()) || facts.some(({ family }) => family === name.toLowerCase());
      const hasGlyph = (character: string) => {
        const code = character.codePointAt(0)!;
        return facts.some((font) => font.characters.has(code));
      };
      return {
        families: [...families].filter((name) => !isThere(name)),
        // White space and what only joins or directs others has no glyph of its own.
        characters: [...characters].filter((one) => !/[\s\p{C}\p{M}]/u.test(one) && !hasGlyph(one)),
      };
    },
  };
}

/** The family that is asked for first, without quotes; undefined where the value names none. */
export function firstFamilyOf(value: string): string | undefined {
  const name = value
    .split(',')[0]!
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2');
  return name === '' ? undefined : name;
}

/** The same of a `font` shorthand, where it follows the size. */
export const firstFamilyOfShorthand = (value: string): string | undefined =>
  firstFamilyOf(/(?:^|\s)[\d.]+[a-z%]*(?:\s*\/\s*[\w.%]+)?\s+(.+)$/i.exec(value)?.[1] ?? '');
