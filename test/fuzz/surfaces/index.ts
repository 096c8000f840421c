import type { Surface } from '../surface.js';
import { httpSurface } from './http.js';
import { httpSocketSurface } from './http-socket.js';
import { picturesSurface } from './pictures.js';
import { settingsSurface } from './settings.js';
import { svgSurface } from './svg.js';
import { tracingSurface } from './tracing.js';

export const SURFACES = {
  pictures: picturesSurface,
  svg: svgSurface,
  settings: settingsSurface,
  tracing: tracingSurface,
  http: httpSurface,
  'http-socket': httpSocketSurface,
} as const satisfies Record<string, () => Promise<Surface>>;
export type SurfaceName = keyof typeof SURFACES;
export const SURFACE_NAMES = Object.keys(SURFACES) as readonly SurfaceName[];
