import { ServiceError } from '#domain/errors.js';

/** An element of a document. */
export interface SvgNode {
  /** Without prefix. */
  readonly name: string;
  /** By name without prefix; `xlink:href` is `href`, and `xml:space` keeps its prefix. */
  readonly attributes: Map<string, string>;
  readonly children: (SvgNode | string)[];
  readonly line: number;
}

export const isNode = (child: SvgNode | string): child is SvgNode => typeof child !== 'string';

export const elementsOf = (node: SvgNode): SvgNode[] => node.children.filter(isNode);

export const textOf = (node: SvgNode): string => node.children.map((child) => (isNode(child) ? '' : child)).join('');

export const invalidSvg = (problem: string, cause?: unknown) => new ServiceError('INVALID_SVG', { problem }, { cause });

const escapeText = (text: string) =>
  text.replace(/[&<>"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&quot;'));

/** The markup of an element and all within it, every value escaped anew. */
export function markupOf(root: SvgNode): string {
  const parts: string[] = [];
  const write = (node: SvgNode) => {
    parts.push('<', node.name);
    for (const [name, value] of node.attributes) parts.push(' ', name, '="', escapeText(value), '"');
    if (node.children.length === 0) {
      parts.push('/>');
      return;
    }
    parts.push('>');
    for (const child of node.children) {
      if (isNode(child)) write(child);
      else parts.push(escapeText(child));
    }
    parts.push('</', node.name, '>');
  };
  write(root);
  return parts.join('');
}
