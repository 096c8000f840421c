import type { Contour, Segment } from './contours.js';

/** Nodes nearer than this are one, in the file's unit. */
const SAME_NODE = 1e-6;

const keyOf = (x: number, y: number) => `${Math.round(x / SAME_NODE)},${Math.round(y / SAME_NODE)}`;

/**
 * A contour taken apart where it comes back to one of its own nodes, so that no node of a part has more than two neighbors:
 * whoever links pieces by their ends can then link them in one way only. The parts cover what the contour did. Pieces that
 * run forth and back, and pieces without length, go.
 */
export function simpleLoops(contour: Contour): readonly Contour[] {
  const loops: Contour[] = [];
  // The walk so far, without the loops that were taken out: nodes, and the segment that led to each.
  let nodes: { x: number; y: number; key: string }[] = [
    { x: contour.x, y: contour.y, key: keyOf(contour.x, contour.y) },
  ];
  let path: Segment[] = [];
  const indexOf = new Map<string, number>([[nodes[0]!.key, 0]]);
  for (const segment of contour.segments) {
    const key = keyOf(segment.x, segment.y);
    if (key === nodes[nodes.length - 1]!.key) continue;
    const known = indexOf.get(key);
    if (known === undefined) {
      indexOf.set(key, nodes.length);
      nodes.push({ x: segment.x, y: segment.y, key });
      path.push(segment);
      continue;
    }
    const loop = [...path.slice(known), segment];
    const { x, y } = nodes[known]!;
    const forthAndBack = loop.length < 3 && loop.every(({ bulge, controls }) => bulge === 0 && controls === undefined);
    if (!forthAndBack) loops.push({ x, y, segments: closedOn(loop, x, y), closed: true });
    for (const node of nodes.slice(known + 1)) indexOf.delete(node.key);
    nodes = nodes.slice(0, known + 1);
    path = path.slice(0, known);
  }
  if (path.length > 0) loops.push({ x: contour.x, y: contour.y, segments: path, closed: false });
  return loops;
}

/** The last segment ends exactly where the loop began. */
const closedOn = (loop: readonly Segment[], x: number, y: number): readonly Segment[] => [
  ...loop.slice(0, -1),
  { ...loop[loop.length - 1]!, x, y },
];
