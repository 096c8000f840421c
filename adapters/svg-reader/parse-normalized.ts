import { SaxesParser } from 'saxes';
import { invalidSvg, type SvgNode } from './svg-node.js';

/** The tree of normalised markup, which is of the normaliser's own making; text is left out, `xlink:href` is `href`. */
export function parseNormalized(markup: string): SvgNode {
  const parser = new SaxesParser();
  const stack: SvgNode[] = [];
  let root: SvgNode | undefined;
  parser.on('error', (error) => {
    throw invalidSvg('it cannot be resolved.', error);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node: SvgNode = { name, attributes: new Map(Object.entries(attributes)), children: [], line: parser.line };
    const href = node.attributes.get('xlink:href');
    if (href !== undefined) node.attributes.set('href', href);
    stack.at(-1)?.children.push(node);
    root ??= node;
    stack.push(node);
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.write(markup).close();
  if (root === undefined) throw invalidSvg('it cannot be resolved.');
  return root;
}
