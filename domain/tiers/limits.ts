/** Limits of the whole service; those that belong to one tier stand in tier.ts. */
export const LIMITS = {
  /** Bytes of one uploaded picture. */
  maxUploadBytes: 25 * 1024 * 1024,
  /** Bytes of one SVG document sent in. */
  maxSvgBytes: 25 * 1024 * 1024,
  /** Bytes of the JSON body of a ZIP export. */
  maxZipRequestBytes: 100 * 1024 * 1024,
  /** Pixels of a picture, read from its header before anything is decoded. */
  maxPixels: 50_000_000,
  /** Pictures of one batch conversion. */
  maxBatchFiles: 10,
  /** Drawings of one ZIP export. */
  maxZipItems: 20,
  /** Conversions one key may have in flight. */
  maxConcurrentPerKey: 2,
  requestsPerMinute: { key: 200, anonymous: 20 },
  /** Produced files are kept this long. */
  fileLifetimeMs: 24 * 60 * 60 * 1000,
} as const;
