import type { Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { ServiceError } from '#domain/errors.js';
import { openGroups } from '#domain/exports/open-groups.js';
import { placementOf } from '#domain/exports/output-size.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { type EpsOptions, epsOptions } from './options.js';
import { writeEps } from './write-eps.js';

/** Clips stay clips, so nothing is cut. */
const UNUSED_TOLERANCE = 1;

const opacityWarnings = (count: number): readonly Note[] =>
  count === 0
    ? []
    : [
        {
          code: 'opacity-flattened',
          message: `PostScript has no opacity: ${count} fill(s), stroke(s) or image(s) were mixed with the background color, and hide what lies beneath.`,
        },
      ];

export const eps = {
  format: {
    id: 'eps',
    label: 'EPS (PostScript)',
    mediaType: 'application/postscript',
    extension: 'eps',
    plan: 'pro',
    features: ['curves', 'gradients', 'strokes', 'clips', 'images'],
  },
  rows: epsOptions.rows,
  optionsSchema: epsOptions.optionsSchema,
  parseOptions: epsOptions.parseOptions,
  availability: async () => ({ state: 'available' }),
  encode: async (drawing, options, signal) => {
    if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
    const prepared = prepareDrawing(drawing, options);
    const opened = openGroups(prepared, { opacity: true, clips: false, tolerance: UNUSED_TOLERANCE });
    const { text, translucent } = await writeEps(opened.drawing, options);
    const { width, height, unit } = placementOf(drawing, options);
    return {
      bytes: new TextEncoder().encode(text),
      warnings: [...opened.warnings, ...opacityWarnings(translucent)],
      size: { width, height, unit },
    };
  },
} as const satisfies Exporter<EpsOptions>;
