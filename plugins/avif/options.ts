import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const avifOptions = defineExportOptions(
  'avif',
  [...SIZE_OPTIONS, ...SURFACE_OPTIONS, 'quality', 'lossless'],
  { quality: { default: 80 } },
  checkSize,
);
export type AvifOptions = ReturnType<typeof avifOptions.parseOptions>;
