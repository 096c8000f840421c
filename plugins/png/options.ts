import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { checkSize, SIZE_OPTIONS } from '#domain/exports/output-size.js';
import { SURFACE_OPTIONS } from '#domain/exports/prepare-drawing.js';

export const pngOptions = defineExportOptions('png', [...SIZE_OPTIONS, ...SURFACE_OPTIONS], {}, checkSize);
export type PngOptions = ReturnType<typeof pngOptions.parseOptions>;
