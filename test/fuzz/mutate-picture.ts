import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { mutateBytes } from '#test/support/mutate-bytes.js';
import type { Choices } from './choices.js';

/** A chunk, segment or box of a picture file; or bytes between them, which have no name. */
interface Piece {
  name: string;
  body: Uint8Array;
  /** Of a box that holds others: they follow `body`. */
  children: Piece[];
  /** Added to the length that is written. */
  lie: number;
  brokenCheck: boolean;
}

interface PictureFormat {
  split(bytes: Uint8Array): Piece[];
  join(pieces: readonly Piece[]): Uint8Array;
  /** Names that chunks of the format may have. */
  readonly names: readonly string[];
  /** Where sizes and other telling numbers stand: piece, place and bytes of one. */
  readonly numbers: Readonly<Record<string, readonly (readonly [at: number, bytes: 1 | 2 | 3 | 4])[]>>;
  readonly littleEndian: boolean;
}

const piece = (name: string, body: Uint8Array, children: Piece[] = []): Piece => ({
  name,
  body,
  children,
  lie: 0,
  brokenCheck: false,
});
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textOf = (bytes: Uint8Array, at: number) => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');
const word = (value: number, littleEndian = false) => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value >>> 0, littleEndian);
  return bytes;
};

const PNG: PictureFormat = {
  split(bytes) {
    const pieces = [piece('', bytes.slice(0, 8))];
    for (let at = 8; at + 12 <= bytes.length; ) {
      const length = viewOf(bytes).getUint32(at);
      pieces.push(piece(textOf(bytes, at + 4), bytes.slice(at + 8, at + 8 + length)));
      at += 12 + length;
    }
    return pieces;
  },
  join: (pieces) =>
    Buffer.concat(
      pieces.flatMap(({ name, body, lie, brokenCheck }) => {
        if (name === '') return [body];
        const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
        return [word(body.length + lie), named, word(crc32(named) ^ (brokenCheck ? 0x5a5a : 0))];
      }),
    ),
  names: ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'iCCP', 'gAMA', 'eXIf', 'acTL', 'fdAT', 'zTXt', 'sBIT'],
  numbers: {
    IHDR: [
      [0, 4],
      [4, 4],
      [8, 1],
      [9, 1],
      [10, 1],
      [11, 1],
      [12, 1],
    ],
    acTL: [[0, 4]],
  },
  littleEndian: false,
};

const JPEG: PictureFormat = {
  split(bytes) {
    const pieces = [piece('', bytes.slice(0, 2))];
    for (let at = 2; at + 4 <= bytes.length; ) {
      const length = viewOf(bytes).getUint16(at + 2);
      pieces.push(piece(String.fromCharCode(bytes[at + 1]!), bytes.slice(at + 4, at + 2 + length)));
      const isScan = bytes[at + 1] === 0xda;
      at += 2 + length;
      if (!isScan) continue;
      const from = at;
      while (at + 1 < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && (bytes[at + 1]! & 0xf8) !== 0xd0))
        at++;
      pieces.push(piece('', bytes.slice(from, at)));
      if (bytes[at + 1] === 0xd9) {
        pieces.push(piece('', bytes.slice(at)));
        break;
      }
    }
    return pieces;
  },
  join: (pieces) =>
    Buffer.concat(
      pieces.flatMap(({ name, body, lie }) => {
        if (name === '') return [body];
        const length = (body.length + 2 + lie) & 0xffff;
        return [Uint8Array.of(0xff, name.charCodeAt(0), length >> 8, length & 255), body];
      }),
    ),
  names: ['\xc0', '\xc2', '\xc4', '\xda', '\xdb', '\xdd', '\xe1', '\xe2', '\xee', '\xfe', '\xc3', '\xc9'],
  numbers: {
    '\xc0': [
      [0, 1],
      [1, 2],
      [3, 2],
      [5, 1],
      [7, 1],
      [8, 1],
    ],
    '\xc2': [
      [0, 1],
      [1, 2],
      [3, 2],
      [5, 1],
      [7, 1],
    ],
    '\xdd': [[0, 2]],
    '\xda': [
      [0, 1],
      [1, 1],
    ],
  },
  littleEndian: false,
};

