import { invalid } from '#domain/errors.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize } from '#domain/exports/output-size.js';

export const jpgOptions = defineExportOptions(
  'jpg',
  ['scale', 'width', 'height', 'fit', 'unit', 'dpi', 'background', 'gap_cleanup', 'gap_width', 'quality'],
  { background: { default: 0xffffff } },
  (values) => {
    checkSize(values);
    if (values.background === null)
      throw invalid('background', 'jpg has no transparency; give a color, or leave it out for white');
  },
);
export type JpgOptions = ReturnType<typeof jpgOptions.parseOptions>;
