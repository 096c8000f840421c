import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vectorize } from 'burin';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import type { VectorizedImage } from '#application/use-cases/vectorize-image.js';
import { GUIDE_FOLDER } from '#config/compose-guide.js';
import { ServiceError } from '#domain/errors.js';
import { PRESET_IDS, type SettingName } from '#domain/presets/settings.js';
import { engineFigures } from './figures.js';
import { SOURCE_NAMES, type SourceName } from './sources.js';
import { STRIPS } from './strips.js';

export const PICTURES = join(GUIDE_FOLDER, 'pictures');
export const sourceFile = (name: SourceName): string => join(PICTURES, `source-${name}.png`);

const CELL = 240;
const CAPTION = 44;
const GAP = 12;

const shown = (value: unknown): string =>
  value === null ? 'not set' : Array.isArray(value) ? value.join(', ') : String(value);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The inside of a drawing, its ids made different from those of its neighbors. */
function insideOf(svg: string, prefix: string): string {
  const inside = /^<svg[^>]*>([\s\S]*)<\/svg>\s*$/.exec(svg)?.[1] ?? '';
  return inside
    .replaceAll(/\bid="([^"]+)"/g, `id="${prefix}$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`)
    .replaceAll(/href="#([^"]+)"/g, `href="#${prefix}$1"`);
}

interface Cell {
  readonly title: string;
  readonly drawing: VectorizedImage | undefined;
  /** In place of a drawing. */
  readonly says?: string;
}

function cellSvg({ title, drawing, says }: Cell, index: number): string {
  const x = index * (CELL + GAP);
  const heading = `<text x="${x}" y="16" font-weight="bold">${escaped(title.length > 34 ? `${title.slice(0, 33)}…` : title)}</text>`;
  if (drawing === undefined) return `${heading}<text x="${x}" y="34">${escaped(says ?? '')}</text>`;
  const { width, height, shapes, nodes, svgBytes } = drawing.traceStats;
  const { fidelity } = drawing.qualityDiagnostics;
  const closeness = fidelity === null ? '' : `, ΔE ${fidelity.deltaE00.toFixed(2)}`;
  return [
    heading,
    `<text x="${x}" y="34">${shapes} shapes, ${nodes} nodes, ${svgBytes} B${closeness}</text>`,
    `<svg x="${x}" y="${CAPTION}" width="${CELL}" height="${CELL}" viewBox="0 0 ${width} ${height}">${insideOf(drawing.svg, `c${index}-`)}</svg>`,
    `<rect x="${x + 0.5}" y="${CAPTION + 0.5}" width="${CELL - 1}" height="${CELL - 1}" fill="none" stroke="#c8ccd0"/>`,
  ].join('\n');
}

/** Drawings side by side with their figures. */
function stripSvg(cells: readonly Cell[]): string {
  const width = cells.length * (CELL + GAP) - GAP;
  const height = CAPTION + CELL;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">
<rect width="${width}" height="${height}" fill="#fff"/>
${cells.map(cellSvg).join('\n')}
</svg>
`;
}

async function traced(source: SourceName, settings: Record<string, unknown>): Promise<VectorizedImage | ServiceError> {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  try {
    return await vectorize(new Uint8Array(readFileSync(sourceFile(source))), given as never);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const cellOf = async (title: string, source: SourceName, settings: Record<string, unknown>): Promise<Cell> => {
  const made = await traced(source, settings);
  return made instanceof ServiceError ? { title, drawing: undefined, says: made.message } : { title, drawing: made };
};

/** Every picture that Burin makes for the guide, by file name; of the sources that lie there already. */
export async function makePictures(): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>();
  for (const [name, { source, values, beside = {} }] of Object.entries(STRIPS)) {
    // Where the second tracer is not installed, its picture stays as it is.
    if (name === 'engine' && findPotrace() === undefined) continue;
    const cells: Cell[] = [];
    for (const value of values)
      cells.push(await cellOf(`${name}=${shown(value)}`, source, { ...beside, [name as SettingName]: value }));
    made.set(`strip-${name}.svg`, stripSvg(cells));
  }
  for (const preset of PRESET_IDS) {
    const source = SOURCE_NAMES.find((name) => name === preset) ?? 'illustration';
    const cells = [await cellOf('preset=auto', source, {}), await cellOf(`preset=${preset}`, source, { preset })];
    made.set(`preset-${preset}.svg`, stripSvg(preset === 'auto' ? cells.slice(0, 1) : cells));
  }
  for (const [name, svg] of await engineFigures()) made.set(name, svg);
  return made;
}
