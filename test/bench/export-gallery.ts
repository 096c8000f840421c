import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Exporter } from '#application/ports/exporter.js';
import { exporters } from '#plugins/index.js';
import { renderEps } from '#test/plugins/eps/render-eps.js';
import { renderPdf } from '#test/plugins/pdf/render-pdf.js';
import type { RgbPicture } from '#test/support/compare-pictures.js';
import { drawingOf, exportSet, type SetFile } from '#test/support/export-set.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { referenceOfMarkup } from '#test/support/svg-pictures.js';

/** A page to look at: each file of the set as the reference, PDF, EPS, PNG, JPG, WEBP and AVIF. `npm run gallery:export` */

const CELL_PX = 120;
const LABEL_PX = 14;
const FILES_PER_ROW = 2;
const SHOWN = ['reference', 'pdf', 'eps', 'png', 'jpg', 'webp', 'avif'];

const never = new AbortController().signal;

async function pictureOf(file: SetFile, id: string): Promise<Uint8Array> {
  const drawing = await drawingOf(file);
  const scale = Math.min(8, Math.max(1, CELL_PX / Math.max(drawing.width, drawing.height)));
  if (id === 'reference') return pngOf(referenceOfMarkup(file.markup, scale));
  const exporter = (exporters as readonly Exporter[]).find(({ format }) => format.id === id)!;
  const { bytes } = await exporter.encode(drawing, exporter.parseOptions({ scale }), never);
  if (id === 'pdf') return pngOf(renderPdf(bytes, 96));
  return id === 'eps' ? pngOf(renderEps(bytes, 96).picture) : bytes;
}

function pngOf({ width, height, data }: RgbPicture): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

const cells: { input: Buffer; left: number; top: number }[] = [];
const set = await exportSet();
for (const [i, file] of set.entries()) {
  const top = Math.floor(i / FILES_PER_ROW) * (CELL_PX + LABEL_PX);
  const start = (i % FILES_PER_ROW) * (SHOWN.length * CELL_PX + LABEL_PX);
  const label = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="${LABEL_PX}"><text x="2" y="11" font-family="DejaVu Sans" font-size="11">${file.name} (${file.kind}): ${SHOWN.join(', ')}</text></svg>`;
  cells.push({ input: await pngOf(referenceOfMarkup(label, 1)), left: start, top });
  for (const [k, id] of SHOWN.entries()) {
    const small = await sharp(await pictureOf(file, id))
      .flatten({ background: '#fff' })
      .resize(CELL_PX - 4, CELL_PX - 4, { fit: 'contain', background: '#ddd' })
      .png()
      .toBuffer();
    cells.push({ input: small, left: start + k * CELL_PX, top: top + LABEL_PX });
  }
}

const folder = join(PACKAGE_ROOT, 'test', 'output');
mkdirSync(folder, { recursive: true });
const page = await sharp({
  create: {
    width: FILES_PER_ROW * (SHOWN.length * CELL_PX + LABEL_PX),
    height: Math.ceil(set.length / FILES_PER_ROW) * (CELL_PX + LABEL_PX),
    channels: 3,
    background: '#fff',
  },
})
  .composite(cells)
  .png()
  .toBuffer();
writeFileSync(join(folder, 'exports.png'), page);
process.stdout.write(`${set.length} files: ${join(folder, 'exports.png')}\n`);
