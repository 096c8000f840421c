import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = 'dejavu-fonts-ttf';
/** Three families, each plain, bold and slanted: enough for every generic name. */
const FILES = ['Sans', 'Sans-Bold', 'Sans-Oblique', 'Sans-BoldOblique'].flatMap((face) => [
  `DejaVu${face}.ttf`,
  `DejaVu${face.replace('Sans', 'SansMono')}.ttf`,
  `DejaVu${face.replace('Sans', 'Serif').replace('Oblique', 'Italic')}.ttf`,
]);

/** The fonts that come with the program, for text in foreign SVG. The system's own are never used: answers would differ. */
export function bundledFontFiles(): readonly string[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)), 'ttf');
  return FILES.map((file) => join(folder, file));
}
