/** One part of a form: a value, or a file where it has a name. */
export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

const BOUNDARY = 'burin-test-boundary';
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form as bytes. */
export function multipartBody(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n`,
    fileName === undefined ? '\r\n' : `Content-Type: ${type ?? 'application/octet-stream'}\r\n\r\n`,
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)));
}

/** The form of a conversion: the picture and its settings. */
export const convertForm = (
  picture: Uint8Array | undefined,
  settings: Readonly<Record<string, string>> = {},
  fileName = 'picture.ppm',
): Buffer =>
  multipartBody([
    ...Object.entries(settings).map(([name, value]) => ({ name, value })),
    ...(picture ? [{ name: 'imageFile', value: picture, fileName }] : []),
  ]);
