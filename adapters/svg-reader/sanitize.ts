import {
  ATTRIBUTES,
  ELEMENTS,
  isNumeric,
  isSilentAttribute,
  OUTLINE_ELEMENTS,
  PROPERTIES,
  SILENT_ELEMENTS,
  SILENT_PROPERTIES,
} from './allowlist.js';
import { CAPS } from './caps.js';
import { firstFamilyOf, firstFamilyOfShorthand } from './fonts.js';
import { numbersOf, plainNumber } from './parse-values.js';
import { type CheckValue, keptDeclarations, keptStyleSheet } from './style-sheet.js';
import { invalidSvg, isNode, type SvgNode, textOf } from './svg-node.js';
import type { WarningList } from './warning-list.js';

/** A document rebuilt from what is allowed, with ids of our own; and what the normaliser does not pass on. */
export interface SanitizedSvg {
  readonly root: SvgNode;
  /** Elements with an outline of their own, by their new id. */
  readonly outlines: ReadonlyMap<string, SvgNode>;
  /** Those of them whose stroke keeps its width. */
  readonly nonScaling: ReadonlySet<string>;
  /** Masks that go by opacity. */
  readonly alphaMasks: ReadonlySet<string>;
  /** Images with their data, still as text. */
  readonly images: readonly { readonly node: SvgNode; readonly data: string }[];
  /** Styles can name these, so they are looked at as if every element did. */
  readonly markersOfStyles: readonly string[];
  readonly texts: number;
  /** The families that are asked for first, and every character of a text. */
  readonly families: ReadonlySet<string>;
  readonly characters: ReadonlySet<string>;
}

