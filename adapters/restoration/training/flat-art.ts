import type { Random } from './random.js';

// Drawings out of nothing: overlapping flat shapes, outlines, thin lines, letters, now and then a gradient. They are what
// logos, stickers, charts and emoji are made of, in colours and places that no icon package has.

type Point = readonly [number, number];

const hex = (value: number): string =>
  Math.max(0, Math.min(255, Math.round(value)))
    .toString(16)
    .padStart(2, '0');
const rgb = (r: number, g: number, b: number): string => `#${hex(r)}${hex(g)}${hex(b)}`;
const fixed = (value: number): string => value.toFixed(2);

/** A colour: black, white, a gray, a strong one or any. */
export function anyColor(random: Random): string {
  const kind = random.unit();
  if (kind < 0.14) return '#000000';
  if (kind < 0.26) return '#ffffff';
  if (kind < 0.34) {
    const gray = random.between(10, 245);
    return rgb(gray, gray, gray);
  }
  if (kind < 0.6) {
    const channels = [random.between(180, 255), random.between(0, 90), random.between(0, 255)];
    const turn = random.whole(0, 2);
    const flip = random.chance(0.5);
    const [r, g, b] = [0, 1, 2].map((i) => channels[(flip ? 2 - i + turn : i + turn) % 3] as number) as [
      number,
      number,
      number,
    ];
    return rgb(r, g, b);
  }
  return rgb(random.between(0, 255), random.between(0, 255), random.between(0, 255));
}

/** What lies behind a drawing: mostly white, as in most pictures that people bring. */
export const anyBackground = (random: Random): string => (random.chance(0.5) ? '#ffffff' : anyColor(random));

function radialPoints(random: Random, [cx, cy]: Point, radius: number, count: number, roughness: number): Point[] {
  const start = random.between(0, Math.PI * 2);
  return Array.from({ length: count }, (_, i) => {
    const angle = start + (i / count) * Math.PI * 2;
    const reach = radius * (1 - roughness * random.unit());
    return [cx + Math.cos(angle) * reach, cy + Math.sin(angle) * reach] as const;
  });
}

const straight = (points: readonly Point[], close: boolean): string =>
  `M${points.map(([x, y]) => `${fixed(x)} ${fixed(y)}`).join('L')}${close ? 'Z' : ''}`;

/** A closed curve through the points (Catmull-Rom, as Béziers). */
function smooth(points: readonly Point[]): string {
  const at = (i: number): Point => points[(i + points.length) % points.length] as Point;
  let path = `M${fixed(at(0)[0])} ${fixed(at(0)[1])}`;
  for (let i = 0; i < points.length; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path += `C${fixed(b[0] + (c[0] - a[0]) / 6)} ${fixed(b[1] + (c[1] - a[1]) / 6)} `;
    path += `${fixed(c[0] - (d[0] - b[0]) / 6)} ${fixed(c[1] - (d[1] - b[1]) / 6)} ${fixed(c[0])} ${fixed(c[1])}`;
  }
  return `${path}Z`;
}

function star(random: Random, [cx, cy]: Point, radius: number): string {
  const tips = random.whole(4, 9);
  const inner = radius * random.between(0.3, 0.7);
  const start = random.between(0, Math.PI);
  const points = Array.from({ length: tips * 2 }, (_, i): Point => {
    const reach = i % 2 === 0 ? radius : inner;
    const angle = start + (i / (tips * 2)) * Math.PI * 2;
    return [cx + Math.cos(angle) * reach, cy + Math.sin(angle) * reach];
  });
  return straight(points, true);
}

