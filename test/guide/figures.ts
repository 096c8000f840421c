import { vectorize } from 'burin';
import type { Raster } from '#application/ports/tracer.js';
import { visitPath } from '#domain/drawing/drawing.js';
import { circle, star } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** Figures for how the engine works, made of what it really does with small pictures. */

const SCALE = 22;

/** Every pixel as a square. */
const squares = ({ width, height, data }: Raster): string =>
  Array.from({ length: width * height }, (_, i) => {
    const [r, g, b] = [data[i * 4], data[i * 4 + 1], data[i * 4 + 2]];
    const hex = `#${[r, g, b].map((value) => value!.toString(16).padStart(2, '0')).join('')}`;
    return `<rect x="${i % width}" y="${Math.floor(i / width)}" width="1.01" height="1.01" fill="${hex}"/>`;
  }).join('');

const frame = (width: number, height: number, body: string, scale = SCALE): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width * scale)}" height="${Math.round(height * scale)}" viewBox="0 0 ${width} ${height}">\n<rect width="${width}" height="${height}" fill="#fff"/>\n${body}\n</svg>\n`;

/** The outlines of a drawing as thin lines, and its nodes as points. */
async function overlay(raster: Raster): Promise<string> {
  const { svg, drawing } = await vectorize(raster, { preset: 'logo' });
  const outlines = [...svg.matchAll(/<(path|circle|ellipse|rect)\b([^>]*?)\/>/g)]
    .map(
      ([, tag, attributes]) =>
        `<${tag}${(attributes as string).replaceAll(/ (?:fill|id|fill-rule|stroke)="[^"]*"/g, '')}/>`,
    )
    .join('');
  const points: string[] = [];
  const point = (x: number, y: number) => points.push(`<circle cx="${x}" cy="${y}" r="0.16" fill="#d6336c"/>`);
  for (const item of drawing.items)
    if (item.kind === 'shape' && item.geometry.kind === 'path')
      visitPath(item.geometry, drawing, {
        move: point,
        line: point,
        quadratic: (_x1, _y1, x, y) => point(x, y),
        cubic: (_x1, _y1, _x2, _y2, x, y) => point(x, y),
        arc: (_rx, _ry, _rotation, _large, _sweep, x, y) => point(x, y),
        close() {},
      });
  return `<g fill="none" stroke="#d6336c" stroke-width="0.07">${outlines}</g>${points.join('')}`;
}

/** Layers of one drawing, one after the other as they are painted. */
async function layers(raster: Raster): Promise<string> {
  const { svg } = await vectorize(raster, { preset: 'logo' });
  const groups = [...svg.matchAll(/<g [^>]*>[\s\S]*?<\/g>/g)].map(([group]) => group.replaceAll(/ id="[^"]*"/g, ''));
  const { width, height } = raster;
  const panels = groups.map((_, i) => {
    const painted = groups.slice(0, i + 1).join('');
    const border = `<rect width="${width}" height="${height}" fill="none" stroke="#c8ccd0" stroke-width="0.5"/>`;
    return `<g transform="translate(${i * (width + 8)} 0)">${painted}${border}</g>`;
  });
  return frame(groups.length * (width + 8) - 8, height, panels.join('\n'), 2);
}

export async function engineFigures(): Promise<readonly (readonly [name: string, svg: string])[]> {
  const disc = paint(16, 16, 0xffffff, [layer(0x14506e, circle(8.3, 7.8, 5.4))]);
  const tip = paint(24, 24, 0xffffff, [layer(0xe8542f, star(12, 12.5, 10, 4.2, 5))]);
  const overlapping = paint(120, 88, 0xffffff, [
    layer(0x14506e, circle(44, 44, 32)),
    layer(0xe8542f, circle(76, 44, 32)),
    layer(0xf7c948, star(60, 44, 20, 9, 5)),
  ]);
  return [
    ['figure-edge.svg', frame(16, 16, `${squares(disc)}\n${await overlay(disc)}`)],
    ['figure-nodes.svg', frame(24, 24, `<g opacity="0.55">${squares(tip)}</g>\n${await overlay(tip)}`)],
    ['figure-layers.svg', await layers(overlapping)],
  ];
}
