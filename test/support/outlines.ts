/** Closed polygons that test pictures are painted from: x and y in turn, px, y down. Curves are polygons too fine to tell. */
export type Contour = readonly number[];

const FULL_TURN = 2 * Math.PI;
const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

/** Corners of a contour per full circle; at radius 100 the polygon is less than 0.001 px from it. */
const CIRCLE_CORNERS = 720;

export function ellipse(cx: number, cy: number, rx: number, ry: number, degrees = 0): Contour {
  const points: number[] = [];
  for (let k = 0; k < CIRCLE_CORNERS; k++) {
    const angle = (k * FULL_TURN) / CIRCLE_CORNERS;
    points.push(cx + rx * Math.cos(angle), cy + ry * Math.sin(angle));
  }
  return turned(points, degrees, cx, cy);
}

export const circle = (cx: number, cy: number, r: number): Contour => ellipse(cx, cy, r, r);

export const rectangle = (x: number, y: number, width: number, height: number): Contour => [
  x,
  y,
  x + width,
  y,
  x + width,
  y + height,
  x,
  y + height,
];

export function roundedRectangle(x: number, y: number, width: number, height: number, radius: number): Contour {
  const points: number[] = [];
  const quarter = CIRCLE_CORNERS / 4;
  const centers = [
    [x + width - radius, y + height - radius],
    [x + radius, y + height - radius],
    [x + radius, y + radius],
    [x + width - radius, y + radius],
  ] as const;
  centers.forEach(([cx, cy], side) => {
    for (let k = 0; k <= quarter; k++) {
      const angle = ((side * quarter + k) * FULL_TURN) / CIRCLE_CORNERS;
      points.push(cx + radius * Math.cos(angle), cy + radius * Math.sin(angle));
    }
  });
  return points;
}

/** What of a convex outline lies above a level line, or below it, with no overlap where both are painted. */
export function partOf(contour: Contour, side: 'above' | 'below', level: number): Contour {
  const isIn = (y: number) => (side === 'above' ? y <= level : y >= level);
  const points: number[] = [];
  for (let at = 0; at < contour.length; at += 2) {
    const [x, y] = [contour[at] as number, contour[at + 1] as number];
    const next = (at + 2) % contour.length;
    const [toX, toY] = [contour[next] as number, contour[next + 1] as number];
    if (isIn(y)) points.push(x, y);
    if (isIn(y) !== isIn(toY)) points.push(x + ((toX - x) * (level - y)) / (toY - y), level);
  }
  return points;
}

export function star(cx: number, cy: number, outer: number, inner: number, tips: number): Contour {
  const points: number[] = [];
  for (let k = 0; k < 2 * tips; k++) {
    const angle = (k * Math.PI) / tips - Math.PI / 2;
    const r = k % 2 === 0 ? outer : inner;
    points.push(cx + r * Math.cos(angle), cy + r * Math.sin(angle));
  }
  return points;
}

/** A straight bar of the given width from one point to another, ends cut square. */
export function bar(x0: number, y0: number, x1: number, y1: number, width: number): Contour {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const nx = ((y0 - y1) / length) * (width / 2);
  const ny = ((x1 - x0) / length) * (width / 2);
  return [x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny];
}

/** A band of the given width that winds outwards around a point. */
export function spiral(cx: number, cy: number, turns: number, pitch: number, width: number): Contour {
  const steps = turns * 90;
  const there: number[] = [];
  const back: number[] = [];
  for (let k = 0; k <= steps; k++) {
    const angle = (k / 90) * FULL_TURN;
    const r = 2 + (pitch * k) / 90;
    there.push(cx + r * Math.cos(angle), cy + r * Math.sin(angle));
    back.unshift(cx + (r + width) * Math.cos(angle), cy + (r + width) * Math.sin(angle));
  }
  return [...there, ...back];
}

/** The contour turned clockwise on screen around a point. */
export function turned(contour: Contour, degrees: number, cx: number, cy: number): Contour {
  if (degrees === 0) return contour;
  const cos = Math.cos(toRadians(degrees));
  const sin = Math.sin(toRadians(degrees));
  const points: number[] = [];
  for (let k = 0; k < contour.length; k += 2) {
    const x = contour[k]! - cx;
    const y = contour[k + 1]! - cy;
    points.push(cx + x * cos - y * sin, cy + x * sin + y * cos);
  }
  return points;
}

/** The contour walked the other way: a hole inside one walked forwards. */
export function reversed(contour: Contour): Contour {
  const points: number[] = [];
  for (let k = contour.length - 2; k >= 0; k -= 2) points.push(contour[k]!, contour[k + 1]!);
  return points;
}

export const ring = (cx: number, cy: number, outer: number, inner: number): readonly Contour[] => [
  circle(cx, cy, outer),
  reversed(circle(cx, cy, inner)),
];

/** The letters B, U, R, I and N as outlines, `size` px high, from the point (x, y) to the right. */
export function lettering(x: number, y: number, size: number): readonly Contour[] {
  const at = (dx: number, points: Contour): Contour =>
    points.map((v, k) => v * size + (k % 2 === 0 ? x + dx * size : y));
  const stem = rectangle(0, 0, 0.16, 1);
  const bow = (top: number, bottom: number, right: number): readonly Contour[] => [
    roundedRectangle(0.16, top, right - 0.16, bottom - top, Math.min(0.18, (bottom - top) / 2.01)),
    reversed(roundedRectangle(0.2, top + 0.13, right - 0.34, bottom - top - 0.26, 0.03)),
  ];
  return [
    at(0, stem),
    ...bow(0, 0.5, 0.58).map((c) => at(0, c)),
    ...bow(0.5, 1, 0.64).map((c) => at(0, c)),
    at(
      0.8,
      [
        0, 0, 0.16, 0, 0.16, 0.7, 0.25, 0.86, 0.39, 0.86, 0.48, 0.7, 0.48, 0, 0.64, 0, 0.64, 0.74, 0.46, 1, 0.18, 1, 0,
        0.74,
      ],
    ),
    at(1.6, stem),
    ...bow(0, 0.54, 0.6).map((c) => at(1.6, c)),
    at(1.6, [0.24, 0.54, 0.42, 0.54, 0.64, 1, 0.45, 1]),
    at(2.4, stem),
    at(2.75, [0, 0, 0.15, 0, 0.5, 0.68, 0.5, 0, 0.64, 0, 0.64, 1, 0.49, 1, 0.14, 0.32, 0.14, 1, 0, 1]),
  ];
}
