import type { Exporter } from '#application/ports/exporter.js';
import { createAvif } from './avif/index.js';
import { dxf } from './dxf/index.js';
import { eps } from './eps/index.js';
import { createJpg } from './jpg/index.js';
import { pdf } from './pdf/index.js';
import { createPng } from './png/index.js';
import { resvgRenderer } from './rendering/resvg-renderer.js';
import { svg } from './svg/index.js';
import { createWebp } from './webp/index.js';

/** Every export format, in the order in which the capabilities report lists them. */
export const exporters = [
  svg,
  pdf,
  eps,
  dxf,
  createPng(resvgRenderer),
  createJpg(resvgRenderer),
  createWebp(resvgRenderer),
  createAvif(resvgRenderer),
] as const satisfies readonly Exporter[];
