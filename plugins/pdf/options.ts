import { invalid } from '#domain/errors.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const pdfOptions = defineExportOptions(
  'pdf',
  [
    ...SIZE_OPTIONS,
    ...SURFACE_OPTIONS,
    'clip_overflow',
    'group_by',
    'precision',
    'pdf_version',
    'title',
    'author',
    'subject',
    'keywords',
  ],
  { precision: { default: 3 }, group_by: { values: ['none', 'color'], default: 'none' } },
  (values) => {
    checkSize(values);
    if (values.group_by === 'color' && values.pdf_version === '1.4')
      throw invalid('group_by', 'color needs layers, which PDF has from 1.5 on; leave one out');
  },
);
export type PdfOptions = ReturnType<typeof pdfOptions.parseOptions>;
