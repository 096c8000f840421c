import PDFDocument from 'pdfkit';
import type { Drawing, Matrix } from '#domain/drawing/drawing.js';
import { placementOf, unitsPerInch } from '#domain/exports/output-size.js';
import type { PdfOptions } from './options.js';

export type PdfDocument = InstanceType<typeof PDFDocument>;

const POINTS_PER_INCH = 72;
/** What every file says of when it was made, so that the same drawing gives the same bytes. */
const CREATION_DATE = new Date(0);

export interface Page {
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** From user units to points from the top left. */
  readonly matrix: Matrix;
}

/** The page and where the drawing lies on it. */
export function pageOf(drawing: Drawing, options: PdfOptions): Page {
  const { unit, width, height, scaleX, scaleY, offsetX, offsetY } = placementOf(drawing, options);
  const points = POINTS_PER_INCH / unitsPerInch(unit, options.dpi);
  return {
    width: width * points,
    height: height * points,
    matrix: [scaleX * points, 0, 0, scaleY * points, offsetX * points, offsetY * points],
  };
}

/** The bytes of a document without pages that `fill` then fills. Rejects with what it throws. */
export async function makeDocument(options: PdfOptions, fill: (document: PdfDocument) => void): Promise<Uint8Array> {
  const { pdf_version, title, author, subject, keywords } = options;
  const document = new PDFDocument({
    autoFirstPage: false,
    // pdfkit would begin with a font of its own; there is no text here.
    font: null as unknown as string,
    pdfVersion: pdf_version,
    info: {
      Producer: 'Burin',
      Creator: 'Burin',
      CreationDate: CREATION_DATE,
      ...(title !== null && { Title: title }),
      ...(author !== null && { Author: author }),
      ...(subject !== null && { Subject: subject }),
      ...(keywords !== null && { Keywords: keywords }),
    },
  });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });
  fill(document);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
