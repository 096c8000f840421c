import { seeded } from './pixel-grids.js';

/** One straight stroke of a plan, px. */
export interface PlanStroke {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly width: number;
}
export interface Plan {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
  /** Every stroke of it that is straight and whole: not dashes and letters. */
  readonly strokes: readonly PlanStroke[];
}

/** A floor plan by a seed: walls, a door's arc, dimension lines with ticks, hatching, dashed lines and lettering of strokes. */
export function drawPlan(seed: number): Plan {
  const random = seeded(seed * 977);
  const [width, height] = [420 + Math.floor(random() * 160), 320 + Math.floor(random() * 120)];
  const strokes: PlanStroke[] = [];
  const parts: string[] = [];
  const line = (x1: number, y1: number, x2: number, y2: number, thick: number, more = '') => {
    parts.push(`<path d="M${x1} ${y1}L${x2} ${y2}" stroke-width="${thick}"${more}/>`);
    if (more === '') strokes.push({ x1, y1, x2, y2, width: thick });
  };
  const wall = 5 + Math.floor(random() * 4);
  const [left, top, right, bottom] = [60.5, 50.5, width - 70.5, height - 60.5];
  const middle = Math.round(left + (right - left) * (0.35 + random() * 0.3)) + 0.5;
  parts.push(`<path d="M${left} ${top}H${right}V${bottom}H${left}Z" stroke-width="${wall}"/>`);
  for (const [x1, y1, x2, y2] of [
    [left, top, right, top],
    [right, top, right, bottom],
    [left, bottom, right, bottom],
    [left, top, left, bottom],
  ] as const)
    strokes.push({ x1, y1, x2, y2, width: wall });
  line(middle, top, middle, bottom - 70, wall);
  const reach = 50;
  parts.push(`<path d="M${middle} ${bottom - 60}a${reach} ${reach} 0 0 1 ${-reach} ${reach}" stroke-width="1.5"/>`);
  // Dimensions.
  const [dimY, dimX] = [top - 28, left - 30];
  line(left, dimY, right, dimY, 1.5);
  for (const x of [left, middle, right]) line(x, dimY - 7, x, dimY + 7, 1.5);
  line(dimX, top, dimX, bottom, 1.5);
  for (const y of [top, bottom]) line(dimX - 7, y, dimX + 7, y, 1.5);
  // Hatching in a corner.
  const box = 70;
  parts.push(`<path d="M${right - 20 - box} ${bottom - 20 - box}h${box}v${box}h${-box}z" stroke-width="2"/>`);
  for (let k = 12; k < box; k += 12)
    line(right - 20 - box, bottom - 20 - box + k, right - 20 - box + k, bottom - 20 - box, 1.5);
  // A hidden edge and a center line.
  line(left + 20, top + 40, middle - 20, top + 40, 2, ' stroke-dasharray="9 6"');
  line(middle + 25, (top + bottom) / 2 - 30, right - 15, (top + bottom) / 2 - 30, 1.5, ' stroke-dasharray="16 5"');
  parts.push(
    `<circle cx="${(left + middle) / 2}" cy="${(top + bottom) / 2 + 10}" r="${18 + random() * 12}" stroke-width="2.5"/>`,
  );
  // Lettering.
  for (let x = left + 10, k = 0; k < 6; k++, x += 16)
    parts.push(`<path d="M${x} ${bottom - 12}v-14l7 9v-9" stroke-width="1.6"/>`);
  const body = `<g fill="none" stroke="#000">${parts.join('')}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#fff"/>${body}</svg>`;
  return { width, height, svg, strokes };
}
