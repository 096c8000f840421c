import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const findPackageRoot = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('There is no package.json above the tests.');
    folder = parent;
  }
  return folder;
};

/** The folder of package.json. Tests run from dist; sources and fixtures are found from here. */
export const PACKAGE_ROOT = findPackageRoot();

/** A path below test/fixtures. */
export const fixturePath = (...parts: string[]) => join(PACKAGE_ROOT, 'test', 'fixtures', ...parts);
