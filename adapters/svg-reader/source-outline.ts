import svgpath from 'svgpath';
import type { Geometry, PathVisitor } from '#domain/drawing/drawing.js';
import type { OutlineWriter } from '#domain/drawing/outline-writer.js';
import { plainNumber } from './parse-values.js';
import type { SvgNode } from './svg-node.js';

/** Path text as commands. False, with nothing passed on, where it is not all right. */
export function putPathText(text: string, to: PathVisitor): boolean {
  const path = svgpath(text).abs().unshort();
  if ((path as unknown as { err: string }).err !== '') return false;
  path.iterate((segment, _index, x, y) => {
    const [letter, ...n] = segment as [string, ...number[]];
    switch (letter) {
      case 'M':
        to.move(n[0]!, n[1]!);
        break;
      case 'L':
        to.line(n[0]!, n[1]!);
        break;
      case 'H':
        to.line(n[0]!, y);
        break;
      case 'V':
        to.line(x, n[0]!);
        break;
      case 'Q':
        to.quadratic(n[0]!, n[1]!, n[2]!, n[3]!);
        break;
      case 'C':
        to.cubic(n[0]!, n[1]!, n[2]!, n[3]!, n[4]!, n[5]!);
        break;
      case 'A':
        to.arc(n[0]!, n[1]!, n[2]!, n[3] !== 0, n[4] !== 0, n[5]!, n[6]!);
        break;
      case 'z':
      case 'Z':
        to.close();
        break;
    }
  });
  return true;
}

/**
 * The outline as the document itself states it, exactly; undefined where it takes more than plain numbers to know it (lengths
 * with units, radii that differ), and the normalised outline must do.
 */
export function sourceOutline(node: SvgNode, evenOdd: boolean, out: OutlineWriter): Geometry | undefined {
  const number = (name: string, otherwise?: number) =>
    node.attributes.has(name) ? plainNumber(node.attributes.get(name)) : otherwise;
  switch (node.name) {
    case 'path':
      return putPathText(node.attributes.get('d') ?? '', out) ? out.path(evenOdd) : undefined;
    case 'circle': {
      const [cx, cy, r] = [number('cx', 0), number('cy', 0), number('r')];
      return cx === undefined || cy === undefined || r === undefined ? undefined : { kind: 'circle', cx, cy, r };
    }
    case 'ellipse': {
      const [cx, cy, rx, ry] = [number('cx', 0), number('cy', 0), number('rx'), number('ry')];
      if (cx === undefined || cy === undefined || rx === undefined || ry === undefined) return undefined;
      return { kind: 'ellipse', cx, cy, rx, ry, rotation: 0 };
    }
    case 'rect': {
      const [x, y, width, height] = [number('x', 0), number('y', 0), number('width'), number('height')];
      const rx = number('rx', number('ry', 0));
      const ry = number('ry', rx);
      if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
      if (rx === undefined || rx !== ry || rx < 0 || rx > width / 2 || rx > height / 2) return undefined;
      return { kind: 'rect', x, y, width, height, radius: rx };
    }
    default:
      return undefined;
  }
}
