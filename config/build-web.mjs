// Bundles the studio and the dashboard (adapters/web) into dist/adapters/web: pages, and files under hashed names.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const PAGES = ['index', 'dashboard'];
/** Smaller than this, a compressed copy gains nothing. */
const LEAST_COMPRESSED_BYTES = 1024;
const COMPRESSIBLE = /\.(js|css|html|svg)$/;

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Whether `made` is younger than every source. */
function isFresh(made, sources) {
  if (!existsSync(made)) return false;
  const { mtimeMs } = statSync(made);
  return sources.every((path) => statSync(path).mtimeMs < mtimeMs);
}

/** Copies that the server sends to browsers that take them, made once instead of at every request. */
function compress(folder) {
  for (const path of filesBelow(folder)) {
    if (!COMPRESSIBLE.test(path)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < LEAST_COMPRESSED_BYTES) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    );
  }
}

/** Builds the pages where they are older than their sources. The compiled domain must stand in dist already. */
export async function buildWeb(root) {
  const source = join(root, 'adapters', 'web');
  const outDir = join(root, 'dist', 'adapters', 'web');
  const sources = [
    ...['app', 'assets'].flatMap((folder) => filesBelow(join(source, folder))),
    ...PAGES.map((page) => join(source, `${page}.html`)),
    ...filesBelow(join(root, 'domain')),
    join(root, 'config', 'build-web.mjs'),
    join(root, 'package-lock.json'),
  ];
  if (isFresh(join(outDir, `${PAGES.at(-1)}.html`), sources)) return;
  let vite;
  try {
    vite = await import('vite');
  } catch {
    // A compiler without the bundler: the pages that are there stay, or there are none.
    return;
  }
  rmSync(outDir, { recursive: true, force: true });
  await vite.build({
    root: source,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // Everything is a file of its own: the pages' policy allows no inline script and no data: script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input: Object.fromEntries(PAGES.map((page) => [page, join(source, `${page}.html`)])) },
    },
    worker: { format: 'es' },
  });
  compress(outDir);
}
