import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';

export const dxfOptions = defineExportOptions(
  'dxf',
  [...SIZE_OPTIONS, 'clip_overflow', 'compatibility', 'tolerance', 'layers'],
  {
    // A pixel or a point is no unit that DXF knows; and there is no page that something could stand out of.
    unit: { values: ['mm', 'cm', 'in'], default: 'mm' },
    fit: { values: ['inset', 'stretch'] },
  },
  checkSize,
);
export type DxfOptions = ReturnType<typeof dxfOptions.parseOptions>;
