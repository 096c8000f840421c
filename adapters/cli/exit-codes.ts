import type { ErrorKind } from '#domain/errors.js';

/** What the process answers when everything went well. */
export const EXIT_OK = 0;

/** What the process answers for each kind of error. With several pictures, the first that failed decides. */
export const EXIT_CODES = {
  internal: 1,
  invalid: 2,
  'not-found': 3,
  unsupported: 4,
  unprocessable: 5,
  'too-large': 6,
  'storage-full': 7,
  'timed-out': 8,
  unauthenticated: 10,
  forbidden: 11,
  'method-not-allowed': 12,
  conflict: 13,
  'out-of-credits': 14,
  'rate-limited': 15,
  unavailable: 16,
  'upstream-unavailable': 17,
  // As a shell reports a process that Ctrl-C ended.
  cancelled: 130,
} as const satisfies Record<ErrorKind, number>;

/** The codes that a trace can end with, for the help. */
export const EXIT_CODES_HELP = [
  [EXIT_OK, 'done'],
  [EXIT_CODES.internal, 'a fault of Burin itself'],
  [EXIT_CODES.invalid, 'a wrong option or argument'],
  [EXIT_CODES['not-found'], 'a picture cannot be read from its file'],
  [EXIT_CODES.unsupported, 'not a JPG, PNG, BMP, WEBP or AVIF picture'],
  [EXIT_CODES.unprocessable, 'a broken picture'],
  [EXIT_CODES['too-large'], 'a picture with too many pixels'],
  [EXIT_CODES['storage-full'], 'the drawing cannot be written'],
  [EXIT_CODES['timed-out'], 'out of time'],
  [EXIT_CODES.cancelled, 'cancelled'],
] as const;

/** The same for the end of a command's help. */
export const exitHelp = `
Exit codes:
${EXIT_CODES_HELP.map(([code, meaning]) => `  ${String(code).padEnd(3)} ${meaning}`).join('\n')}`;
