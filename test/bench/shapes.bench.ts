import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { psnrOf } from '#test/support/psnr.js';
import { renderExact } from '#test/support/render-exact.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

/**
 * The shapes that icons are made of, by their size: a picture full of each, between the pixels in all ways, and how near its drawing comes to it
 * at eight times its size, with how many nodes a shape, and which share of them are native. `npm run bench:shapes [-- NAME,NAME]`
 */

const SIDE = 240;
/** From the middle to the farthest corner, px. */
const RADII = [2, 2.5, 3, 4, 5, 7, 10, 14];
const GAP_PX = 8;
const INK = '#b3501a';
const SKIN = '#c68d7b';

const points = (count: number, radiusAt: (k: number) => number) =>
  Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    return `${radiusAt(k) * Math.sin(angle)},${-radiusAt(k) * Math.cos(angle)}`;
  }).join(' ');
const polygon = (count: number) => `<polygon points="${points(count, () => 1)}"/>`;
const star = (tips: number, inner: number) =>
  `<polygon points="${points(2 * tips, (k) => (k % 2 === 0 ? 1 : inner))}"/>`;
const PLUS = '<path d="M-.3-1h.6v.7h.7v.6h-.7v.7h-.6v-.7h-.7v-.6h.7z"/>';

interface Subject {
  /** In a plane in which the shape reaches from -1 to 1. */
  readonly shape: string;
  /** Whether each is turned by an angle of its own. */
  readonly turns: boolean;
  readonly ground: string;
}
const level = (shape: string, ground = '#fff'): Subject => ({ shape, turns: false, ground });
const turned = (shape: string): Subject => ({ shape, turns: true, ground: '#fff' });
const halfDisk = (radius: number, fill: string) =>
  `<path fill="${fill}" d="M${-radius} .5a${radius} ${radius} 0 01${2 * radius} 0z"/>`;

const SUBJECTS: Readonly<Record<string, Subject>> = {
  circle: level('<circle r="1"/>'),
  'level oval': level('<ellipse rx="1" ry=".9"/>'),
  'turned oval': turned('<ellipse rx="1" ry=".6"/>'),
  ring: level(`<circle r=".75" fill="none" stroke="${INK}" stroke-width=".5"/>`),
  square: level('<rect x="-1" y="-1" width="2" height="2"/>'),
  'round square': level('<rect x="-1" y="-1" width="2" height="2" rx=".4"/>'),
  'turned round square': turned('<rect x="-.8" y="-.8" width="1.6" height="1.6" rx=".3"/>'),
  bar: turned('<rect x="-1" y="-.3" width="2" height=".6"/>'),
  'level pill': level('<rect x="-1" y="-.4" width="2" height=".8" rx=".4"/>'),
  'turned pill': turned('<rect x="-1" y="-.4" width="2" height=".8" rx=".4"/>'),
  triangle: turned(polygon(3)),
  diamond: level(polygon(4)),
  pentagon: turned(polygon(5)),
  hexagon: turned(polygon(6)),
  octagon: turned(polygon(8)),
  star: turned(star(5, 0.382)),
  plus: level(PLUS),
  cross: turned(PLUS),
  arrow: level('<path d="M-1-.25H0v-.5L1 0 0 .75v-.5h-1z"/>'),
  chevron: level('<path d="M-.6-1h.5l.9 1-.9 1h-.5l.9-1z"/>'),
  heart: level('<path d="M0 .9C-1.2 0-1-.9-.5-.9-.2-.9 0-.6 0-.5 0-.6.2-.9.5-.9 1-.9 1.2 0 0 .9z"/>'),
  drop: level('<path d="M0-1C.5-.3.7 0 .7.35A.7.7 0 01-.7.35C-.7 0-.5-.3 0-1z"/>'),
  crescent: level('<path d="M.3-.95a1 1 0 100 1.9A.8.8 0 01.3-.95z"/>'),
  // What small faces have: on a pixel or two of each color there is none that is pure.
  eye: level(`${halfDisk(1, '#fff')}${halfDisk(0.65, '#7d4533')}${halfDisk(0.4, '#000')}`, SKIN),
  'lit eye': level(
    `${halfDisk(1, '#fff')}${halfDisk(0.65, '#7d4533')}${halfDisk(0.4, '#000')}<circle cx="-.25" cy=".2" r=".12" fill="#fff"/>`,
    SKIN,
  ),
  face: level(
    '<circle cx="-.45" cy="-.1" r=".14" fill="#662113"/><circle cx=".45" cy="-.1" r=".14" fill="#662113"/><path fill="#df1f32" d="M-.3.5h.6a.3.3 0 01-.6 0z"/>',
    '#f7dece',
  ),
  'half disk': level('<path d="M-1 .5a1 1 0 012 0z"/>'),
};

function pictureOf(
  { shape, turns, ground }: Subject,
  radius: number,
): { readonly svg: string; readonly count: number } {
  const random = createSeededRandom(Math.round(radius * 100));
  const step = 2 * radius + GAP_PX;
  const placed: string[] = [];
  for (let y = step / 2 + 2; y + step / 2 < SIDE; y += step) {
    for (let x = step / 2 + 2; x + step / 2 < SIDE; x += step) {
      const at = `translate(${x + random() - 0.5} ${y + random() - 0.5})`;
      const turn = turns ? ` rotate(${360 * random()})` : '';
      placed.push(`<g transform="${at}${turn} scale(${radius * (0.95 + 0.1 * random())})">${shape}</g>`);
    }
  }
  const all = `<rect width="${SIDE}" height="${SIDE}" fill="${ground}"/><g fill="${INK}">${placed.join('')}</g>`;
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}">${all}</svg>`,
    count: placed.length,
  };
}

async function measure(subject: Subject, radius: number): Promise<string> {
  const { svg, count } = pictureOf(subject, radius);
  const { svg: drawn, drawing } = await vectorize(renderExact(svg, SIDE), { fidelity: false });
  const native = [...shapesOf(drawing.items)].filter(({ geometry }) => geometry.kind !== 'path').length - 1;
  const nodes = drawingStatsOf(drawing).nodes / count;
  const share = Math.round((100 * Math.max(0, native)) / count);
  return `${psnrOf(svg, drawn, SIDE * 8).toFixed(1)} ${nodes.toFixed(1)}${share > 0 ? ` ${share}%` : ''}`;
}

const wanted = process.argv[2]?.split(',') ?? Object.keys(SUBJECTS);
process.stdout.write(
  `${'dB, nodes, native, by radius'.padEnd(28)} ${RADII.map((r) => `${r} px`.padEnd(15)).join('')}\n`,
);
for (const name of wanted) {
  const subject = SUBJECTS[name];
  if (subject === undefined) throw new RangeError(`There is no ${name}: ${Object.keys(SUBJECTS).join(', ')}.`);
  const cells: string[] = [];
  for (const radius of RADII) cells.push((await measure(subject, radius)).padEnd(15));
  process.stdout.write(`${name.padEnd(28)} ${cells.join('')}\n`);
}
