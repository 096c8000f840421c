import { OUTLINE_ELEMENTS } from './allowlist.js';
import { CAPS } from './caps.js';
import { elementsOf, invalidSvg, type SvgNode } from './svg-node.js';

/** What an element becomes once everything it refers to stands in its place. */
interface Expansion {
  readonly elements: number;
  readonly references: number;
  readonly depth: number;
}

const MARKERS = ['marker-start', 'marker-mid', 'marker-end', 'marker'];
const REFERENCE = /#([nx]\d+r?)/g;

/** Points of an outline, at most: as many as numbers are written. */
function pointsOf(node: SvgNode): number {
  const text = node.attributes.get('d') ?? node.attributes.get('points') ?? '';
  return Math.max(4, text.match(/\d[\d.]*/g)?.length ?? 0);
}

/**
 * Counts what references make of a document before anybody follows them. Throws INVALID_SVG where it is over the caps or where
 * something refers to itself.
 */
export function checkReferences(root: SvgNode, markersOfStyles: readonly string[]): void {
  const byId = new Map<string, SvgNode>();
  const collect = (node: SvgNode) => {
    const id = node.attributes.get('id');
    if (id !== undefined) byId.set(id, node);
    for (const child of elementsOf(node)) collect(child);
  };
  collect(root);

  const known = new Map<SvgNode, Expansion>();
  const open = new Set<SvgNode>();

  const expand = (node: SvgNode, depth: number): Expansion => {
    const done = known.get(node);
    if (done !== undefined) {
      if (depth + done.depth > CAPS.expandedDepth) throw tooDeep(node);
      return done;
    }
    if (depth > CAPS.expandedDepth) throw tooDeep(node);
    if (open.has(node)) throw invalidSvg(`<${node.name}> refers to itself (line ${node.line}).`);
    open.add(node);
    let elements = 1;
    let references = 0;
    let below = 0;
    const add = (target: SvgNode, times: number, counts: boolean) => {
      const expansion = expand(target, depth + 1);
      elements += times * expansion.elements;
      references += times * (expansion.references + (counts ? 1 : 0));
      below = Math.max(below, expansion.depth + 1);
    };
    for (const child of elementsOf(node)) add(child, 1, false);
    for (const [name, value] of node.attributes) {
      if (name === 'id' || name === 'd' || name === 'points' || !value.includes('#')) continue;
      for (const [, id] of value.matchAll(REFERENCE)) {
        const target = byId.get(id!);
        if (target === undefined || target === node) {
          if (target === node) throw invalidSvg(`<${node.name}> refers to itself (line ${node.line}).`);
          continue;
        }
        const isMarker = target.name === 'marker' && (MARKERS.includes(name) || name === 'style');
        // A gradient stands for itself however often it is used.
        if (/Gradient$/.test(target.name)) expand(target, depth + 1);
        else add(target, isMarker ? pointsOf(node) : 1, true);
      }
    }
    if (OUTLINE_ELEMENTS.has(node.name))
      for (const id of markersOfStyles) {
        const marker = byId.get(id);
        if (marker !== undefined && !open.has(marker)) add(marker, pointsOf(node), true);
      }
    open.delete(node);
    const expansion = { elements, references, depth: below };
    known.set(node, expansion);
    return expansion;
  };

  const { elements, references } = expand(root, 0);
  if (references > CAPS.references)
    throw invalidSvg(`its references show ${shown(references)} things; at most ${CAPS.references} are accepted.`);
  if (elements > CAPS.elements)
    throw invalidSvg(`its references make ${shown(elements)} elements of it; at most ${CAPS.elements} are accepted.`);
}

const shown = (count: number) => (count > 1e12 ? 'more than a million million' : String(count));

const tooDeep = (node: SvgNode) =>
  invalidSvg(`following its references leads more than ${CAPS.expandedDepth} elements deep (line ${node.line}).`);
