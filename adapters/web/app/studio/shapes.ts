/** Outlines and nodes of a drawing, read from its markup, to be drawn over the picture. */

export interface Outlines {
  readonly outline: Path2D;
  /** x, y of every node, in units of the drawing. */
  readonly nodes: Float32Array;
}

const ARGUMENTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, q: 4, t: 2, c: 6, s: 4, a: 7, z: 0 };
const TOKENS = /([mlhvqtcsaz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/gi;

/** Ends of the segments of path data. Arc flags may stand without a separator, so they are cut off the number they stand in. */
export function nodesOfPath(data: string, add: (x: number, y: number) => void): void {
  const tokens = data.match(TOKENS) ?? [];
  let at = 0;
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let command = '';
  const flag = (): void => {
    const token = tokens[at] as string;
    if (token.length > 1) tokens[at] = token.slice(1);
    else at++;
  };
  const number = () => Number(tokens[at++]);
  while (at < tokens.length) {
    const token = tokens[at] as string;
    if (/[a-z]/i.test(token) && token.length === 1) {
      command = token;
      at++;
    } else if (command === 'm') command = 'l';
    else if (command === 'M') command = 'L';
    const kind = command.toLowerCase();
    const count = ARGUMENTS[kind];
    // What is no path is not drawn further; it cannot come from this service.
    if (count === undefined) return;
    if (kind === 'z') {
      [x, y] = [startX, startY];
      continue;
    }
    const isRelative = command === kind;
    const [baseX, baseY] = isRelative ? [x, y] : [0, 0];
    if (kind === 'h') x = baseX + number();
    else if (kind === 'v') y = baseY + number();
    else {
      if (kind === 'a') {
        at += 3;
        flag();
        flag();
      } else at += count - 2;
      x = baseX + number();
      y = baseY + number();
    }
    if (Number.isNaN(x + y)) return;
    if (kind === 'm') [startX, startY] = [x, y];
    add(x, y);
  }
}

/** Reads markup that this service wrote. The parsed document is never shown, so nothing in it can run. */
export function readOutlines(svg: string): Outlines {
  const outline = new Path2D();
  const nodes: number[] = [];
  const add = (x: number, y: number) => nodes.push(x, y);
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  for (const element of root.querySelectorAll('path, circle, ellipse, rect')) {
    if (element.closest('clipPath, mask, defs') !== null) continue;
    const number = (name: string) => Number(element.getAttribute(name) ?? 0);
    switch (element.localName) {
      case 'path': {
        const data = element.getAttribute('d') ?? '';
        outline.addPath(new Path2D(data));
        nodesOfPath(data, add);
        break;
      }
      case 'rect': {
        const [left, top, width, height] = [number('x'), number('y'), number('width'), number('height')];
        const rect = new Path2D();
        rect.roundRect(left, top, width, height, number('rx'));
        outline.addPath(rect);
        for (const x of [left, left + width]) for (const y of [top, top + height]) add(x, y);
        break;
      }
      default: {
        const [cx, cy] = [number('cx'), number('cy')];
        const [rx, ry] = element.localName === 'circle' ? [number('r'), number('r')] : [number('rx'), number('ry')];
        const degrees = Number(/rotate\(([-\d.]+)/.exec(element.getAttribute('transform') ?? '')?.[1] ?? 0);
        const turn = (degrees * Math.PI) / 180;
        const round = new Path2D();
        round.ellipse(cx, cy, rx, ry, turn, 0, 2 * Math.PI);
        outline.addPath(round);
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        for (const [dx, dy] of [
          [rx, 0],
          [0, ry],
          [-rx, 0],
          [0, -ry],
        ] as const)
          add(cx + dx * cos - dy * sin, cy + dx * sin + dy * cos);
      }
    }
  }
  return { outline, nodes: Float32Array.from(nodes) };
}
