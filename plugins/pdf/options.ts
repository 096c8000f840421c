import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize } from '#domain/exports/output-size.js';

export const pdfOptions = defineExportOptions(
  'pdf',
  [
    'scale',
    'width',
    'height',
    'fit',
    'unit',
    'dpi',
    'background',
    'clip_overflow',
    'gap_cleanup',
    'gap_width',
    'precision',
    'pdf_version',
    'title',
    'author',
    'subject',
    'keywords',
  ],
  { precision: { default: 3 } },
  checkSize,
);
export type PdfOptions = ReturnType<typeof pdfOptions.parseOptions>;