const WEBP: PictureFormat = {
  split(bytes) {
    const pieces = [piece('', bytes.slice(0, 12))];
    for (let at = 12; at + 8 <= bytes.length; ) {
      const length = viewOf(bytes).getUint32(at + 4, true);
      pieces.push(piece(textOf(bytes, at), bytes.slice(at + 8, at + 8 + length)));
      at += 8 + length + (length & 1);
    }
    return pieces;
  },
  join(pieces) {
    const file = Buffer.concat(
      pieces.flatMap(({ name, body, lie }) =>
        name === ''
          ? [body]
          : [Buffer.from(name, 'latin1'), word(body.length + lie, true), body, new Uint8Array(body.length & 1)],
      ),
    );
    // The length of the whole is set right, or nothing behind it would ever be looked at.
    if (file.length >= 12 && pieces[0]?.brokenCheck !== true) file.writeUInt32LE(file.length - 8, 4);
    return file;
  },
  names: ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP '],
  numbers: {
    'VP8 ': [
      [0, 3],
      [6, 2],
      [8, 2],
    ],
    VP8L: [
      [0, 1],
      [1, 4],
    ],
    VP8X: [
      [0, 1],
      [4, 3],
      [7, 3],
    ],
    ANMF: [
      [0, 3],
      [3, 3],
      [6, 3],
      [9, 3],
      [12, 3],
    ],
  },
  littleEndian: true,
};

/** Boxes that hold boxes, and the bytes before the first. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0, iinf: 6, iref: 4, moov: 0, trak: 0 };

const splitBoxes = (bytes: Uint8Array): Piece[] => {
  const pieces: Piece[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = Math.max(8, viewOf(bytes).getUint32(at));
    const name = textOf(bytes, at + 4);
    const body = bytes.slice(at + 8, at + length);
    const own = CONTAINERS[name];
    pieces.push(own === undefined ? piece(name, body) : piece(name, body.slice(0, own), splitBoxes(body.slice(own))));
    at += length;
  }
  return pieces;
};

const joinBoxes = (pieces: readonly Piece[]): Buffer =>
  Buffer.concat(
    pieces.flatMap(({ name, body, children, lie }) => {
      const inner = joinBoxes(children);
      return [word(8 + body.length + inner.length + lie), Buffer.from(name, 'latin1'), body, inner];
    }),
  );

const AVIF: PictureFormat = {
  split: splitBoxes,
  join: joinBoxes,
  names: [
    'ftyp',
    'meta',
    'hdlr',
    'pitm',
    'iloc',
    'iinf',
    'infe',
    'iprp',
    'ipco',
    'ispe',
    'pixi',
    'av1C',
    'ipma',
    'colr',
    'irot',
    'imir',
    'clap',
    'auxC',
    'iref',
    'grid',
    'mdat',
    'idat',
    'moov',
  ],
  numbers: {
    ispe: [
      [4, 4],
      [8, 4],
    ],
    pixi: [
      [4, 1],
      [5, 1],
    ],
    av1C: [
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ],
    iloc: [
      [4, 1],
      [5, 1],
      [6, 2],
      [8, 2],
      [10, 2],
      [12, 2],
      [14, 4],
      [18, 4],
    ],
    pitm: [[4, 2]],
    iinf: [[4, 2]],
    ipma: [
      [4, 4],
      [8, 2],
      [10, 1],
      [11, 1],
    ],
    colr: [
      [4, 2],
      [6, 2],
      [8, 2],
    ],
  },
  littleEndian: false,
};

const BMP: PictureFormat = {
  split: (bytes) => [piece('head', bytes.slice(0, 54)), piece('', bytes.slice(54))],
  join: (pieces) => Buffer.concat(pieces.map(({ body }) => body)),
  names: ['head'],
  numbers: {
    head: [
      [2, 4],
      [10, 4],
      [14, 4],
      [18, 4],
      [22, 4],
      [26, 2],
      [28, 2],
      [30, 4],
      [34, 4],
      [46, 4],
      [50, 4],
    ],
  },
  littleEndian: true,
};

export const PICTURE_KINDS = ['png', 'jpeg', 'webp', 'avif', 'bmp'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];
const FORMATS: Readonly<Record<PictureKind, PictureFormat>> = {
  png: PNG,
  jpeg: JPEG,
  webp: WEBP,
  avif: AVIF,
  bmp: BMP,
};

const TELLING = [
  0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 127, 128, 255, 256, 4095, 4096, 0x3fff, 0x7fff, 0x8000, 0xffff,
] as const;
const HUGE = [0x10000, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff] as const;

function setNumber(body: Uint8Array, at: number, bytes: number, littleEndian: boolean, choices: Choices): void {
  if (at + bytes > body.length) return;
  const places = Array.from({ length: bytes }, (_, i) => at + (littleEndian ? i : bytes - 1 - i));
  const before = places.reduce((sum, place, i) => sum + body[place]! * 256 ** i, 0);
  const value = choices.chance(0.3) ? before + choices.pick([-1, 1, before]) : choices.pick([...TELLING, ...HUGE]);
  for (const [i, place] of places.entries()) body[place] = Math.floor(value / 256 ** i) & 255;
}

/** Every list of pieces there is: the file's own, and those of its boxes. */
const listsOf = (pieces: Piece[]): Piece[][] => [pieces, ...pieces.flatMap(({ children }) => listsOf(children))];

