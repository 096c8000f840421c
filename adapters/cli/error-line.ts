import { type ErrorCode, ServiceError } from '#domain/errors.js';
import { publishedNames, SETTING_NAMES } from '#domain/presets/settings.js';
import { EXIT_CODES } from './exit-codes.js';
import { toFlag } from './setting-options.js';

/** What went wrong, for one line on a terminal or in a log. */
export interface ErrorLine {
  readonly text: string;
  readonly code: ErrorCode;
  readonly exitCode: number;
}

const settingFields = new Set(SETTING_NAMES.flatMap((setting) => publishedNames(setting).map(({ name }) => name)));

// biome-ignore lint/suspicious/noControlCharactersInRegex: a hostile file name must not steer the terminal
const CONTROL = /[\x00-\x1f\x7f-\x9f]+/g;

/** The text without line breaks and terminal controls. */
export const oneLine = (text: string): string => text.replace(CONTROL, ' ').trim();

/** An error and what it came of. */
function toldWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const because = error.cause === undefined ? '' : `; because of ${toldWithCause(error.cause)}`;
  return `${error.name}: ${error.message}${because}`;
}

/** Says any error in one line; a parameter is named by its option. Unexpected errors name their cause: it is the user's own machine. */
export function toErrorLine(error: unknown): ErrorLine {
  if (!(error instanceof ServiceError)) {
    return {
      text: oneLine(`Internal error: ${toldWithCause(error)}`),
      code: 'INTERNAL_ERROR',
      exitCode: EXIT_CODES.internal,
    };
  }
  const { field, message, code, kind } = error;
  const named = field !== undefined && settingFields.has(field) ? toFlag(field) + message.slice(field.length) : message;
  return { text: oneLine(named), code, exitCode: EXIT_CODES[kind] };
}
