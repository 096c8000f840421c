import { invalid } from '#domain/errors.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const jpgOptions = defineExportOptions(
  'jpg',
  [...SIZE_OPTIONS, ...SURFACE_OPTIONS, 'quality'],
  { background: { default: 0xffffff } },
  (values) => {
    checkSize(values);
    if (values.background === null)
      throw invalid('background', 'jpg has no transparency; give a color, or leave it out for white');
  },
);
export type JpgOptions = ReturnType<typeof jpgOptions.parseOptions>;
