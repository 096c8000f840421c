import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize } from '#domain/exports/output-size.js';

export const epsOptions = defineExportOptions(
  'eps',
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
    'title',
    'level',
  ],
  { precision: { default: 3 } },
  checkSize,
);
export type EpsOptions = ReturnType<typeof epsOptions.parseOptions>;
