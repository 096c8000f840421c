import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize } from '#domain/exports/output-size.js';

export const avifOptions = defineExportOptions(
  'avif',
  ['scale', 'width', 'height', 'fit', 'unit', 'dpi', 'background', 'gap_cleanup', 'gap_width', 'quality', 'lossless'],
  { quality: { default: 80 } },
  checkSize,
);
export type AvifOptions = ReturnType<typeof avifOptions.parseOptions>;
