/**
 * A picture file, wherever it comes from: in Node also by its path (text, or a file: URL). A stream is read to its end first,
 * so that it can be sent again.
 */
export type PictureInput =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface NamedBlob {
  readonly blob: Blob;
  readonly name: string;
}

const UNNAMED = 'picture';

async function readPath(path: string | URL): Promise<NamedBlob> {
  // Node alone has files by path. Loaded here, so that browsers can load this module.
  if (typeof process === 'undefined' || process.versions?.node === undefined)
    throw new TypeError('paths exist in Node only; give a Blob or File, bytes, or a stream');
  const [{ readFile }, { basename }, { fileURLToPath }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
    import('node:url'),
  ]);
  const file = typeof path === 'string' ? path : fileURLToPath(path);
  return { blob: new Blob([await readFile(file)]), name: basename(file) };
}

async function readStream(stream: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of stream) chunks.push(Uint8Array.from(chunk));
  return new Blob(chunks);
}

/** The bytes, to be sent as often as need be, and the name to send them under. Throws TypeError for anything else. */
export async function toNamedBlob(picture: PictureInput, name?: string): Promise<NamedBlob> {
  const named = (blob: Blob, own: string = UNNAMED) => ({ blob, name: name ?? own });
  if (typeof picture === 'string' || picture instanceof URL) {
    const read = await readPath(picture);
    return named(read.blob, read.name);
  }
  if (picture instanceof Blob) return named(picture, (picture as Partial<File>).name);
  if (picture instanceof ArrayBuffer) return named(new Blob([picture]));
  // A view that others may write to later is taken as it is now.
  if (picture instanceof Uint8Array) return named(new Blob([Uint8Array.from(picture)]));
  if (picture instanceof ReadableStream) return named(await new Response(picture).blob());
  if (typeof picture === 'object' && picture !== null && Symbol.asyncIterator in picture)
    return named(await readStream(picture));
  throw new TypeError('a picture is a path, a URL of a file, a Blob, bytes, or a stream of bytes');
}
