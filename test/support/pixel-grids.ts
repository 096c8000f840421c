import sharp from 'sharp';

/** Pixel art drawn by a seed, enlarged in a known way: the truth and the picture. */
export interface GridCase {
  readonly name: string;
  /** Hard or interpolated without loss; through JPEG; turned, which leaves no grid. */
  readonly kind: 'clean' | 'jpeg' | 'drifting' | 'turned';
  readonly sprite: Sprite;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}
export interface Sprite {
  readonly columns: number;
  readonly rows: number;
  /** 0xRRGGBB, row by row. */
  readonly cells: Uint32Array;
}

/** Uniform numbers in 0..1 from a seed (a 32-bit mixing generator). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32;
  };
}

const PALETTES = [
  [0x1a1c2c, 0x5d275d, 0xb13e53, 0xef7d57, 0xffcd75, 0x38b764, 0x257179, 0x3b5dc9, 0x41a6f6, 0xf4f4f4, 0x566c86],
  [0x0f380f, 0x306230, 0x8bac0f, 0x9bbc0f, 0xe0f8cf],
  [0x000000, 0x7e2553, 0x008751, 0xab5236, 0x5f574f, 0xc2c3c7, 0xfff1e8, 0xff004d, 0xffa300, 0xffec27, 0x29adff],
] as const;

/** A sprite as people draw them: a mirrored body with an outline and shading on an even ground, and some scatter. */
export function drawSprite(seed: number): Sprite {
  const random = seeded(seed);
  const palette = PALETTES[seed % PALETTES.length] as readonly number[];
  const pick = () => palette[Math.floor(random() * palette.length)] as number;
  const columns = 10 + Math.floor(random() * 15);
  const rows = 10 + Math.floor(random() * 15);
  const ground = pick();
  const outline = palette[0] as number;
  const inks = [pick(), pick(), pick(), pick()] as const;
  const cells = new Uint32Array(columns * rows).fill(ground);
  const body = new Uint8Array(columns * rows);
  for (let row = 1; row < rows - 1; row++) {
    for (let column = 1; column <= columns / 2; column++) {
      const reach = Math.hypot((column - columns / 2) / columns, (row - rows / 2) / rows);
      if (reach + random() * 0.25 > 0.5) continue;
      const ink = inks[Math.min(3, Math.floor(random() * 2 + (row / rows) * 2.5))] as number;
      for (const at of [row * columns + column, row * columns + columns - 1 - column]) {
        cells[at] = ink;
        body[at] = 1;
      }
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (body[at] === 1) continue;
      const beside =
        (column > 0 && body[at - 1] === 1) ||
        (column < columns - 1 && body[at + 1] === 1) ||
        (row > 0 && body[at - columns] === 1) ||
        (row < rows - 1 && body[at + columns] === 1);
      if (beside) cells[at] = outline;
      else if (random() < 0.06) cells[at] = pick();
    }
  }
  return { columns, rows, cells };
}

type Kernel = 'nearest' | 'linear' | 'lanczos';

/** Weights of the cells in each px along an axis: px x lies at (x + 0.5 - offset) / step. Beyond the border is its color. */
function axisWeights(kernel: Kernel, cells: number, size: number, lineAt: (cell: number) => number): Float64Array {
  const weights = new Float64Array(size * cells);
  for (let x = 0; x < size; x++) {
    let cell = 0;
    while (cell < cells - 1 && lineAt(cell + 1) <= x + 0.5) cell++;
    const at = cell + (x + 0.5 - lineAt(cell)) / (lineAt(cell + 1) - lineAt(cell));
    if (kernel === 'nearest') {
      weights[x * cells + cell] = 1;
      continue;
    }
    const radius = kernel === 'linear' ? 1 : 3;
    const taps: [number, number][] = [];
    let sum = 0;
    for (let k = Math.floor(at - 0.5) - radius + 1; k <= Math.floor(at - 0.5) + radius; k++) {
      const t = Math.abs(at - k - 0.5);
      const sinc = (v: number) => (v < 1e-9 ? 1 : Math.sin(Math.PI * v) / (Math.PI * v));
      const weight = kernel === 'linear' ? Math.max(0, 1 - t) : t < 3 ? sinc(t) * sinc(t / 3) : 0;
      taps.push([Math.min(cells - 1, Math.max(0, k)), weight]);
      sum += weight;
    }
    for (const [k, weight] of taps) weights[x * cells + k] = (weights[x * cells + k] as number) + weight / sum;
  }
  return weights;
}

interface Enlargement {
  readonly kernel: Kernel;
  readonly step: number;
  /** px of the first cell that are cut off. */
  readonly cropX: number;
  readonly cropY: number;
  /** How far lines stray, px. */
  readonly drift: number;
}

