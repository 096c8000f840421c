import { MAX_DECIMALS } from '#domain/drawing/path-data.js';

/**
 * Every option of an export, once. What a format honours, its JSON schema, what is refused and how, the capabilities matrix and
 * the guide all read this table; `defineExportOptions` makes them for one format.
 */

interface RowBase {
  /** One sentence for people. */
  readonly meaning: string;
  readonly unit?: string;
}
/** A `null` default means: not set, the format is free. */
export interface EnumOption extends RowBase {
  readonly type: 'enum';
  readonly values: readonly string[];
  readonly default: string | null;
}
export interface NumberOption extends RowBase {
  readonly type: 'number' | 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
}
export interface BooleanOption extends RowBase {
  readonly type: 'boolean';
  readonly default: boolean;
}
/** 0xRRGGBB; `null` (written `none`) for no color. */
export interface ColorOption extends RowBase {
  readonly type: 'color';
  readonly default: number | null;
}
/** One line of text; `null` where it was not given. */
export interface TextOption extends RowBase {
  readonly type: 'text';
  readonly maxLength: number;
  readonly default: null;
}
export type ExportOption = EnumOption | NumberOption | BooleanOption | ColorOption | TextOption;

const METADATA_LENGTH = 500;

export const EXPORT_OPTIONS = {
  scale: {
    type: 'number',
    min: 1,
    max: 8,
    default: 1,
    meaning: 'Size of the result in times of the drawing; not together with width or height.',
  },
  width: {
    type: 'number',
    min: 0.01,
    max: 100_000,
    default: null,
    meaning: 'Width of the result in `unit`; alone, the height follows.',
  },
  height: {
    type: 'number',
    min: 0.01,
    max: 100_000,
    default: null,
    meaning: 'Height of the result in `unit`; alone, the width follows.',
  },
  fit: {
    type: 'enum',
    values: ['inset', 'overflow', 'stretch'],
    default: 'inset',
    meaning:
      'With both width and height: fit all of the drawing inside (inset), fill the size and cut what stands out (overflow), or stretch.',
  },
  unit: {
    type: 'enum',
    values: ['px', 'pt', 'mm', 'cm', 'in'],
    default: 'px',
    meaning: 'The unit of width and height, and of the size written into the file.',
  },
  dpi: {
    type: 'number',
    min: 1,
    max: 2400,
    default: 96,
    unit: 'px/in',
    meaning: 'How many pixels make an inch where pixels and lengths meet, and what raster files say of themselves.',
  },
  background: {
    type: 'color',
    default: null,
    meaning: 'Painted beneath the drawing; a hex color, or none.',
  },
  group_by: {
    type: 'enum',
    values: ['none', 'color', 'path'],
    default: 'color',
    meaning: 'Groups, which are layers in a PDF: none, one for each color, or one for each path.',
  },
  svg_version: {
    type: 'enum',
    values: ['1.0', '1.1', 'tiny1.2'],
    default: null,
    meaning: 'Write only what this SVG version has; left out, 1.1 with vector-effect where it is asked for.',
  },
  flatten: {
    type: 'boolean',
    default: false,
    meaning:
      'No element has a transform, no group an opacity, and nothing is used twice by reference; turned pictures keep theirs.',
  },
  clip_overflow: {
    type: 'boolean',
    default: false,
    meaning: 'Cut off what lies outside the canvas.',
  },
  non_scaling_strokes: {
    type: 'boolean',
    default: false,
    meaning: 'Strokes keep their width when the drawing is scaled.',
  },
  gap_cleanup: {
    type: 'enum',
    values: ['off', 'stroke', 'underlap'],
    default: 'off',
    meaning: 'Hide hairlines between neighbors by a thin stroke around fills, or by one beneath those painted later.',
  },
  gap_width: {
    type: 'number',
    min: 0.01,
    max: 10,
    default: 0.5,
    unit: 'px of the drawing',
    meaning: 'How wide gap cleanup paints beyond the edge of a fill, on both sides together.',
  },
  precision: {
    type: 'integer',
    min: 0,
    max: MAX_DECIMALS,
    default: 2,
    unit: 'digits',
    meaning: 'Digits after the point of every coordinate; one unit is one pixel of the picture.',
  },
  quality: {
    type: 'integer',
    min: 1,
    max: 100,
    default: 90,
    meaning: 'Quality of a lossy picture.',
  },
  lossless: {
    type: 'boolean',
    default: false,
    meaning: 'Keep every pixel exactly; quality is then not used.',
  },
  pdf_version: {
    type: 'enum',
    values: ['1.4', '1.5', '1.6', '1.7'],
    default: '1.7',
    meaning: 'The PDF version the file states.',
  },
  title: { type: 'text', maxLength: METADATA_LENGTH, default: null, meaning: 'Title written into the file.' },
  author: { type: 'text', maxLength: METADATA_LENGTH, default: null, meaning: 'Author written into the file.' },
  subject: { type: 'text', maxLength: METADATA_LENGTH, default: null, meaning: 'Subject written into the file.' },
  keywords: { type: 'text', maxLength: METADATA_LENGTH, default: null, meaning: 'Keywords written into the file.' },
  level: {
    type: 'integer',
    min: 2,
    max: 3,
    default: 3,
    meaning: 'PostScript level: 3 has true gradients, 2 paints them in bands.',
  },
  compatibility: {
    type: 'enum',
    values: ['lines_only', 'lines_and_arcs', 'splines'],
    default: 'lines_and_arcs',
    meaning: 'What curves become: short lines, lines and arcs within `tolerance`, or exact splines.',
  },
  tolerance: {
    type: 'number',
    min: 0.001,
    max: 10,
    default: 0.05,
    unit: 'mm',
    meaning: 'How far lines and arcs may stand off the true curve.',
  },
  layers: {
    type: 'enum',
    values: ['color', 'none'],
    default: 'color',
    meaning: 'A layer for each color, or all in one.',
  },
} as const satisfies Record<string, ExportOption>;

export type ExportOptionName = keyof typeof EXPORT_OPTIONS;
export const EXPORT_OPTION_NAMES = Object.keys(EXPORT_OPTIONS) as readonly ExportOptionName[];

type OrNull<Row, Value> = Row extends { readonly default: null } ? Value | null : Value;
type ValueOf<Row> = Row extends { readonly type: 'enum'; readonly values: readonly (infer Value)[] }
  ? OrNull<Row, Value>
  : Row extends { readonly type: 'boolean' }
    ? boolean
    : Row extends { readonly type: 'text' }
      ? string | null
      : Row extends { readonly type: 'color' }
        ? number | null
        : OrNull<Row, number>;

/** A checked value for every option, by its name in the table. */
export type ExportOptionValues = { readonly [Name in ExportOptionName]: ValueOf<(typeof EXPORT_OPTIONS)[Name]> };

/** The row of an option, without its literal types. */
export const exportOptionRow = (name: ExportOptionName): ExportOption => EXPORT_OPTIONS[name];

/** The defaults of some options, as the table has them. */
export const defaultExportOptions = <Name extends ExportOptionName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, EXPORT_OPTIONS[name].default])) as unknown as Pick<
    ExportOptionValues,
    Name
  >;
