import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize } from '#domain/exports/output-size.js';

export const pngOptions = defineExportOptions(
  'png',
  ['scale', 'width', 'height', 'fit', 'unit', 'dpi', 'background', 'gap_cleanup', 'gap_width'],
  {},
  checkSize,
);
export type PngOptions = ReturnType<typeof pngOptions.parseOptions>;
