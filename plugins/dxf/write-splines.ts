import { DxfWriter, LWPolylineFlags, point2d, point3d, SplineFlags, TrueColor, Units } from '@tarikjabiri/dxf';
import { toHexColor } from '#domain/color.js';
import type { Contour, Segment } from './contours.js';
import { colorIndexOf } from './layers.js';
import type { FileUnit, LayerContours } from './write-r12.js';

const UNITS = { mm: Units.Millimeters, cm: Units.Centimeters, in: Units.Inches } as const;
const DEGREE = 3;
/** Arcs within a spline: each piece of at most this angle is off by less than 0.0005 % of the radius. */
const MAX_CUBIC_SWEEP_RAD = Math.PI / 4;

type Point = readonly [number, number];

/** The control points that follow the pen: three for each cubic. */
function controlsOf(fromX: number, fromY: number, { x, y, bulge, controls }: Segment): readonly Point[] {
  if (controls !== undefined) {
    const [x1, y1, x2, y2] = controls;
    return [
      [x1, y1],
      [x2, y2],
      [x, y],
    ];
  }
  const dx = x - fromX;
  const dy = y - fromY;
  if (bulge === 0)
    return [
      [fromX + dx / 3, fromY + dy / 3],
      [fromX + (2 * dx) / 3, fromY + (2 * dy) / 3],
      [x, y],
    ];
  const sweep = 4 * Math.atan(bulge);
  const reach = (1 - bulge * bulge) / (4 * bulge);
  const cx = (fromX + x) / 2 - dy * reach;
  const cy = (fromY + y) / 2 + dx * reach;
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / MAX_CUBIC_SWEEP_RAD - 1e-9));
  const step = sweep / count;
  const tangent = (4 / 3) * Math.tan(step / 4);
  const points: Point[] = [];
  let ux = fromX - cx;
  let uy = fromY - cy;
  for (let k = 1; k <= count; k++) {
    const vx = ux * Math.cos(step) - uy * Math.sin(step);
    const vy = ux * Math.sin(step) + uy * Math.cos(step);
    points.push([cx + ux - tangent * uy, cy + uy + tangent * ux], [cx + vx + tangent * vy, cy + vy - tangent * vx]);
    points.push(k === count ? [x, y] : [cx + vx, cy + vy]);
    ux = vx;
    uy = vy;
  }
  return points;
}

/** Every third knot three times: the spline is then exactly the chain of its cubics. */
function knotsOf(cubics: number): number[] {
  const knots = [0];
  for (let k = 0; k <= cubics; k++) knots.push(k, k, k);
  knots.push(cubics);
  return knots;
}

function addContour(dxf: DxfWriter, contour: Contour, layerName: string): void {
  const { segments, closed } = contour;
  let fromX = contour.x;
  let fromY = contour.y;
  if (segments.every(({ controls }) => controls === undefined)) {
    const vertices = segments.map((segment) => {
      const vertex = { point: point2d(fromX, fromY), bulge: segment.bulge };
      fromX = segment.x;
      fromY = segment.y;
      return vertex;
    });
    if (!closed) vertices.push({ point: point2d(fromX, fromY), bulge: 0 });
    dxf.addLWPolyline(vertices, { layerName, flags: closed ? LWPolylineFlags.Closed : LWPolylineFlags.None });
    return;
  }
  const points: Point[] = [[fromX, fromY]];
  for (const segment of segments) {
    points.push(...controlsOf(fromX, fromY, segment));
    fromX = segment.x;
    fromY = segment.y;
  }
  dxf.addSpline(
    {
      controlPoints: points.map(([x, y]) => point3d(x, y, 0)),
      degreeCurve: DEGREE,
      knots: knotsOf((points.length - 1) / DEGREE),
      flags: (SplineFlags.Planar | (closed ? SplineFlags.Closed : 0)) as SplineFlags,
    },
    { layerName },
  );
}

/** A DXF of R2007 with exact splines; contours without curves are polylines. */
export function writeSplines(layers: readonly LayerContours[], unit: FileUnit): string {
  const dxf = new DxfWriter();
  dxf.setUnits(UNITS[unit]);
  for (const { layer, contours } of layers) {
    if (layer.name !== '0') {
      const record = dxf.addLayer(layer.name, colorIndexOf(layer.color), 'Continuous');
      record.trueColor = TrueColor.fromHex(toHexColor(layer.color));
    }
    for (const contour of contours) addContour(dxf, contour, layer.name);
  }
  return dxf.stringify();
}
