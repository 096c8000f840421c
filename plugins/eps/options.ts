import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const epsOptions = defineExportOptions(
  'eps',
  [...SIZE_OPTIONS, ...SURFACE_OPTIONS, 'clip_overflow', 'precision', 'title', 'level'],
  { precision: { default: 3 } },
  checkSize,
);
export type EpsOptions = ReturnType<typeof epsOptions.parseOptions>;
