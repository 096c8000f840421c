// Compiles the engine's kernels from AssemblyScript to WebAssembly, as TypeScript that holds the bytes: `npm run kernels`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', 'adapters', 'tracing', 'engine', 'kernels');
const OPTIONS = ['-O3', '--runtime', 'stub', '--importMemory', '--noAssert', '--zeroFilledMemory', '--enable', 'simd'];
const PER_LINE = 32;

/** The TypeScript module that holds what `kernel.as.ts` compiles to. Throws Error with what the compiler says. */
export async function compileKernel() {
  let binary;
  const { error, stderr } = await asc.main(['kernel.as.ts', '--outFile', 'kernel.wasm', ...OPTIONS], {
    readFile: (name, base) => {
      try {
        return readFileSync(join(base === '.' ? FOLDER : base, name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (_, contents) => {
      binary = contents;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`kernel.as.ts does not compile: ${stderr.toString()}`, { cause: error });
  const lines = [];
  for (let at = 0; at < binary.length; at += PER_LINE)
    lines.push(`  ${[...binary.slice(at, at + PER_LINE)].join(', ')},`);
  return [
    '/**',
    ' * The WebAssembly of `kernel.as.ts`, made by `npm run kernels`. A test holds both equal.',
    ' */',
    'export const KERNEL_CODE = Uint8Array.of(',
    ...lines,
    ');',
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(join(FOLDER, 'kernel-code.ts'), await compileKernel());
