/** A region of the plane: contours as points x0, y0, x1, y1, ..., each closed from its last point to its first. */
export interface Region {
  readonly contours: readonly (readonly number[])[];
  readonly evenOdd: boolean;
}

export interface Intersection {
  /** Non-zero or even-odd give the same inside. */
  readonly contours: readonly (readonly number[])[];
  /** The first region lies wholly within the second: nothing was cut off. */
  readonly unchanged: boolean;
}

/** Points are rounded to this part of a unit, so that an edge and those that meet it share the very same points. */
const GRID = 1024;
/** Rounding moves edges a little, which can make new crossings; they die out after a pass or two. */
const MAX_PASSES = 6;

/** An edge from left to right (or up, where it is vertical), with how often each region's outline runs along it. */
interface Edge {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** Runs of the first and the second region's outline; negative from right to left. */
  readonly runsA: number;
  readonly runsB: number;
}

const keyOf = ({ x1, y1, x2, y2 }: Edge) => `${x1},${y1},${x2},${y2}`;

/** Equal edges become one; those that cancel out disappear. */
function merged(edges: readonly Edge[]): Edge[] {
  const byKey = new Map<string, Edge>();
  for (const edge of edges) {
    const key = keyOf(edge);
    const known = byKey.get(key);
    byKey.set(
      key,
      known === undefined ? edge : { ...edge, runsA: known.runsA + edge.runsA, runsB: known.runsB + edge.runsB },
    );
  }
  return [...byKey.values()].filter(({ runsA, runsB }) => runsA !== 0 || runsB !== 0);
}

function toEdge(x1: number, y1: number, x2: number, y2: number, runsA: number, runsB: number): Edge | undefined {
  if (x1 === x2 && y1 === y2) return undefined;
  return x1 < x2 || (x1 === x2 && y1 < y2)
    ? { x1, y1, x2, y2, runsA, runsB }
    : { x1: x2, y1: y2, x2: x1, y2: y1, runsA: -runsA, runsB: -runsB };
}

function addRegion(edges: Edge[], { contours }: Region, runsA: number, runsB: number): void {
  for (const points of contours) {
    let x = Math.round(points[points.length - 2]! * GRID);
    let y = Math.round(points[points.length - 1]! * GRID);
    for (let i = 0; i + 1 < points.length; i += 2) {
      const nextX = Math.round(points[i]! * GRID);
      const nextY = Math.round(points[i + 1]! * GRID);
      const edge = toEdge(x, y, nextX, nextY, runsA, runsB);
      if (edge !== undefined) edges.push(edge);
      x = nextX;
      y = nextY;
    }
  }
}

type Cuts = Map<Edge, number[]>;

function cutAt(cuts: Cuts, edge: Edge, x: number, y: number): boolean {
  if ((x === edge.x1 && y === edge.y1) || (x === edge.x2 && y === edge.y2)) return false;
  const points = cuts.get(edge);
  if (points === undefined) cuts.set(edge, [x, y]);
  else points.push(x, y);
  return true;
}

/** A point that rounds onto an edge cuts it there. */
function cutWhereTouched(cuts: Cuts, edge: Edge, x: number, y: number): boolean {
  const dx = edge.x2 - edge.x1;
  const dy = edge.y2 - edge.y1;
  const along = ((x - edge.x1) * dx + (y - edge.y1) * dy) / (dx * dx + dy * dy);
  if (along <= 0 || along >= 1) return false;
  const offX = Math.abs(edge.x1 + along * dx - x);
  const offY = Math.abs(edge.y1 + along * dy - y);
  return offX <= 0.5 && offY <= 0.5 && cutAt(cuts, edge, x, y);
}

function cutPair(cuts: Cuts, a: Edge, b: Edge): boolean {
  let cut = cutWhereTouched(cuts, a, b.x1, b.y1);
  cut = cutWhereTouched(cuts, a, b.x2, b.y2) || cut;
  cut = cutWhereTouched(cuts, b, a.x1, a.y1) || cut;
  cut = cutWhereTouched(cuts, b, a.x2, a.y2) || cut;
  if (cut) return true;
  const ax = a.x2 - a.x1;
  const ay = a.y2 - a.y1;
  const bx = b.x2 - b.x1;
  const by = b.y2 - b.y1;
  const cross = ax * by - ay * bx;
  if (cross === 0) return false;
  const s = ((b.x1 - a.x1) * by - (b.y1 - a.y1) * bx) / cross;
  const t = ((b.x1 - a.x1) * ay - (b.y1 - a.y1) * ax) / cross;
  if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return false;
  const x = Math.round(a.x1 + s * ax);
  const y = Math.round(a.y1 + s * ay);
  const cutA = cutAt(cuts, a, x, y);
  return cutAt(cuts, b, x, y) || cutA;
}

/** Finds where edges meet, sweeping from left to right. */
function findCuts(edges: readonly Edge[]): Cuts {
  const cuts: Cuts = new Map();
  const sorted = [...edges].sort((a, b) => a.x1 - b.x1);
  let active: Edge[] = [];
  for (const edge of sorted) {
    const top = Math.min(edge.y1, edge.y2);
    const bottom = Math.max(edge.y1, edge.y2);
    active = active.filter(({ x2 }) => x2 >= edge.x1 - 1);
    for (const other of active)
      if (Math.min(other.y1, other.y2) <= bottom + 1 && Math.max(other.y1, other.y2) >= top - 1)
        cutPair(cuts, edge, other);
    active.push(edge);
  }
  return cuts;
}

