import { SaxesParser } from 'saxes';
import { ServiceError } from '#domain/errors.js';
import { CAPS } from './caps.js';
import { invalidSvg, type SvgNode } from './svg-node.js';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** What stands in an element of another vocabulary, such as an editor's notes, is passed over with it. */
interface Open {
  /** Undefined where it is passed over. */
  readonly node: SvgNode | undefined;
}

/** `line 3, column 7` */
const placeOf = (parser: { line: number; column: number }) => `line ${parser.line}, column ${parser.column}`;

/**
 * Parses strictly. Comments, processing instructions and what belongs to other vocabularies are left out; any DOCTYPE is
 * refused, and so are documents over the caps, as soon as they are.
 * Throws INVALID_SVG, saying where, and PAYLOAD_TOO_LARGE.
 */
export function parseMarkup(markup: string): SvgNode {
  if (Buffer.byteLength(markup) > CAPS.bytes)
    throw new ServiceError('PAYLOAD_TOO_LARGE', { what: 'The SVG', limitBytes: CAPS.bytes });
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { xlink: XLINK } });
  const stack: Open[] = [];
  let root: SvgNode | undefined;
  let elements = 0;
  let attributes = 0;
  const refuse = (problem: string) => invalidSvg(`${problem} (${placeOf(parser)}).`);

  parser.on('error', (error) => {
    // The parser's message begins with its own form of the place.
    throw refuse(`it is not well-formed: ${error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')}`);
  });
  parser.on('doctype', () => {
    throw refuse('it has a DOCTYPE, which is not accepted; remove it, and any ENTITY with it');
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    if (++elements > CAPS.elements) throw refuse(`it has more than ${CAPS.elements} elements`);
    if (stack.length >= CAPS.depth) throw refuse(`its elements stand more than ${CAPS.depth} deep in one another`);
  });
  parser.on('attribute', ({ name, value }) => {
    if (++attributes > CAPS.attributesPerElement)
      throw refuse(`an element has more than ${CAPS.attributesPerElement} attributes`);
    if (value.length > CAPS.attributeChars && !name.endsWith('href'))
      throw refuse(`the attribute ${name} is longer than ${CAPS.attributeChars} characters`);
  });
  parser.on('opentag', (tag) => {
    const parent = stack.at(-1);
    if (parent === undefined && (tag.local !== 'svg' || (tag.uri !== SVG && tag.uri !== '')))
      throw refuse(`its root is <${tag.name.slice(0, 40)}>; it must be <svg xmlns="${SVG}">`);
    const isSvg = tag.uri === SVG || tag.uri === '';
    if (!isSvg || (parent !== undefined && parent.node === undefined)) {
      stack.push({ node: undefined });
      return;
    }
    const node: SvgNode = { name: tag.local, attributes: new Map(), children: [], line: parser.line };
    for (const { uri, local, value } of Object.values(tag.attributes)) {
      if (uri === '' && local !== 'xmlns') node.attributes.set(local, value);
      else if (uri === XLINK && local === 'href' && !node.attributes.has('href')) node.attributes.set('href', value);
      else if (uri === XML && local === 'space') node.attributes.set('xml:space', value);
    }
    parent?.node?.children.push(node);
    root ??= node;
    stack.push({ node });
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  const addText = (text: string) => {
    const node = stack.at(-1)?.node;
    if (node !== undefined) node.children.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);

  parser.write(markup).close();
  if (root === undefined) throw invalidSvg('it has no root element.');
  return root;
}
