import { readFileSync, writeFileSync } from 'node:fs';
import { sbomOf } from '#config/sbom.js';

/** `npm run sbom [-- FILE]`: what Burin is made of, as CycloneDX JSON, into a file or to the output. */
const readJson = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
const text = `${JSON.stringify(sbomOf(readJson('package.json'), readJson('package-lock.json').packages), null, 2)}\n`;
const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
