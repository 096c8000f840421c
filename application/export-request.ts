import { invalid, ServiceError } from '#domain/errors.js';
import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { nearestName } from '#domain/nearest-name.js';
import { LIMITS } from '#domain/tiers/limits.js';

/** A request to export, as it was understood. Options are still unchecked: the format checks them. */
export interface ExportRequest {
  readonly source:
    | { readonly kind: 'markup'; readonly svg: string }
    | { readonly kind: 'basename'; readonly basename: string };
  readonly format: string;
  readonly filenameBase: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

const FIELDS = ['svg', 'sourceSvgBasename', 'format', 'filenameBase', 'exportOptions'] as const;
const MAX_NAME = 200;
const MAX_SHOWN = 60;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sameValue = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Options of both places; one that stands in both must say the same. */
function gatherOptions(body: Readonly<Record<string, unknown>>, at: string): Readonly<Record<string, unknown>> {
  const { exportOptions } = body;
  if (exportOptions !== undefined && exportOptions !== null && !isRecord(exportOptions))
    throw invalid(`${at}exportOptions`, 'must be an object of options');
  const options: Record<string, unknown> = Object.fromEntries(Object.entries(exportOptions ?? {}));
  for (const [name, value] of Object.entries(body)) {
    if ((FIELDS as readonly string[]).includes(name) || value === undefined) continue;
    if (!(EXPORT_OPTION_NAMES as readonly string[]).includes(name))
      throw invalid(
        `${at}${name.slice(0, MAX_SHOWN)}`,
        `unknown parameter; the nearest known one is ${nearestName(name, [...FIELDS, ...EXPORT_OPTION_NAMES])}`,
      );
    if (Object.hasOwn(options, name) && !sameValue(options[name], value))
      throw invalid(`${at}${name}`, 'stands in exportOptions as well, with another value; give it once');
    options[name] = value;
  }
  return options;
}

function textOf(body: Readonly<Record<string, unknown>>, name: string, at: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid(`${at}${name}`, 'must be text');
  return value;
}

export interface ParseExportRequestOptions {
  /** Before the names of fields in messages: `items[3].`. */
  readonly at?: string;
  readonly maxSvgBytes?: number;
}

/**
 * Checks the body of an export request: everything but the options' values. An option may stand at the top level or in
 * `exportOptions`. Throws INVALID_REQUEST, or PAYLOAD_TOO_LARGE for markup over `maxSvgBytes`.
 */
export function parseExportRequest(
  body: unknown,
  { at = '', maxSvgBytes = LIMITS.maxSvgBytes }: ParseExportRequestOptions = {},
): ExportRequest {
  if (!isRecord(body)) throw invalid(at === '' ? 'body' : at.replace(/\.$/, ''), 'must be an object');
  const format = textOf(body, 'format', at);
  if (format === undefined || format === '') throw invalid(`${at}format`, 'is missing; name the export format');
  const svg = textOf(body, 'svg', at);
  const basename = textOf(body, 'sourceSvgBasename', at);
  if (svg !== undefined && basename !== undefined)
    throw invalid(`${at}svg`, 'cannot be given together with sourceSvgBasename; leave one out');
  if (!svg && !basename) throw invalid(`${at}svg`, 'is missing; give SVG markup, or sourceSvgBasename of a conversion');
  // A character takes at most three bytes for each of its UTF-16 units, so most markup need not be counted.
  if (svg !== undefined && svg.length * 3 > maxSvgBytes && new TextEncoder().encode(svg).length > maxSvgBytes)
    throw new ServiceError('PAYLOAD_TOO_LARGE', { limitBytes: maxSvgBytes, what: 'The SVG' });
  const filenameBase = textOf(body, 'filenameBase', at);
  if (filenameBase !== undefined && filenameBase.length > MAX_NAME)
    throw invalid(`${at}filenameBase`, `has ${filenameBase.length} characters; at most ${MAX_NAME} are accepted`);
  return {
    source: svg ? { kind: 'markup', svg } : { kind: 'basename', basename: basename! },
    format,
    filenameBase,
    options: gatherOptions(body, at),
  };
}
