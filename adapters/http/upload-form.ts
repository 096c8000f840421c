import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalid, ServiceError } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';

export interface UploadFormRules {
  /** The name under which files are sent. */
  readonly fileField: string;
  readonly maxFileBytes: number;
  /** 1 when left out: a second file is then refused as a field given twice, not as one too many. */
  readonly maxFiles?: number;
  /** Names of the other fields; anything else is refused. */
  readonly fields: readonly string[];
}

export interface UploadedFile {
  /** Fills its buffer, so it can be handed over to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string | undefined;
}

export interface UploadForm {
  /** As sent: text, or an array of texts where a field came more than once. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** The first. */
  readonly file: UploadedFile | undefined;
  readonly files: readonly UploadedFile[];
}

/** What a form may take beside its file. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;
const MAX_FIELDS = 200;
/** Files past the accepted ones are counted up to here, and not kept. */
const MAX_COUNTED_FILES = 100;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELD_NAME_BYTES = 200;
const MAX_HEADER_PAIRS = 32;

/** What the parser says of bodies that are no form, and of a boundary longer than it looks for. */
const NOT_A_FORM = /^(Multipart|Unexpected end of|Malformed|Part terminated|The needle cannot)/;

const tooLarge = (limitBytes: number) => new ServiceError('PAYLOAD_TOO_LARGE', { what: 'The file', limitBytes });

async function readFile({ file, filename }: MultipartFile, maxFileBytes: number): Promise<UploadedFile> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // The parser stops handing out data at the limit, and the stream then does not end by itself.
  const limit = new Promise<never>((_, reject) => {
    file.once('limit', () => reject(tooLarge(maxFileBytes)));
  });
  const read = async () => {
    for await (const chunk of file as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
    }
  };
  await Promise.race([read(), limit]);
  if (file.truncated) throw tooLarge(maxFileBytes);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, fileName: filename };
}

/**
 * Reads a multipart form with at most one file, or `maxFiles`. Throws TOO_MANY_FILES, UNSUPPORTED_MEDIA_TYPE for any other body, PAYLOAD_TOO_LARGE past the
 * limits, INVALID_REQUEST naming the field for unknown names, a second file, or a file and a value in each other's place.
 */
export async function readUploadForm(request: FastifyRequest, rules: UploadFormRules): Promise<UploadForm> {
  const { fileField, maxFileBytes, maxFiles = 1, fields: names } = rules;
  if (!request.isMultipart()) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { expected: 'multipart/form-data' });
  if (Number(request.headers['content-length']) > maxFiles * maxFileBytes + FORM_OVERHEAD_BYTES)
    throw tooLarge(maxFileBytes);

  const known = [fileField, ...names];
  const fields: Record<string, string | readonly string[]> = {};
  const files: UploadedFile[] = [];
  let sent = 0;
  try {
    const parts = request.parts({
      limits: {
        fileSize: maxFileBytes,
        files: maxFiles === 1 ? 2 : MAX_COUNTED_FILES,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: MAX_FIELD_NAME_BYTES,
        headerPairs: MAX_HEADER_PAIRS,
      },
    });
    for await (const part of parts) {
      // The parser's types say that there always is one.
      const name: string | undefined = part.fieldname;
      if (name === undefined) throw invalid('body', 'has a part without a name');
      if (!known.includes(name))
        throw invalid(name.slice(0, 60), `unknown parameter; the nearest known one is ${nearestName(name, known)}`);
      if (part.type === 'file') {
        if (name !== fileField) throw invalid(name, 'is a value, and was sent as a file');
        sent++;
        if (maxFiles === 1 && sent > 1)
          throw invalid(fileField, 'was sent more than once; one file is converted at a time');
        if (sent > maxFiles) part.file.resume();
        else files.push(await readFile(part, maxFileBytes));
        continue;
      }
      if (name === fileField) throw invalid(fileField, 'must be a file, and was sent as a value');
      if (part.valueTruncated) throw invalid(name, `is longer than ${MAX_FIELD_BYTES} bytes`);
      const value = String(part.value);
      const before = fields[name];
      fields[name] = before === undefined ? value : [before, value].flat();
    }
  } catch (error) {
    // What is still on its way is read and dropped, so that the client gets to read its answer.
    request.raw.unpipe();
    request.raw.resume();
    throw error instanceof Error && NOT_A_FORM.test(error.message)
      ? invalid('body', 'is not a well-formed multipart form')
      : error;
  }
  if (sent > maxFiles) throw new ServiceError('TOO_MANY_FILES', { count: sent, limit: maxFiles });
  return { fields, file: files[0], files };
}
