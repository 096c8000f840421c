import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RgbPicture } from '#test/support/compare-pictures.js';
import { pictureOfPpm } from '#test/support/ppm.js';

export const hasGhostscript = spawnSync('gs', ['--version']).status === 0;

export interface GhostscriptRun {
  readonly picture: RgbPicture;
  /** What it said: warnings and errors. */
  readonly said: string;
}

/** Renders an EPS cropped to its bounding box. Throws where Ghostscript fails. */
export function renderEps(eps: Uint8Array, dpi: number): GhostscriptRun {
  const folder = mkdtempSync(join(tmpdir(), 'burin-eps-'));
  try {
    const input = join(folder, 'in.eps');
    const output = join(folder, 'out.ppm');
    writeFileSync(input, eps);
    const run = spawnSync(
      'gs',
      [
        '-q',
        '-dSAFER',
        '-dBATCH',
        '-dNOPAUSE',
        '-dEPSCrop',
        '-sDEVICE=ppmraw',
        // PostScript fills every pixel that an outline touches; smoothing keeps that from making shapes fatter.
        '-dGraphicsAlphaBits=4',
        `-r${dpi}`,
        `-sOutputFile=${output}`,
        input,
      ],
      { encoding: 'utf8' },
    );
    if (run.status !== 0) throw new Error(`Ghostscript: ${run.stdout}${run.stderr}`);
    return { picture: pictureOfPpm(readFileSync(output)), said: run.stdout + run.stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
