import type { Exporter } from '#application/ports/exporter.js';
import { eps } from './eps/index.js';
import { svg } from './svg/index.js';

/** Every export format, in the order in which the capabilities report lists them. */
export const exporters = [svg, eps] as const satisfies readonly Exporter[];
