/** The typed client, `burin/client`: for Node and browsers, on its own feet. */
export type * from './api-types.js';
export * from './burin-client.js';
export { BurinError } from './burin-error.js';
export type { PictureInput } from './picture.js';
export type { RetryNote } from './send.js';