function wedge(random: Random, [cx, cy]: Point, radius: number): string {
  const from = random.between(0, Math.PI * 2);
  const sweep = random.between(0.3, Math.PI * 1.8);
  const [x0, y0] = [cx + Math.cos(from) * radius, cy + Math.sin(from) * radius];
  const [x1, y1] = [cx + Math.cos(from + sweep) * radius, cy + Math.sin(from + sweep) * radius];
  const large = sweep > Math.PI ? 1 : 0;
  return `M${fixed(cx)} ${fixed(cy)}L${fixed(x0)} ${fixed(y0)}A${fixed(radius)} ${fixed(radius)} 0 ${large} 1 ${fixed(x1)} ${fixed(y1)}Z`;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789&@%?!+';
const FONTS = ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono', 'DejaVu Sans Condensed'];

function letters(random: Random, [x, y]: Point, size: number, paint: string): string {
  const text = Array.from({ length: random.whole(1, 7) }, () => random.oneOf([...LETTERS]))
    .join('')
    .replace(/&/g, '&amp;');
  const weight = random.chance(0.5) ? ' font-weight="bold"' : '';
  const family = random.oneOf(FONTS);
  return `<text x="${fixed(x)}" y="${fixed(y)}" font-family="${family}" font-size="${fixed(size)}" text-anchor="middle"${weight} ${paint}>${text}</text>`;
}

interface Page {
  readonly width: number;
  readonly height: number;
  readonly random: Random;
  readonly palette: readonly string[];
  /** Gradients, collected for the head of the file. */
  readonly defs: string[];
}

function fillOf({ random, palette, defs }: Page): string {
  if (!random.chance(0.06)) return random.oneOf(palette);
  const id = `g${defs.length}`;
  const [x, y] = [random.unit(), random.unit()];
  const stops = `<stop offset="0" stop-color="${random.oneOf(palette)}"/><stop offset="1" stop-color="${anyColor(random)}"/>`;
  defs.push(
    random.chance(0.6)
      ? `<linearGradient id="${id}" x1="${fixed(x)}" y1="${fixed(y)}" x2="${fixed(1 - x)}" y2="${fixed(1 - y)}">${stops}</linearGradient>`
      : `<radialGradient id="${id}">${stops}</radialGradient>`,
  );
  return `url(#${id})`;
}

/** Filled, outlined or both: the second outline is the dark one of cartoons. */
function paintOf(page: Page, size: number): string {
  const { random, palette } = page;
  const width = size * (random.chance(0.6) ? random.between(0.006, 0.025) : random.between(0.025, 0.08));
  const join = random.oneOf(['miter', 'round', 'bevel']);
  const stroke = `stroke="${random.chance(0.4) ? (palette[0] as string) : random.oneOf(palette)}" stroke-width="${fixed(width)}" stroke-linejoin="${join}" stroke-linecap="${random.oneOf(['butt', 'round', 'square'])}"`;
  const kind = random.unit();
  if (kind < 0.55) return `fill="${fillOf(page)}"`;
  if (kind < 0.78) return `fill="${fillOf(page)}" ${stroke}`;
  return `fill="none" ${stroke}`;
}

function shape(page: Page, scale: number): string {
  const { width, height, random } = page;
  const size = Math.min(width, height);
  const center: Point = [random.between(0, width), random.between(0, height)];
  const radius = size * scale * random.between(0.5, 1);
  const paint = paintOf(page, size);
  const line = `fill="none" stroke="${random.oneOf(page.palette)}" stroke-width="${fixed(size * random.between(0.004, 0.05))}" stroke-linecap="${random.oneOf(['butt', 'round'])}"`;
  const [x, y] = center.map(fixed) as [string, string];
  switch (random.whole(0, 11)) {
    case 0:
    case 1:
      return `<circle cx="${x}" cy="${y}" r="${fixed(radius)}" ${paint}/>`;
    case 2:
      return `<ellipse cx="${x}" cy="${y}" rx="${fixed(radius)}" ry="${fixed(radius * random.between(0.3, 1))}" ${paint}/>`;
    case 3:
    case 4: {
      const round = random.chance(0.5) ? radius * random.between(0.05, 0.5) : 0;
      return `<rect x="${x}" y="${y}" width="${fixed(radius * 2)}" height="${fixed(radius * random.between(0.3, 2))}" rx="${fixed(round)}" ${paint}/>`;
    }
    case 5:
      return `<path d="${straight(radialPoints(random, center, radius, random.whole(3, 8), 0.5), true)}" ${paint}/>`;
    case 6:
      return `<path d="${star(random, center, radius)}" ${paint}/>`;
    case 7:
      return `<path d="${smooth(radialPoints(random, center, radius, random.whole(4, 9), 0.6))}" ${paint}/>`;
    case 8:
      return `<path d="${wedge(random, center, radius)}" ${paint}/>`;
    case 9: {
      const points = Array.from(
        { length: random.whole(2, 5) },
        (): Point => [random.between(0, width), random.between(0, height)],
      );
      return `<path d="${straight(points, false)}" ${line}/>`;
    }
    case 10: {
      // Hatching: parallel lines, the hardest thing for JPEG.
      const step = size * random.between(0.02, 0.08);
      const count = random.whole(3, 9);
      const path = Array.from({ length: count }, (_, i) => `M${x} ${fixed(center[1] + i * step)}h${fixed(radius * 2)}`);
      return `<path d="${path.join('')}" fill="none" stroke="${random.oneOf(page.palette)}" stroke-width="${fixed(step * random.between(0.2, 0.7))}"/>`;
    }
    default:
      return letters(random, center, size * random.between(0.08, 0.5), paint);
  }
}

/** A drawing of the given size in user units, large shapes first and details over them. */
export function drawFlatArt(random: Random, width: number, height: number): string {
  const palette = Array.from({ length: random.whole(2, 7) }, () => anyColor(random));
  const page: Page = { width, height, random, palette, defs: [] };
  const count = random.whole(2, 16);
  const shapes: string[] = [];
  for (let i = 0; i < count; i++) {
    const drawn = shape(page, 0.5 * (1 - i / count) + 0.06);
    shapes.push(
      random.chance(0.3)
        ? `<g transform="rotate(${fixed(random.between(-180, 180))} ${fixed(width / 2)} ${fixed(height / 2)})">${drawn}</g>`
        : drawn,
    );
  }
  const background = `<rect width="${width}" height="${height}" fill="${anyBackground(random)}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${page.defs.join('')}</defs>${background}${shapes.join('')}</svg>`;
}
