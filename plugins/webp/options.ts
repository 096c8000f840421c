import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const webpOptions = defineExportOptions(
  'webp',
  [...SIZE_OPTIONS, ...SURFACE_OPTIONS, 'quality', 'lossless'],
  {},
  checkSize,
);
export type WebpOptions = ReturnType<typeof webpOptions.parseOptions>;
