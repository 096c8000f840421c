import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Up to this many characters, JSON is written in one go. */
const PIECE_LENGTH = 128 * 1024;

const inside = (json: string) => json.slice(1, -1);

/** Others get their turn after each piece: escaping megabytes at once would hold them up. */
async function* pieces(name: string, text: string, rest: object): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:"`;
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    // Halves of a pair that is cut here are escaped one by one, which reads the same.
    yield inside(JSON.stringify(text.slice(at, at + PIECE_LENGTH)));
    await nextTurn();
  }
  const others = inside(JSON.stringify(rest));
  yield others === '' ? '"}' : `",${others}}`;
}

/** The JSON of `{ [name]: text, ...rest }`, where `text` may be very long. */
export const jsonInPieces = (name: string, text: string, rest: object): string | Readable =>
  text.length <= PIECE_LENGTH
    ? JSON.stringify({ [name]: text, ...rest })
    : Readable.from(pieces(name, text, rest), { objectMode: false });
