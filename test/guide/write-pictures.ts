import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import { pngOf } from '#test/support/write-png.js';
import { EFFECTS_PAGE, effectsPage, measureEffects } from './effects.js';
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
if (findPotrace() !== undefined) writeFileSync(EFFECTS_PAGE, effectsPage(await measureEffects()));
process.stdout.write(`${made.size} pictures in ${PICTURES}\n`);
