import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../adapters/web', import.meta.url));

/** Where the build put the pages of the browser; nothing where it made none, because its bundler is not installed. */
export const webOptions = (): { readonly webFolder?: string } =>
  existsSync(join(FOLDER, 'index.html')) ? { webFolder: FOLDER } : {};
