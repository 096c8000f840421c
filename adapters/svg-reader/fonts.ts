import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = 'dejavu-fonts-ttf';
/** Three families, each plain, bold and slanted: enough for every generic name. */
const FILES = ['Sans', 'Sans-Bold', 'Sans-Oblique', 'Sans-BoldOblique'].flatMap((face) => [
  `DejaVu${face}.ttf`,
  `DejaVu${face.replace('Sans', 'SansMono')}.ttf`,
  `DejaVu${face.replace('Sans', 'Serif').replace('Oblique', 'Italic')}.ttf`,
]);

/** The fonts that came with the program; empty where their package is not installed. */
export function bundledFontFiles(): readonly string[] {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)), 'ttf');
    return FILES.map((file) => join(folder, file)).filter((path) => existsSync(path));
  } catch {
    return [];
  }
}

export const FONT_NAME = 'DejaVu';