const HOLDS_TEXT = new Set(['text', 'tspan', 'textPath', 'style']);
const ANIMATIONS = new Set(['animate', 'animateTransform', 'animateMotion', 'animateColor', 'set', 'mpath', 'discard']);
const FILTER_PART = /^(filter|fe[A-Z]\w*)$/;
const DATA_IMAGE = /^\s*data:image\/(png|jpe?g|webp)(?:;[\w=-]+)*;base64,/i;
const URL_START = /url\s*\(/gi;
const LOCAL_URL = /url\(\s*(['"]?)#([^'"()\\]+)\1\s*\)/gi;

/** Rebuilds a document so that nothing in it leads out of it, runs, or names what is not allowed. Throws INVALID_SVG. */
export function sanitize(source: SvgNode, warnings: WarningList): SanitizedSvg {
  const newIds = newIdsOf(source);
  const turning = turningMarkers(newIds);
  const outlines = new Map<string, SvgNode>();
  const nonScaling = new Set<string>();
  const alphaMasks = new Set<string>();
  const images: { node: SvgNode; data: string }[] = [];
  const markersOfStyles: string[] = [];
  const families = new Set<string>();
  const characters = new Set<string>();
  let texts = 0;
  let extraIds = 0;
  let styleChars = 0;

  /** `owner` is undefined in a style sheet. */
  const checkFor =
    (owner: { readonly id: string | undefined; readonly line: number } | undefined): CheckValue =>
    (property, value) => {
      if (/[\\{}<>]/.test(value)) {
        warnings.add('attribute-dropped', property);
        return undefined;
      }
      if (isNumeric(property)) checkNumbers(property, value, owner?.line);
      const references = value.match(URL_START)?.length ?? 0;
      if (references !== (value.match(LOCAL_URL)?.length ?? 0)) {
        warnings.add('external-reference-dropped');
        return undefined;
      }
      if (property === 'font-family' || property === 'font') {
        const family = property === 'font' ? firstFamilyOfShorthand(value) : firstFamilyOf(value);
        if (family !== undefined) families.add(family);
      }
      const renamed = value.replace(LOCAL_URL, (_, __, id: string) => `url(#${newIds.get(id.trim())?.id ?? 'none'})`);
      const plain = value.trim().toLowerCase();
      switch (property) {
        case 'marker-start':
          return renamed.replace(/#(n\d+)\)/g, (all, id: string) => (turning.has(id) ? `#${id}${REVERSED})` : all));
        case 'vector-effect':
          if (plain === 'non-scaling-stroke' && owner?.id !== undefined) nonScaling.add(owner.id);
          else if (plain !== 'none') warnings.add('attribute-dropped', property);
          return undefined;
        case 'mask-type':
          if (plain === 'alpha' && owner?.id !== undefined) alphaMasks.add(owner.id);
          return undefined;
        case 'mix-blend-mode':
          if (plain !== 'normal') warnings.add('blend-mode-dropped');
          return undefined;
        case 'isolation':
          return undefined;
        case 'image-rendering':
          // The normaliser knows the old word for it only.
          return plain === 'pixelated' || plain === 'crisp-edges' ? 'optimizeSpeed' : renamed;
      }
      if (owner === undefined && property.startsWith('marker'))
        for (const [, id] of renamed.matchAll(/url\(#(n\d+r?)\)/g)) markersOfStyles.push(id!);
      return renamed;
    };

  const localHref = (value: string): string | undefined => {
    const id = /^\s*#(.+?)\s*$/.exec(value)?.[1];
    if (id === undefined) {
      warnings.add('external-reference-dropped');
      return undefined;
    }
    return `#${newIds.get(id)?.id ?? 'none'}`;
  };

  const rebuildAttributes = (node: SvgNode, rebuilt: SvgNode, id: string | undefined): void => {
    const check = checkFor({ id, line: node.line });
    for (const [name, value] of node.attributes) {
      if (isNumeric(name)) checkNumbers(name, value, node.line);
      if (ATTRIBUTES.has(name)) rebuilt.attributes.set(name, value);
      else if (PROPERTIES.has(name)) {
        const checked = check(name, value);
        if (checked !== undefined) rebuilt.attributes.set(name, checked);
      } else if (name === 'style') {
        const style = keptDeclarations(value, check, warnings);
        if (style !== '') rebuilt.attributes.set('style', style);
      } else if (name === 'filter') {
        if (value.trim() !== 'none') warnings.add('filter-dropped');
      } else if (/^on/i.test(name)) warnings.add('script-dropped');
      else if (name === 'href') rebuildHref(node, rebuilt, value);
      else if (!isSilentAttribute(name) && !SILENT_PROPERTIES.has(name)) warnings.add('attribute-dropped', name);
    }
  };

  const rebuildHref = (node: SvgNode, rebuilt: SvgNode, value: string): void => {
    if (node.name === 'a') {
      if (/^\W*javascript\W*:/i.test(value)) warnings.add('script-dropped');
    } else if (node.name === 'image') {
      if (DATA_IMAGE.test(value)) images.push({ node: rebuilt, data: value.slice(value.indexOf(',') + 1) });
      else if (/^\s*data:/i.test(value)) warnings.add('image-dropped', 'not a base64 PNG, JPEG or WEBP');
      else warnings.add('external-reference-dropped');
    } else {
      const href = localHref(value);
      if (href !== undefined) rebuilt.attributes.set('xlink:href', href);
    }
  };

  const rebuild = (node: SvgNode): SvgNode | undefined => {
    if (!ELEMENTS.has(node.name)) {
      if (node.name === 'script') warnings.add('script-dropped');
      else if (ANIMATIONS.has(node.name)) warnings.add('animation-dropped');
      // A filter is told of where it is used.
      else if (!SILENT_ELEMENTS.has(node.name) && !FILTER_PART.test(node.name))
        warnings.add('element-dropped', node.name);
      return undefined;
    }
    const own = node.attributes.get('id');
    const known = own === undefined ? undefined : newIds.get(own);
    let id = known?.node === node ? known.id : undefined;
    if (id === undefined && (OUTLINE_ELEMENTS.has(node.name) || node.name === 'mask')) id = `x${++extraIds}`;
    const rebuilt: SvgNode = {
      name: node.name === 'a' ? 'g' : node.name,
      attributes: new Map(),
      children: [],
      line: node.line,
    };
    if (id !== undefined) rebuilt.attributes.set('id', id);
    rebuildAttributes(node, rebuilt, id);
    if (id !== undefined && OUTLINE_ELEMENTS.has(node.name)) outlines.set(id, rebuilt);
    if (node.name === 'text') texts++;
    if (node.name === 'style') {
      const text = textOf(node);
      styleChars += text.length;
      if (styleChars > CAPS.styleChars)
        throw invalidSvg(`its style sheets are longer than ${CAPS.styleChars} characters (line ${node.line}).`);
      rebuilt.children.push(keptStyleSheet(text, checkFor(undefined), (name) => newIds.get(name)?.id, warnings));
      return rebuilt;
    }
    for (const child of node.children) {
      if (!isNode(child)) {
        if (!HOLDS_TEXT.has(node.name)) continue;
        rebuilt.children.push(child);
        for (const character of child) characters.add(character);
        continue;
      }
      const kept = rebuild(child);
      if (kept === undefined) continue;
      rebuilt.children.push(kept);
      const keptId = kept.attributes.get('id');
      if (keptId !== undefined && turning.has(keptId)) rebuilt.children.push(...turnedAtStart(kept, keptId));
    }
    // An image without a picture would be asked for its size.
    return rebuilt;
  };

  const root = rebuild(source)!;
  dropEmptyImages(root, new Set(images.map(({ node }) => node)));
  return { root, outlines, nonScaling, alphaMasks, images, markersOfStyles, texts, families, characters };
}

/** Behind the id of a marker, for its twin that looks the other way. */
const REVERSED = 'r';

/** Markers that look backwards at the start of a line, which the normaliser does not know of. */
function turningMarkers(
  ids: ReadonlyMap<string, { readonly id: string; readonly node: SvgNode }>,
): ReadonlySet<string> {
  const markers = [...ids.values()].filter(
    ({ node }) => node.name === 'marker' && node.attributes.get('orient')?.trim() === 'auto-start-reverse',
  );
  return new Set(markers.map(({ id }) => id));
}

/** Makes the marker a plain one, and gives its twin for the start of lines. */
function turnedAtStart(marker: SvgNode, id: string): readonly SvgNode[] {
  marker.attributes.set('orient', 'auto');
  const [x, y] = ['refX', 'refY'].map((name) => plainNumber(marker.attributes.get(name)) ?? 0);
  const turned: SvgNode = {
    name: 'g',
    attributes: new Map([['transform', `rotate(180 ${x} ${y})`]]),
    children: marker.children,
    line: marker.line,
  };
  const attributes = new Map(marker.attributes).set('id', `${id}${REVERSED}`).set('overflow', 'visible');
  return [{ ...marker, attributes, children: [turned] }];
}

function dropEmptyImages(node: SvgNode, kept: ReadonlySet<SvgNode>): void {
  for (let i = node.children.length - 1; i >= 0; i--) {
    const child = node.children[i]!;
    if (!isNode(child)) continue;
    if (child.name === 'image' && !kept.has(child)) node.children.splice(i, 1);
    else dropEmptyImages(child, kept);
  }
}

/** Only such numbers can be too large; looking for them costs less than reading them all. */
const MAYBE_LARGE = /\d{8}|\de\+?\d|infinity|nan/i;

function checkNumbers(name: string, value: string, line: number | undefined): void {
  if (!MAYBE_LARGE.test(value)) return;
  const large = numbersOf(value).find((number) => !(Math.abs(number) <= CAPS.number));
  if (large === undefined) return;
  const place = line === undefined ? 'in a style sheet' : `line ${line}`;
  throw invalidSvg(`${name} holds the number ${large}; at most ${CAPS.number} are accepted (${place}).`);
}

/** A new id for every id of the document; where several elements have one, it is the first's. */
function newIdsOf(root: SvgNode): ReadonlyMap<string, { readonly id: string; readonly node: SvgNode }> {
  const ids = new Map<string, { id: string; node: SvgNode }>();
  const collect = (node: SvgNode) => {
    const id = node.attributes.get('id');
    if (id !== undefined && !ids.has(id)) ids.set(id, { id: `n${ids.size + 1}`, node });
    for (const child of node.children) if (isNode(child)) collect(child);
  };
  collect(root);
  return ids;
}
