import { TRACE_STAGES } from '#application/ports/tracer.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { TIER_IDS } from '#domain/tiers/tier.js';
import { ConversionAnswer, ErrorAnswer } from './answers.js';
import Type, { type TSchema } from './type.js';

/** Bodies of answers that are about files, accounts and the service itself. */

const Count = Type.Integer({ minimum: 0 });
const closed = { additionalProperties: false } as const;
const Basename = Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' });
const Note = Type.Object({ code: Type.String(), message: Type.String() }, closed);

export const ExportAnswer = Type.Object(
  {
    downloadPathBasename: Basename,
    downloadActualFilename: Type.String(),
    convertedFileSize: Count,
    actualFormat: Type.String(),
    warnings: Type.Array(Note, { description: 'What could not be kept.' }),
    size: Type.Optional(
      Type.Object(
        { width: Type.Number(), height: Type.Number(), unit: Type.Enum(['px', 'pt', 'mm', 'cm', 'in']) },
        closed,
      ),
    ),
  },
  closed,
);

export const ZipAnswer = Type.Object(
  {
    zipBasename: Basename,
    zipFilename: Type.String(),
    itemCount: Count,
    failed: Type.Array(
      Type.Object(
        {
          index: Count,
          filenameBase: Type.Union([Type.String(), Type.Null()]),
          format: Type.String(),
          error: Type.String(),
          code: Type.String(),
        },
        closed,
      ),
    ),
    warnings: Type.Array(Type.Object({ index: Count, warnings: Type.Array(Note) }, closed)),
  },
  closed,
);

const Queue = Type.Object({ waiting: Count, running: Count, capacity: Count }, closed);

export const HealthAnswer = Type.Object(
  {
    status: Type.Enum(['ok', 'unavailable']),
    checks: Type.Record(Type.String(), Type.Enum(['ok', 'failing'])),
    queues: Type.Object(
      Object.fromEntries(TIER_IDS.map((id) => [id, Queue])) as Record<(typeof TIER_IDS)[number], typeof Queue>,
      closed,
    ),
  },
  closed,
);

export const LivenessAnswer = Type.Object({ status: Type.Literal('ok') }, closed);

const Availability = { state: Type.Enum(['available', 'unavailable']), reason: Type.Optional(Type.String()) };
const Named = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    meaning: Type.String(),
    settings: Type.Record(Type.String(), Type.Unknown()),
  },
  closed,
);
const OPTION = {
  type: Type.String(),
  default: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
  values: Type.Optional(Type.Array(Type.String())),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  maxLength: Type.Optional(Count),
};
/** A whole number, or one for each kind of caller. */
const limitSchema = (limit: number | object): TSchema =>
  typeof limit === 'number'
    ? Count
    : Type.Object(Object.fromEntries(Object.keys(limit).map((name) => [name, Count])), closed);

export const CapabilitiesAnswer = Type.Object(
  {
    inputFormats: Type.Array(Type.Object({ id: Type.String(), mediaType: Type.String() }, closed)),
    exportFormats: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          label: Type.String(),
          mediaType: Type.String(),
          extension: Type.String(),
          plan: Type.Enum(['anonymous', 'pro']),
          features: Type.Array(Type.String()),
          availability: Type.Object(Availability, closed),
          options: Type.Array(Type.String()),
        },
        closed,
      ),
    ),
    exportOptions: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          meaning: Type.String(),
          unit: Type.Optional(Type.String()),
          ...OPTION,
          formats: Type.Record(Type.String(), Type.Union([Type.Object(OPTION, closed), Type.Null()]), {
            description: 'By format: how it takes the option, or null where it cannot honour it.',
          }),
        },
        closed,
      ),
    ),
    presets: Type.Array(Named),
    qualityProfiles: Type.Array(Named),
    qualityTiers: Type.Array(
      Type.Object(
        {
          id: Type.Enum([...TIER_IDS]),
          meaning: Type.String(),
          credits: Count,
          maxWorkingPixels: Count,
          runLimitSeconds: Type.Number(),
          waitLimitSeconds: Type.Number(),
          maxWaiting: Count,
        },
        closed,
      ),
    ),
    edgeRecovery: Type.Array(Type.Object({ id: Type.String(), ...Availability }, closed)),
    engines: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          version: Type.Union([Type.String(), Type.Null()]),
          license: Type.Union([Type.String(), Type.Null()], {
            description: 'By SPDX; null where it is not installed.',
          }),
          ...Availability,
        },
        closed,
      ),
    ),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'The JSON schema of each parameter.' }),
    limits: Type.Object(
      Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limitSchema(limit)])),
      closed,
    ),
  },
  closed,
);

export const DescriptionAnswer = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    links: Type.Record(
      Type.String(),
      Type.Object({ method: Type.String(), href: Type.String(), summary: Type.String() }, closed),
    ),
    capabilities: CapabilitiesAnswer,
  },
  closed,
);

export const JobAnswer = Type.Object(
  {
    id: Basename,
    state: Type.Enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    position: Type.Optional(Type.Integer({ minimum: 1, description: 'Its place among the jobs that have not begun.' })),
    stage: Type.Optional(Type.Enum([...TRACE_STAGES])),
    fraction: Type.Number({ minimum: 0, maximum: 1 }),
    created_at: Type.String({ format: 'date-time' }),
    links: Type.Object({ self: Type.String(), events: Type.String() }, closed),
    result: Type.Optional(ConversionAnswer),
    error: Type.Optional(ErrorAnswer),
  },
  closed,
);
