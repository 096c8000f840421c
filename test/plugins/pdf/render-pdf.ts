import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RgbPicture } from '#test/support/compare-pictures.js';
import { pictureOfPpm } from '#test/support/ppm.js';

export const hasPoppler = spawnSync('pdftoppm', ['-v']).status === 0 && spawnSync('pdfinfo', ['-v']).status === 0;

function inFolder<Result>(pdf: Uint8Array, use: (input: string, folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'burin-pdf-'));
  try {
    const input = join(folder, 'in.pdf');
    writeFileSync(input, pdf);
    return use(input, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  // Poppler complains of what it does not understand, and goes on.
  if (status !== 0 || stderr !== '') throw new Error(`${command}: ${stdout}${stderr}`);
  return stdout;
}

/** The page on white. Throws where poppler fails or has anything to say. */
export const renderPdf = (pdf: Uint8Array, dpi: number): RgbPicture =>
  inFolder(pdf, (input, folder) => {
    run('pdftoppm', ['-r', String(dpi), '-singlefile', input, join(folder, 'out')]);
    return pictureOfPpm(readFileSync(join(folder, 'out.ppm')));
  });

/** What pdfinfo says, by its own labels. */
export const pdfInfo = (pdf: Uint8Array): Readonly<Record<string, string>> =>
  inFolder(pdf, (input) =>
    Object.fromEntries(
      run('pdfinfo', ['-box', input])
        .split('\n')
        .map((line) => line.split(/:\s+/, 2) as [string, string]),
    ),
  );
