import type { IncomingMessage } from 'node:http';

/** What a form says beside its file. */
export interface ArrivedForm {
  /** Each name once. */
  readonly fields: Readonly<Record<string, string>>;
  /** The fields as they were sent: equal for forms that say the same in the same words. */
  readonly text: string;
}

const BOUNDARY = /^multipart\/form-data; ?boundary=("?)([0-9A-Za-z'()+_./:=?-]{1,70})\1$/i;
const PART_HEAD =
  /^content-disposition: form-data; name="([a-zA-Z_]{1,60})"(; filename="[^"\r\n]*"(?:\r\ncontent-type: [^\r\n]+)?)?$/i;
const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 1000;
const MAX_TEXT = 4000;

/**
 * Reads over a whole form without copying anything of its file. Undefined for whatever is in the least unusual: several files,
 * an empty one, a field given twice, other headers. Such a form has to be read by a parser that knows them all.
 */
export function readArrivedForm(body: Buffer, contentType: string, fileField: string): ArrivedForm | undefined {
  const delimiter = `--${BOUNDARY.exec(contentType)?.[2] ?? ''}`;
  if (delimiter.length === 2) return undefined;
  const fields: [string, string][] = [];
  let text = '';
  let hasFile = false;
  if (body.indexOf(delimiter) !== 0) return undefined;
  for (let at = delimiter.length; ; ) {
    const next = body.toString('latin1', at, at + 2);
    if (next === '--') {
      const rest = body.toString('latin1', at + 2, at + 5);
      return hasFile && (rest === '' || rest === '\r\n') ? { fields: Object.fromEntries(fields), text } : undefined;
    }
    const headEnd = body.indexOf(HEAD_END, at);
    if (next !== '\r\n' || headEnd < 0 || headEnd - at > MAX_HEAD_BYTES) return undefined;
    const [, name, file] = PART_HEAD.exec(body.toString('latin1', at + 2, headEnd)) ?? [];
    const from = headEnd + HEAD_END.length;
    const to = body.indexOf(`\r\n${delimiter}`, from);
    if (name === undefined || to < 0 || (name === fileField) !== (file !== undefined)) return undefined;
    if (file !== undefined) {
      if (hasFile || to === from) return undefined;
      hasFile = true;
    } else {
      if (text.length + to - from > MAX_TEXT || fields.some(([known]) => known === name)) return undefined;
      const value = body.toString('utf8', from, to);
      fields.push([name, value]);
      text += `${name}\r${value}\n`;
    }
    at = to + 2 + delimiter.length;
  }
}

/**
 * Waits until so many bytes of a body have arrived, and shows them; who reads the request afterwards finds them there still.
 * `show` is told nothing where the request ends before that, and is called once.
 */
export function peekBody(
  request: IncomingMessage,
  lengthBytes: number,
  show: (body: Buffer | undefined) => void,
): void {
  const pieces: Buffer[] = [];
  let missing = lengthBytes;
  const end = (body: Buffer | undefined) => {
    request.off('readable', look);
    request.off('close', lose);
    show(body);
  };
  const lose = () => end(undefined);
  const look = () => {
    for (let piece = request.read() as Buffer | null; piece !== null; piece = request.read() as Buffer | null) {
      pieces.push(piece);
      missing -= piece.length;
    }
    if (missing > 0) return;
    const body = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    // In the same turn, or the end of the stream would pass.
    request.unshift(body);
    end(body);
  };
  request.on('readable', look);
  request.on('close', lose);
}
