import type { FastifyError } from 'fastify';
import { invalid, ServiceError } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';

interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: { readonly properties?: Readonly<Record<string, unknown>> };
}

/** What a schema found, in the words of the parameter table. */
function fromSchemaFault({ keyword, instancePath, params, parentSchema, message }: SchemaFault): ServiceError {
  const at = instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: unknown) => (at === '' ? String(name) : `${at}.${name}`);
  if (keyword === 'required') return invalid(inside(params.missingProperty), 'is missing');
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 60);
    const known = Object.keys(parentSchema?.properties ?? {});
    const hint = known.length > 0 ? `; the nearest known one is ${nearestName(name, known)}` : '';
    return invalid(inside(name), `unknown parameter${hint}`);
  }
  return invalid(at === '' ? 'body' : at, message ?? 'is not as it must be');
}

const bodyRefusal = (problem: string) => () => invalid('body', problem);

/** Refusals that the framework itself makes, by its codes. */
const BY_CODE: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: bodyRefusal('the length announced is not the length sent'),
  FST_ERR_CTP_EMPTY_JSON_BODY: bodyRefusal('is empty; JSON was announced'),
  FST_ERR_CTP_INVALID_JSON_BODY: bodyRefusal('is not well-formed JSON'),
  FST_ERR_BAD_URL: () => invalid('url', 'is not well-formed'),
  FST_ERR_INVALID_URL: () => invalid('url', 'is not well-formed'),
  FST_ERR_MAX_PARAM_LENGTH: () => invalid('url', 'has too long a part'),
  FST_PARTS_LIMIT: bodyRefusal('has too many parts'),
  FST_FIELDS_LIMIT: bodyRefusal('has too many fields'),
  FST_FILES_LIMIT: bodyRefusal('has too many files'),
  FST_PROTO_VIOLATION: bodyRefusal('has a field of a name that is not allowed'),
  FST_INVALID_JSON_FIELD_ERROR: bodyRefusal('has a field that is announced as JSON and is not'),
  FST_MP_PREMATURE_CLOSE: () => new ServiceError('CANCELLED'),
  ECONNRESET: () => new ServiceError('CANCELLED'),
};

export interface RefusedRoute {
  readonly bodyLimitBytes: number;
  /** What the body must be; undefined where there is none. */
  readonly mediaType: string | undefined;
}

/** An error of the framework's as the refusal it is; anything else comes back as it was. */
export function toRefusal(error: unknown, { bodyLimitBytes, mediaType }: RefusedRoute): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  const { code, validation } = error as Partial<FastifyError>;
  const fault = validation?.[0] as SchemaFault | undefined;
  if (fault !== undefined) return fromSchemaFault(fault);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ServiceError('PAYLOAD_TOO_LARGE', { what: 'The request body', limitBytes: bodyLimitBytes });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ServiceError('UNSUPPORTED_MEDIA_TYPE', { expected: mediaType ?? 'left out; this takes none' });
  return code === undefined ? error : (BY_CODE[code]?.() ?? error);
}
