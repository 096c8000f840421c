import { invalid } from '#domain/errors.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const svgOptions = defineExportOptions(
  'svg',
  [
    ...SIZE_OPTIONS,
    ...SURFACE_OPTIONS,
    'group_by',
    'svg_version',
    'flatten',
    'clip_overflow',
    'non_scaling_strokes',
    'precision',
    'title',
  ],
  {},
  (values) => {
    checkSize(values);
    const { svg_version, non_scaling_strokes } = values;
    if (non_scaling_strokes && (svg_version === '1.0' || svg_version === '1.1'))
      throw invalid(
        'non_scaling_strokes',
        `SVG ${svg_version} has no vector-effect; leave svg_version out, or ask for tiny1.2`,
      );
  },
);
export type SvgOptions = ReturnType<typeof svgOptions.parseOptions>;
