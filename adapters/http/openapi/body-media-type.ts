import { OPERATIONS } from './operations.js';

/** What the body of a route must be, by the published table; undefined where it takes none. `route` is as `/jobs/:id`. */
export const bodyMediaType = (method: string, route: string | undefined): string | undefined => {
  const path = route?.replaceAll(/:(\w+)/g, '{$1}');
  return OPERATIONS.find((row) => row.path === path && row.method === method.toLowerCase())?.body?.mediaType;
};
