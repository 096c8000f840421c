import type { Writable } from 'node:stream';
import type { InspectDrawing, InspectedDrawing } from '#application/use-cases/inspect-drawing.js';
import type { Fidelity } from '#domain/diagnostics/diagnostics.js';
import { oneLine } from '../error-line.js';
import { readInput, writeStream } from '../files.js';
import { table } from '../table.js';

export interface InspectCommandDeps {
  /** Loads what reading SVG and pictures needs. */
  readonly inspecting: () => Promise<InspectDrawing>;
  readonly stdout: Writable;
}

/** How many colors are listed for people; JSON has all. */
const MAX_COLORS = 16;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const fidelityText = ({ psnr, ssim, deltaE00, worst }: Fidelity) =>
  `delta E ${deltaE00.toFixed(3)}, PSNR ${psnr.toFixed(2)} dB, SSIM ${ssim.toFixed(4)}; worst at ${worst.x},${worst.y} (${worst.width} x ${worst.height}): delta E ${worst.deltaE00.toFixed(2)}`;

function inspectionText(path: string, found: InspectedDrawing): string {
  const { colorPalette, fidelity, warnings } = found;
  const colors = colorPalette.slice(0, MAX_COLORS);
  const more = colorPalette.length - colors.length;
  const palette = table(
    ['COLOR', 'COVERS', 'SHAPES'],
    colors.map(({ hex, coverage, shapes }) => [hex, percent(coverage), String(shapes)]),
    [1, 2],
  );
  return [
    oneLine(`${path}: ${found.width} x ${found.height}, ${found.svgBytes} bytes`),
    `${found.shapes} shapes (${found.paths} paths, ${found.primitives} primitives), ${found.nodes} nodes, ${found.gradients} gradients, ${found.colors} colors`,
    ...(fidelity === null ? [] : [`against the picture: ${fidelityText(fidelity)}`]),
    palette,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...warnings.map(({ message }) => `note: ${oneLine(message)}`),
  ].join('\n');
}

/** `burin inspect drawing.svg [picture.png]`. Throws a ServiceError. */
export async function inspectCommand(
  { inspecting, stdout }: InspectCommandDeps,
  { svg, picture, json }: { readonly svg: string; readonly picture: string | undefined; readonly json: boolean },
): Promise<void> {
  const bytes = { svg: await readInput(svg), picture: picture === undefined ? undefined : await readInput(picture) };
  const found = await (await inspecting())(bytes);
  const text = json
    ? JSON.stringify({ input: svg, ...(picture !== undefined && { picture }), ...found })
    : inspectionText(svg, found);
  await writeStream(stdout, `${text}\n`);
}

/** Rows that are compared: a name, its value, and whether less is better. */
const COMPARED: readonly (readonly [string, (found: InspectedDrawing) => number, 'less' | 'more', number])[] = [
  ['delta E', ({ fidelity }) => (fidelity as Fidelity).deltaE00, 'less', 3],
  ['PSNR, dB', ({ fidelity }) => (fidelity as Fidelity).psnr, 'more', 2],
  ['SSIM', ({ fidelity }) => (fidelity as Fidelity).ssim, 'more', 4],
  ['bytes', ({ svgBytes }) => svgBytes, 'less', 0],
  ['nodes', ({ nodes }) => nodes, 'less', 0],
  ['shapes', ({ shapes }) => shapes, 'less', 0],
  ['colors', ({ colors }) => colors, 'less', 0],
];

/** `burin compare a.svg b.svg picture.png`: which is closer to the picture, and which is smaller. Throws a ServiceError. */
export async function compareCommand(
  { inspecting, stdout }: InspectCommandDeps,
  { a, b, picture, json }: { readonly a: string; readonly b: string; readonly picture: string; readonly json: boolean },
): Promise<void> {
  const [svgA, svgB, bytes] = [await readInput(a), await readInput(b), await readInput(picture)];
  const inspect = await inspecting();
  const foundA = await inspect({ svg: svgA, picture: bytes });
  const foundB = await inspect({ svg: svgB, picture: bytes });
  const rows = COMPARED.map(([name, of, better, digits]) => {
    const [valueA, valueB] = [of(foundA), of(foundB)];
    const winner = valueA === valueB ? 'same' : valueA < valueB === (better === 'less') ? 'A' : 'B';
    return { name, a: valueA, b: valueB, better: winner, digits };
  });
  if (json) {
    const better = Object.fromEntries(rows.map((row) => [row.name, row.better]));
    await writeStream(
      stdout,
      `${JSON.stringify({ picture, a: { input: a, ...foundA }, b: { input: b, ...foundB }, better })}\n`,
    );
    return;
  }
  const cells = rows.map((row) => [row.name, row.a.toFixed(row.digits), row.b.toFixed(row.digits), row.better]);
  const text = `${oneLine(`A: ${a}`)}\n${oneLine(`B: ${b}`)}\n${table(['AGAINST THE PICTURE', 'A', 'B', 'BETTER'], cells, [1, 2])}`;
  await writeStream(stdout, `${text}\n`);
}
