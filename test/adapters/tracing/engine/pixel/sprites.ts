/** Sprites drawn for these tests. A letter is a color, a dot is full transparency. */
const COLORS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  '.': [0, 0, 0, 0],
  K: [26, 28, 44, 255],
  R: [177, 62, 83, 255],
  O: [239, 125, 87, 255],
  Y: [255, 205, 117, 255],
  G: [56, 183, 100, 255],
  D: [37, 113, 121, 255],
  B: [59, 93, 201, 255],
  W: [244, 244, 244, 255],
  S: [26, 28, 44, 96],
};

export const FISH = [
  '................',
  '................',
  '.....KKKKK......',
  '...KKOOOOOKK....',
  '.KKOOYYYYOOOK.K.',
  'KOOYYYYYYOOROKOK',
  'KOKWYYYYOOORROOK',
  'KOKKYYYOOORROKOK',
  'KOOOOOOOORROKKOK',
  '.KRROOORRRKK..K.',
  '..KKRRRRKK......',
  '....KKKK........',
  '................',
  '..SSSSSSSSSS....',
  '................',
  '................',
];

export const LANDSCAPE = [
  'BBBBBBBBBBBB',
  'BBWWBBBBYYBB',
  'BWWWWBBYYYYB',
  'BBBBBBBBYYBB',
  'BBBDBBBBBBBB',
  'BBDDDBBGBBGB',
  'BDDKDDGGGGGG',
  'DDKKKDDGRGGG',
  'GGGGGGGGGGGG',
  'GRGGYGGGGKGG',
  'GGGGGGWGGGGG',
  'GGKGGGGGGGRG',
];

export interface Picture {
  readonly rgba: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export function paint(width: number, height: number, color: (x: number, y: number) => readonly number[]): Picture {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) rgba.set(color(i % width, Math.floor(i / width)), i * 4);
  return { rgba, width, height };
}

/** The sprite with each cell `cellX` x `cellY` px large, with `left` and `top` px cut off. */
export function enlarge(sprite: readonly string[], cellX: number, cellY = cellX, left = 0, top = 0): Picture {
  const columns = (sprite[0] as string).length;
  return paint(columns * cellX - left, sprite.length * cellY - top, (x, y) => {
    const row = sprite[Math.floor((y + top) / cellY)] as string;
    return COLORS[row[Math.floor((x + left) / cellX)] as string] as readonly number[];
  });
}
