import { createHash } from 'node:crypto';
import { vectorize } from '#config/main/library.js';
import { GOLDEN_INPUTS } from './inputs.js';

/** A hash of the SVG of every golden input, in the order of the table. */
export async function hashesOfGoldenInputs(): Promise<string[]> {
  const hashes: string[] = [];
  for (const { picture, settings = {} } of Object.values(GOLDEN_INPUTS)) {
    const { svg } = await vectorize(await picture(), { ...settings, fidelity: false });
    hashes.push(createHash('sha256').update(svg).digest('hex'));
  }
  return hashes;
}
