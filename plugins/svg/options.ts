import { defineExportOptions } from '#domain/exports/define-export-options.js';

export const svgOptions = defineExportOptions('svg', ['precision']);
export type SvgOptions = ReturnType<typeof svgOptions.parseOptions>;
