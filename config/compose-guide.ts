import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Guide, openGuide } from '#adapters/guide/guide.js';
import { guideTables } from '#adapters/guide/tables.js';
import { STATUS_OF } from '#adapters/http/problem.js';
import { ERRORS, type ErrorSpec } from '#domain/errors.js';
import { exporters } from '#plugins/index.js';
import { acceptedForm, formatDefault, VARIABLE_NAMES, variableRow } from './variables.js';

/** Where the pages and pictures of the guide lie. */
export const GUIDE_FOLDER = fileURLToPath(new URL('../../adapters/web/docs', import.meta.url));

const defaultOf = (row: ReturnType<typeof variableRow>): string =>
  row.type === 'integer' && row.default === 'cores' ? 'one a core' : formatDefault(row);

/** The tables of the guide, by name. */
export const composeGuideTables = (): Readonly<Record<string, string>> =>
  guideTables({
    exporters,
    variables: VARIABLE_NAMES.map((name) => {
      const row = variableRow(name);
      return [name, acceptedForm(row), defaultOf(row), row.meaning] as const;
    }),
    statusOf: (code) => STATUS_OF[(ERRORS[code] as ErrorSpec).kind],
    hasStrip: (setting) => existsSync(join(GUIDE_FOLDER, 'pictures', `strip-${setting}.svg`)),
  });

/** The guide, read when the first page is asked for; its name leads to the studio where that is served. */
export function composeGuide(hasStudio: boolean): Guide['file'] {
  let guide: Guide | undefined;
  return (path) => {
    guide ??= openGuide(GUIDE_FOLDER, composeGuideTables(), hasStudio ? '/' : '/docs');
    return guide.file(path);
  };
}
