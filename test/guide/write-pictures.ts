import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pngOf } from '#test/support/write-png.js';
import { makePictures, PICTURES, sourceFile } from './pictures.js';
import { drawSources, SOURCE_NAMES } from './sources.js';

// `npm run guide`: makes the pictures of the guide anew. The sources are drawn where they are missing, or with --sources.
mkdirSync(PICTURES, { recursive: true });
const anew = process.argv.includes('--sources');
const drawn = await drawSources();
for (const name of SOURCE_NAMES)
  if (anew || !existsSync(sourceFile(name))) writeFileSync(sourceFile(name), pngOf(drawn[name]));
const made = await makePictures();
for (const [name, svg] of made) writeFileSync(join(PICTURES, name), svg);
process.stdout.write(`${made.size} pictures in ${PICTURES}\n`);