function applyCuts(edges: readonly Edge[], cuts: Cuts): Edge[] {
  const pieces: Edge[] = [];
  for (const edge of edges) {
    const points = cuts.get(edge);
    if (points === undefined) {
      pieces.push(edge);
      continue;
    }
    const dx = edge.x2 - edge.x1;
    const dy = edge.y2 - edge.y1;
    const order: [number, number][] = [];
    for (let i = 0; i < points.length; i += 2) order.push([points[i]!, points[i + 1]!]);
    order.sort(([ax, ay], [bx, by]) => (ax - bx) * dx + (ay - by) * dy);
    order.push([edge.x2, edge.y2]);
    let x = edge.x1;
    let y = edge.y1;
    for (const [toX, toY] of order) {
      const piece = toEdge(x, y, toX, toY, edge.runsA, edge.runsB);
      if (piece !== undefined) pieces.push(piece);
      x = toX;
      y = toY;
    }
  }
  return merged(pieces);
}

/** Edges that may cross a vertical line, looked up by columns. */
function columnsOf(edges: readonly Edge[]): (x: number) => readonly Edge[] {
  const minX = edges.reduce((min, { x1 }) => Math.min(min, x1), Number.POSITIVE_INFINITY);
  const maxX = edges.reduce((max, { x2 }) => Math.max(max, x2), Number.NEGATIVE_INFINITY);
  const count = Math.max(1, Math.ceil(Math.sqrt(edges.length)));
  const width = (maxX - minX + 1) / count;
  const columns: Edge[][] = Array.from({ length: count }, () => []);
  const at = (x: number) => Math.min(count - 1, Math.max(0, Math.floor((x - minX) / width)));
  for (const edge of edges) for (let k = at(edge.x1); k <= at(edge.x2); k++) columns[k]!.push(edge);
  return (x) => columns[at(x)]!;
}

/**
 * What two regions have in common. Exact but for points that are rounded to 1/1024 unit. Time grows with the number of edges
 * and of their crossings; meant for outlines of up to some ten thousand edges.
 */
export function intersectRegions(a: Region, b: Region): Intersection {
  const drawn: Edge[] = [];
  addRegion(drawn, a, 1, 0);
  addRegion(drawn, b, 0, 1);
  let edges = merged(drawn);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const cuts = findCuts(edges);
    if (cuts.size === 0) break;
    edges = applyCuts(edges, cuts);
  }
  const isInside = (rule: boolean, windings: number) => (rule ? windings % 2 !== 0 : windings !== 0);
  const inBoth = (windingsA: number, windingsB: number) =>
    isInside(a.evenOdd, windingsA) && isInside(b.evenOdd, windingsB);

  const near = columnsOf(edges);
  const kept: Edge[] = [];
  let unchanged = true;
  for (const edge of edges) {
    const vertical = edge.x1 === edge.x2;
    const middleX = (edge.x1 + edge.x2) / 2;
    const middleY = (edge.y1 + edge.y2) / 2;
    let windingsA = 0;
    let windingsB = 0;
    for (const other of near(middleX)) {
      // Left of a vertical edge; else edges that end here count once, for the half-open range.
      const spans = vertical ? other.x1 < middleX && middleX <= other.x2 : other.x1 <= middleX && middleX < other.x2;
      if (!spans || other === edge) continue;
      const y = other.y1 + ((middleX - other.x1) / (other.x2 - other.x1)) * (other.y2 - other.y1);
      if (y >= middleY) continue;
      windingsA += other.runsA;
      windingsB += other.runsB;
    }
    // One side is above the edge (or left of it), the other past it.
    const first = inBoth(windingsA, windingsB);
    const sign = vertical ? -1 : 1;
    const second = inBoth(windingsA + sign * edge.runsA, windingsB + sign * edge.runsB);
    if (first !== second) {
      const forward = second !== vertical;
      kept.push(forward ? edge : { ...edge, x1: edge.x2, y1: edge.y2, x2: edge.x1, y2: edge.y1 });
    }
    const bordersA = isInside(a.evenOdd, windingsA) !== isInside(a.evenOdd, windingsA + sign * edge.runsA);
    if (bordersA !== (first !== second)) unchanged = false;
  }
  return { contours: chained(kept), unchanged };
}

/** Joins directed edges to closed contours. Where several go on from a point, any does: the inside is the same. */
function chained(edges: readonly Edge[]): number[][] {
  const from = new Map<string, Edge[]>();
  for (const edge of edges) {
    const key = `${edge.x1},${edge.y1}`;
    const known = from.get(key);
    if (known === undefined) from.set(key, [edge]);
    else known.push(edge);
  }
  const contours: number[][] = [];
  for (const start of edges) {
    let edge = from.get(`${start.x1},${start.y1}`)?.pop();
    if (edge === undefined) continue;
    const points: number[] = [];
    while (edge !== undefined) {
      points.push(edge.x1 / GRID, edge.y1 / GRID);
      edge = from.get(`${edge.x2},${edge.y2}`)?.pop();
    }
    if (points.length >= 6) contours.push(points);
  }
  return contours;
}
