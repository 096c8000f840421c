import type { Drawing } from '#domain/drawing/drawing.js';

/**
 * A Drawing as one run of bytes, to be kept beside its SVG or handed to another thread. Little-endian throughout:
 *
 *   0  "BURD"   4  version   8  bytes of JSON   12  commands   16  coords, 8 bytes each
 *   24 JSON (size, crispEdges, items), then the commands, then zeros up to a multiple of 8, then the coords
 */
const MAGIC = 0x44525542;
const VERSION = 1;
const HEADER_BYTES = 24;

const coordsStart = (jsonBytes: number, commands: number) => Math.ceil((HEADER_BYTES + jsonBytes + commands) / 8) * 8;

/** The bytes own their buffer, so they can be transferred. */
export function packDrawing(drawing: Drawing): Uint8Array<ArrayBuffer> {
  const { commands, coords, ...rest } = drawing;
  const json = new TextEncoder().encode(JSON.stringify(rest));
  const start = coordsStart(json.length, commands.length);
  const bytes = new Uint8Array(start + coords.length * 8);
  const header = new DataView(bytes.buffer);
  for (const [i, value] of [MAGIC, VERSION, json.length, commands.length, coords.length].entries())
    header.setUint32(i * 4, value, true);
  bytes.set(json, HEADER_BYTES);
  bytes.set(commands, HEADER_BYTES + json.length);
  for (let i = 0; i < coords.length; i++) header.setFloat64(start + i * 8, coords[i] as number, true);
  return bytes;
}

/** Throws RangeError for bytes that `packDrawing` of this version did not make, or that were cut. */
export function unpackDrawing(bytes: Uint8Array): Drawing {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || header.getUint32(0, true) !== MAGIC || header.getUint32(4, true) !== VERSION)
    throw new RangeError('not a drawing file of this version');
  const jsonBytes = header.getUint32(8, true);
  const commandCount = header.getUint32(12, true);
  const coordCount = header.getUint32(16, true);
  const start = coordsStart(jsonBytes, commandCount);
  if (bytes.length !== start + coordCount * 8) throw new RangeError('a drawing file that was cut');
  const json = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + jsonBytes));
  const rest = JSON.parse(json) as Omit<Drawing, 'commands' | 'coords'>;
  const commands = bytes.slice(HEADER_BYTES + jsonBytes, HEADER_BYTES + jsonBytes + commandCount);
  const coords = new Float64Array(coordCount);
  for (let i = 0; i < coordCount; i++) coords[i] = header.getFloat64(start + i * 8, true);
  return { ...rest, commands, coords };
}
