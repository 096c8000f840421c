import { USAGE_DAYS } from '#application/ports/usage-meter.js';
import { ACCOUNT_STATUSES } from '#domain/accounts/account.js';
import { PLAN_IDS } from '#domain/credits/plans.js';
import { PICTURE_TYPES } from '#domain/diagnostics/diagnostics.js';
import { PRESET_IDS, QUALITY_PROFILE_IDS } from '#domain/presets/settings.js';
import { TIER_IDS } from '#domain/tiers/tier.js';
import Type from './type.js';

/** The bodies of answers, for validation in tests and for the published description. */

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Number({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Hex = Type.String({ pattern: '^#[0-9a-f]{6}$' });
const closed = { additionalProperties: false } as const;

export const ErrorAnswer = Type.Object(
  {
    error: Type.String({ description: 'What was wrong, and what would be right.' }),
    code: Type.String({ pattern: '^[A-Z][A-Z_]+$' }),
    field: Type.Optional(Type.String({ description: 'The field at fault; on every 400.' })),
    retry_after_seconds: Type.Optional(Type.Number({ minimum: 1 })),
    request_id: Type.String(),
  },
  closed,
);

export const StatusAnswer = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    version: Type.String(),
    engine: Type.String(),
    uptime_seconds: Count,
    time: Type.String({ format: 'date-time' }),
  },
  closed,
);

export const ReadinessAnswer = Type.Object(
  {
    status: Type.Enum(['ok', 'unavailable']),
    checks: Type.Record(Type.String(), Type.Enum(['ok', 'failing'])),
  },
  closed,
);

const ReportedSetting = Type.Object(
  {
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(Type.String())]),
    origin: Type.Enum(['explicit', 'preset', 'auto', 'default']),
  },
  closed,
);
export const Settings = Type.Record(Type.String(), ReportedSetting);

const PaletteColor = Type.Object(
  {
    hex: Hex,
    rgb: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { minItems: 3, maxItems: 3 }),
    opacity: Share,
    coverage: Share,
    shapes: Count,
  },
  closed,
);

const ColorGroup = Type.Object(
  { id: Type.String(), hex: Hex, shapeIds: Type.Array(Type.String()), shapes: Count, coverage: Share },
  closed,
);

const Size = Type.Object({ width: Type.Number(), height: Type.Number() }, closed);

const Fidelity = Type.Object(
  {
    psnr: Type.Number({ maximum: 99 }),
    ssim: Type.Number({ minimum: -1, maximum: 1 }),
    deltaE00: Type.Number({ minimum: 0 }),
    worst: Type.Object(
      {
        x: Type.Number(),
        y: Type.Number(),
        width: Type.Number(),
        height: Type.Number(),
        deltaE00: Type.Number({ minimum: 0 }),
      },
      closed,
    ),
  },
  closed,
);

const Recovery = Type.Enum(['off', 'pixel_exact', 'real_esrgan']);

export const QualityDiagnostics = Type.Object(
  {
    engineVersion: Type.String(),
    detectedType: Type.Enum([...PICTURE_TYPES]),
    typeConfidence: Share,
    typeReason: Type.String(),
    preset: Type.Enum([...PRESET_IDS]),
    qualityProfile: Type.Enum([...QUALITY_PROFILE_IDS]),
    qualityTier: Type.Enum([...TIER_IDS]),
    edgeRecoveryRequested: Type.Enum(['off', 'auto', 'pixel_exact', 'real_esrgan']),
    edgeRecoveryResolved: Recovery,
    edgeRecoveryReason: Type.String(),
    settings: Settings,
    workingSize: Size,
    notes: Type.Array(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
    fidelity: Type.Union([Fidelity, Type.Null()]),
  },
  closed,
);

export const TraceStats = Type.Object(
  {
    width: Type.Number(),
    height: Type.Number(),
    shapes: Count,
    paths: Count,
    primitives: Count,
    gradients: Count,
    nodes: Count,
    parameters: Count,
    colors: Count,
    svgBytes: Count,
    timingsMs: Type.Object(
      {
        decode: Milliseconds,
        recover: Milliseconds,
        segment: Milliseconds,
        fit: Milliseconds,
        write: Milliseconds,
        score: Milliseconds,
        total: Milliseconds,
        queued: Milliseconds,
      },
      closed,
    ),
  },
  closed,
);

export const ConversionAnswer = Type.Object(
  {
    svg: Type.String(),
    colorPalette: Type.Array(PaletteColor),
    colorGroups: Type.Array(ColorGroup),
    qualityDiagnostics: QualityDiagnostics,
    traceStats: TraceStats,
    stats: TraceStats,
    downloadPathBasename: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
    downloadActualFilename: Type.String(),
    convertedFileSize: Count,
  },
  closed,
);

export const EstimateAnswer = Type.Object({ dryRun: Type.Literal(true), credits: Count, settings: Settings }, closed);

export const UsageAnswer = Type.Object(
  {
    plan: Type.Enum([...PLAN_IDS]),
    status: Type.Enum([...ACCOUNT_STATUSES]),
    api_credits_balance: Count,
    api_credits_used_this_period: Count,
    monthly_credits_quota: Count,
    key_prefix: Type.String(),
    history: Type.Array(
      Type.Object(
        {
          date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
          conversions: Count,
          exports: Count,
          credits_used: Count,
          failures: Count,
        },
        closed,
      ),
      { minItems: USAGE_DAYS, maxItems: USAGE_DAYS },
    ),
  },
  closed,
);

const BatchEntry = Type.Union([
  Type.Object(
    {
      filename: Type.String(),
      ok: Type.Literal(true),
      svg: Type.String(),
      colorPalette: Type.Array(PaletteColor),
      traceStats: TraceStats,
    },
    closed,
  ),
  Type.Object({ filename: Type.String(), ok: Type.Literal(false), error: Type.String(), code: Type.String() }, closed),
]);

export const BatchConversionAnswer = Type.Object(
  { results: Type.Array(BatchEntry), succeeded: Count, failed: Count, totalRequested: Count },
  closed,
);
