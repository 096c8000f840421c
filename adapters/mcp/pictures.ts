import { basename } from 'node:path';
import { invalid, ServiceError } from '#domain/errors.js';
import type { NamedBytes } from './backend.js';
import type { OpenedFolders } from './opened-folders.js';

/** A file by path, in base64, or as MCP's own image content. */
export interface PictureArguments {
  readonly path?: unknown;
  readonly base64?: unknown;
  readonly image?: unknown;
  readonly name?: unknown;
}

export interface ReadSource extends NamedBytes {
  /** Absolute, where it came from a file. */
  readonly path: string | undefined;
}

/** JSON schemas of those arguments. */
export const PICTURE_PROPERTIES = {
  path: { type: 'string', minLength: 1, description: 'A picture file, below one of the folders that were opened.' },
  base64: {
    type: 'string',
    minLength: 1,
    description: 'The bytes of a picture file in base64; a data: URL is taken too.',
  },
  image: {
    type: 'object',
    description: 'The picture as MCP image content.',
    properties: { type: { const: 'image' }, data: { type: 'string' }, mimeType: { type: 'string' } },
    required: ['data'],
  },
  name: { type: 'string', maxLength: 200, description: 'What a picture without a path is called.' },
} as const;
export const PICTURE_NAMES: readonly string[] = Object.keys(PICTURE_PROPERTIES);

export const withoutExtension = (name: string): string => name.replace(/\.[^.]*$/, '');

export function textArgument(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw invalid(name, 'must be text, and not empty');
  return value;
}

function fromBase64(field: string, text: string, maxBytes: number): Uint8Array {
  const data = text.replace(/^data:[^,]*;base64,/, '').replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(data)) throw invalid(field, 'is not base64');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw invalid(field, 'is empty');
  if (bytes.length > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE', { limitBytes: maxBytes, what: field });
  return bytes;
}

/** The bytes of the one picture that was given. Rejects with INVALID_REQUEST for none and for several, and as OpenedFolders does. */
export async function readPicture(
  given: PictureArguments,
  folders: OpenedFolders,
  maxBytes: number,
): Promise<ReadSource> {
  const [path, base64] = [textArgument('path', given.path), textArgument('base64', given.base64)];
  const image = (given.image ?? undefined) as { readonly data?: unknown } | undefined;
  const count = [path, base64, image].filter((value) => value !== undefined).length;
  if (count !== 1)
    throw invalid(
      'path',
      count === 0 ? 'is missing; give a path, base64 or image' : 'give one of path, base64 and image',
    );
  const name = textArgument('name', given.name);
  if (path !== undefined) {
    const file = await folders.read(path, maxBytes);
    return { ...file, fileName: name ?? basename(file.path) };
  }
  const [field, text] = base64 === undefined ? (['image.data', image?.data] as const) : (['base64', base64] as const);
  if (typeof text !== 'string') throw invalid(field, 'is missing; give the picture in base64');
  return { bytes: fromBase64(field, text, maxBytes), path: undefined, fileName: name ?? 'picture' };
}
