// Compiles everything into dist/, the web pages included. Where TypeScript or Vite are not installed (`npm ci --omit=dev`), the
// dist that is already there is used.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** The compiler's entry, or undefined in a production install. */
function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    return undefined;
  }
}

const compiler = findCompiler();
if (compiler === undefined) {
  if (existsSync(join(dist, 'config', 'main', 'cli.js'))) process.exit(0);
  console.error('burin: no dist/ and no TypeScript to build it with; run `npm ci` with development dependencies once.');
  process.exit(1);
}
// A deleted source leaves its .js behind, which would go on running: tests start from nothing.
if (process.argv.includes('--clean')) rmSync(dist, { recursive: true, force: true });
const result = spawnSync(process.execPath, [compiler, '-b', root, join(root, 'adapters', 'web')], { stdio: 'inherit' });
const cli = join(dist, 'config', 'main', 'cli.js');
if (existsSync(cli)) chmodSync(cli, 0o755);
if (result.status === 0) await buildWeb(root);
process.exit(result.status ?? 1);
