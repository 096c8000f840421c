import { toChannels } from '#domain/color.js';
import type { GradientStop, Rgb } from './drawing.js';

const mix = (from: number, to: number, share: number) => from + (to - from) * share;

/** The color that shows where `color` of this opacity lies on `beneath`; channels 0..255, not rounded. */
export function blendedOn(color: Rgb, opacity: number, beneath: Rgb): readonly [number, number, number] {
  const over = toChannels(color);
  const under = toChannels(beneath);
  return [mix(under[0], over[0], opacity), mix(under[1], over[1], opacity), mix(under[2], over[2], opacity)];
}

/** A stop without opacity; channels 0..255, not rounded. */
export interface OpaqueStop {
  readonly offset: number;
  readonly channels: readonly [number, number, number];
}

/** Color and opacity change together between two stops, so what shows is bent; in so many straight pieces it is close enough. */
const PIECES_PER_FADE = 16;

/** The ramp that shows where a gradient lies on `beneath`, from offset 0 to 1. */
export function opaqueStops(stops: readonly GradientStop[], beneath: Rgb): readonly OpaqueStop[] {
  const opaque: OpaqueStop[] = [];
  const put = (offset: number, channels: OpaqueStop['channels']) => opaque.push({ offset, channels });
  for (const [i, stop] of stops.entries()) {
    const before = stops[i - 1];
    if (before !== undefined && before.opacity !== stop.opacity && before.color !== stop.color) {
      const from = toChannels(before.color);
      const to = toChannels(stop.color);
      const under = toChannels(beneath);
      for (let k = 1; k < PIECES_PER_FADE; k++) {
        const t = k / PIECES_PER_FADE;
        const opacity = mix(before.opacity, stop.opacity, t);
        const channel = (c: 0 | 1 | 2) => mix(under[c], mix(from[c], to[c], t), opacity);
        put(mix(before.offset, stop.offset, t), [channel(0), channel(1), channel(2)]);
      }
    }
    put(stop.offset, blendedOn(stop.color, stop.opacity, beneath));
  }
  const first = opaque[0];
  const last = opaque[opaque.length - 1];
  if (first === undefined || last === undefined) return [{ offset: 0, channels: blendedOn(0, 0, beneath) }];
  if (first.offset > 0) opaque.unshift({ ...first, offset: 0 });
  if (last.offset < 1) opaque.push({ ...last, offset: 1 });
  return opaque;
}
