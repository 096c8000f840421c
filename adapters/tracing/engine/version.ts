/** Changes whenever the same picture and settings may give another drawing. */
export const ENGINE_VERSION = 'planar-0.84.0';
