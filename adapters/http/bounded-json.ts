import type { FastifyInstance } from 'fastify';
import { invalid } from '#domain/errors.js';

/** Twenty drawings with every option there is have a quarter of this. */
const MAX_VALUES = 5000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,` `[` `{`: each begins a value. */
const beginsValue = (byte: number | undefined) => byte === 0x2c || byte === 0x5b || byte === 0x7b;

/** Where a string ends that begins at `start`; the end of the text where it does not. */
function endOfString(text: Buffer, start: number): number {
  for (let at = text.indexOf(QUOTE, start + 1); at >= 0; at = text.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Whether a JSON text has more values than `most`; strings are skipped, however long. */
export function hasMoreValues(text: Buffer, most: number): boolean {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at);
    else if (beginsValue(byte) && ++values > most) return true;
  }
  return false;
}

/**
 * Reads JSON bodies that may be large because they hold markup. Long strings are parsed in a tenth of a second, but as many bytes
 * of tiny values would keep the process from everything else for seconds: those are refused unread. Throws INVALID_REQUEST.
 */
export function readBoundedJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (hasMoreValues(body, MAX_VALUES))
      done(invalid('body', `has more than ${MAX_VALUES} values, which is more than anything that can be asked`));
    else void parse(request, body.toString('utf8'), done);
  });
}
