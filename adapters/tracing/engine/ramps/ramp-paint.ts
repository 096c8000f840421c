import type { EngineGradientStop, EnginePaint } from '../types.js';
import type { RampProfile } from './ramp-profile.js';
import type { RampShape } from './ramp-shape.js';

/** Offsets nearer than this are one. */
const LEAST_GAP = 1e-4;

/** The gradient that draws a ramp: `stops` along its shape, positions in px. */
export function gradientPaint({ kind, cx, cy, angle, squeeze }: RampShape, stops: RampProfile): EnginePaint {
  const { knots } = stops;
  const last = knots[knots.length - 1];
  const ux = Math.cos(angle);
  const uy = Math.sin(angle);
  if (kind === 'linear') {
    return {
      kind: 'linear',
      x1: cx + knots[0] * ux,
      y1: cy + knots[0] * uy,
      x2: cx + last * ux,
      y2: cy + last * uy,
      stops: stopsBetween(stops, knots[0], last),
    };
  }
  const along = stopsBetween(stops, 0, last);
  if (kind === 'circle') return { kind: 'radial', cx, cy, r: last, fx: cx, fy: cy, stops: along };
  const matrix = [ux, uy, -uy / squeeze, ux / squeeze, cx, cy] as const;
  return { kind: 'radial', cx: 0, cy: 0, r: last, fx: 0, fy: 0, matrix, stops: along };
}

function stopsBetween({ knots, values }: RampProfile, from: number, to: number): readonly EngineGradientStop[] {
  const stops: EngineGradientStop[] = [];
  const byte = (v: number) => Math.max(0, Math.min(255, Math.round(v)));
  for (let k = 0; k < knots.length; k++) {
    const offset = Math.max(0, Math.min(1, (knots[k] - from) / (to - from)));
    const at = k * 4;
    const color = (byte(values[at]) << 16) | (byte(values[at + 1]) << 8) | byte(values[at + 2]);
    const opacity = Math.max(0, Math.min(1, Math.round((values[at + 3] / 255) * 1000) / 1000));
    const before = stops.at(-1);
    if (before !== undefined && offset < before.offset + LEAST_GAP) continue;
    stops.push({ offset, color, opacity });
  }
  return stops;
}
