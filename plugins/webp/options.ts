import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize } from '#domain/exports/output-size.js';

export const webpOptions = defineExportOptions(
  'webp',
  ['scale', 'width', 'height', 'fit', 'unit', 'dpi', 'background', 'gap_cleanup', 'gap_width', 'quality', 'lossless'],
  {},
  checkSize,
);
export type WebpOptions = ReturnType<typeof webpOptions.parseOptions>;