export function enlargeSprite(sprite: Sprite, how: Enlargement, seed: number): Omit<GridCase, 'name' | 'kind'> {
  const { columns, rows, cells } = sprite;
  const random = seeded(seed);
  const axis = (count: number, crop: number) => {
    const lines = Array.from({ length: count + 1 }, (_, k) => k * how.step - crop + (random() * 2 - 1) * how.drift);
    const size = Math.round(count * how.step - crop);
    return { size, weights: axisWeights(how.kernel, count, size, (k) => lines[k] as number) };
  };
  const x = axis(columns, how.cropX);
  const y = axis(rows, how.cropY);
  const data = new Uint8Array(x.size * y.size * 4).fill(255);
  const halfway = new Float64Array(x.size * rows);
  for (let c = 0; c < 3; c++) {
    for (let row = 0; row < rows; row++) {
      for (let px = 0; px < x.size; px++) {
        let sum = 0;
        for (let k = 0; k < columns; k++) {
          const weight = x.weights[px * columns + k] as number;
          if (weight !== 0) sum += weight * (((cells[row * columns + k] as number) >> (16 - 8 * c)) & 255);
        }
        halfway[row * x.size + px] = sum;
      }
    }
    for (let py = 0; py < y.size; py++) {
      for (let px = 0; px < x.size; px++) {
        let sum = 0;
        for (let k = 0; k < rows; k++) {
          const weight = y.weights[py * rows + k] as number;
          if (weight !== 0) sum += weight * (halfway[k * x.size + px] as number);
        }
        data[(py * x.size + px) * 4 + c] = Math.min(255, Math.max(0, Math.round(sum)));
      }
    }
  }
  return { sprite, width: x.size, height: y.size, data };
}

async function throughJpeg(picture: Omit<GridCase, 'name' | 'kind'>, quality: number): Promise<Uint8Array> {
  const { width, height } = picture;
  const file = await sharp(picture.data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality })
    .toBuffer();
  return new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer());
}

async function turned(picture: Omit<GridCase, 'name' | 'kind'>, degrees: number) {
  const { width, height } = picture;
  const { data, info } = await sharp(picture.data, { raw: { width, height, channels: 4 } })
    .rotate(degrees, { background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** `count` cases, the same for the same count: kinds, scales from 2 to 12 by tenths, crops and qualities in turn. */
export async function makeGridCases(count: number): Promise<GridCase[]> {
  const cases: GridCase[] = [];
  for (let k = 0; k < count; k++) {
    const random = seeded(7919 * k + 17);
    const sprite = drawSprite(k + 1);
    const step = 2 + Math.round(random() * 100) / 10;
    const kernel = (['nearest', 'linear', 'lanczos'] as const)[k % 3] as Kernel;
    const kind = (['clean', 'jpeg', 'clean', 'jpeg', 'clean', 'jpeg', 'clean', 'drifting', 'clean', 'turned'] as const)[
      Math.floor(k / 3) % 10
    ] as GridCase['kind'];
    const cropped = kind !== 'drifting' && Math.floor(k / 6) % 2 === 1;
    const crop = () => (cropped ? Math.floor(random() * step * 0.6) : 0);
    const drift = kind === 'drifting' ? step * 0.12 : 0;
    const how = {
      kernel: kind === 'drifting' ? 'nearest' : kernel,
      step,
      cropX: crop(),
      cropY: crop(),
      drift,
    } as const;
    const clean = enlargeSprite(sprite, how, k);
    const name = `${k}: ${how.kernel} x ${step}${cropped ? ' cropped' : ''}`;
    if (kind === 'jpeg') {
      const quality = 50 + Math.floor(random() * 46);
      cases.push({ ...clean, kind, name: `${name}, JPEG ${quality}`, data: await throughJpeg(clean, quality) });
    } else if (kind === 'turned') {
      const degrees = 7 + Math.floor(random() * 30);
      cases.push({ ...clean, ...(await turned(clean, degrees)), kind, name: `${name}, turned by ${degrees}` });
    } else cases.push({ ...clean, kind, name: `${name}${kind === 'drifting' ? ', drifting' : ''}` });
  }
  return cases;
}

/** Share of the sprite's cells that were given back: at the right place, and nearer to their color than to any other of the sprite's. */
export function shareRight(sprite: Sprite, columns: number, rows: number, cells: Uint32Array): number {
  if (columns !== sprite.columns || rows !== sprite.rows) return 0;
  const palette = [...new Set(sprite.cells)];
  const distance = (a: number, b: number) => {
    let sum = 0;
    for (let shift = 0; shift < 24; shift += 8) sum += (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2;
    return sum;
  };
  let right = 0;
  for (let i = 0; i < sprite.cells.length; i++) {
    const got = (cells[i] as number) >>> 8;
    const truth = sprite.cells[i] as number;
    const nearest = palette.reduce((best, color) => (distance(color, got) < distance(best, got) ? color : best), truth);
    if (nearest === truth) right++;
  }
  return right / sprite.cells.length;
}

/** Whether every cell has its exact color. */
export const isExact = (sprite: Sprite, columns: number, rows: number, cells: Uint32Array): boolean =>
  columns === sprite.columns &&
  rows === sprite.rows &&
  sprite.cells.every((color, i) => (cells[i] as number) >>> 8 === color);