function changePieces(format: PictureFormat, pieces: Piece[], choices: Choices): void {
  const lists = listsOf(pieces).filter((list) => list.length > 0);
  if (lists.length === 0) return;
  const list = choices.pick(lists);
  const at = choices.below(list.length);
  const chosen = list[at]!;
  switch (choices.below(11)) {
    case 0:
      list.splice(at, 1);
      break;
    case 1:
      for (let copies = choices.pick([1, 1, 1, 2, 40]); copies > 0; copies--)
        list.splice(at, 0, structuredClone(chosen));
      break;
    case 2: {
      const other = choices.below(list.length);
      [list[at], list[other]] = [list[other]!, chosen];
      break;
    }
    case 3:
      chosen.body = chosen.body.slice(0, choices.below(chosen.body.length + 1));
      break;
    case 4:
      chosen.lie = choices.pick([-9, -4, -1, 1, 4, 100, 0x7fffffff, -chosen.body.length]);
      break;
    case 5:
      chosen.brokenCheck = true;
      break;
    case 6:
      list.splice(
        at,
        0,
        piece(choices.pick(format.names), mutateBytes(new Uint8Array(1 + choices.below(40)), choices.random)),
      );
      break;
    case 7:
      if (chosen.name !== '') chosen.name = choices.pick(format.names);
      break;
    case 8:
      if (chosen.name === 'IDAT') chosen.body = repacked(chosen.body, choices);
      else if (chosen.body.length > 0) chosen.body = mutateBytes(chosen.body, choices.random);
      break;
    default: {
      const telling = lists.flat().filter(({ name }) => format.numbers[name] !== undefined);
      if (telling.length === 0) return;
      const { name, body } = choices.pick(telling);
      const [place, bytes] = choices.pick(format.numbers[name]!);
      setNumber(body, place, bytes, format.littleEndian, choices);
    }
  }
}

/** Rows changed under a sound compression. */
function repacked(body: Uint8Array, choices: Choices): Uint8Array {
  try {
    return deflateSync(mutateBytes(inflateSync(body), choices.random));
  } catch {
    return mutateBytes(body, choices.random);
  }
}

/**
 * A picture file with some of its parts changed where the format's own rules say what they are: chunks taken out, doubled,
 * exchanged, cut short and renamed; lengths that lie, checksums right and wrong, other sizes; and now and then plain bytes.
 */
export function mutatePicture(kind: PictureKind, bytes: Uint8Array, choices: Choices): Uint8Array<ArrayBuffer> {
  const format = FORMATS[kind];
  let file: Uint8Array = bytes;
  if (choices.chance(0.85)) {
    const pieces = format.split(bytes);
    for (let changes = 1 + choices.below(3); changes > 0; changes--) changePieces(format, pieces, choices);
    file = format.join(pieces);
  }
  if (file.length > 0 && (file === bytes || choices.chance(0.15))) file = mutateBytes(file, choices.random);
  if (choices.chance(0.05)) file = file.subarray(0, choices.below(file.length + 1));
  return Uint8Array.from(file);
}

/** Whether a file that nothing was changed in comes back the same: what the changes are made in is understood. */
export const splitsWhole = (kind: PictureKind, bytes: Uint8Array): boolean =>
  Buffer.from(FORMATS[kind].join(FORMATS[kind].split(bytes))).equals(bytes);
