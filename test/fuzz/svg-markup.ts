import { mutateBytes } from '#test/support/mutate-bytes.js';
import type { Choices } from './choices.js';

const ELEMENTS = [
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'switch',
  'a',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
  'tspan',
  'textPath',
  'image',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
  'pattern',
  'marker',
  'style',
  'filter',
  'feGaussianBlur',
  'foreignObject',
  'script',
  'animate',
  'title',
  'metadata',
  'x:y',
  'G',
] as const;
const LENGTHS = [
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'fx',
  'fy',
  'fr',
  'width',
  'height',
  'dx',
  'dy',
  'refX',
  'refY',
  'markerWidth',
  'markerHeight',
  'stroke-width',
  'font-size',
  'offset',
  'opacity',
  'stroke-dashoffset',
  'letter-spacing',
  'stroke-miterlimit',
  'stop-opacity',
  'rotate',
  'startOffset',
  'textLength',
] as const;
const WORDS: Readonly<Record<string, readonly string[]>> = {
  gradientUnits: ['userSpaceOnUse', 'objectBoundingBox'],
  patternUnits: ['userSpaceOnUse', 'objectBoundingBox'],
  patternContentUnits: ['userSpaceOnUse', 'objectBoundingBox'],
  clipPathUnits: ['userSpaceOnUse', 'objectBoundingBox'],
  maskUnits: ['userSpaceOnUse', 'objectBoundingBox'],
  maskContentUnits: ['userSpaceOnUse', 'objectBoundingBox'],
  markerUnits: ['strokeWidth', 'userSpaceOnUse'],
  spreadMethod: ['pad', 'reflect', 'repeat'],
  'fill-rule': ['evenodd', 'nonzero'],
  'stroke-linecap': ['butt', 'round', 'square'],
  'stroke-linejoin': ['miter', 'round', 'bevel', 'arcs'],
  display: ['none', 'inline'],
  visibility: ['hidden', 'visible', 'collapse'],
  overflow: ['visible', 'hidden'],
  'mask-type': ['alpha', 'luminance'],
  'mix-blend-mode': ['multiply', 'normal', 'hue'],
  'vector-effect': ['non-scaling-stroke', 'none'],
  'paint-order': ['stroke', 'markers fill stroke'],
  'text-anchor': ['start', 'middle', 'end'],
  'xml:space': ['preserve', 'default'],
  orient: ['auto', 'auto-start-reverse', '90', '1e9'],
  preserveAspectRatio: ['none', 'xMidYMid slice', 'xMaxYMin meet', 'defer'],
  'font-family': ['DejaVu Sans', 'serif', "'x', monospace", '"'],
  'shape-rendering': ['crispEdges', 'auto'],
  'image-rendering': ['pixelated', 'auto'],
  'writing-mode': ['tb', 'vertical-rl'],
  systemLanguage: ['en', 'xx', ''],
  class: ['a', 'b c', ''],
};
const PAINTS = [
  'fill',
  'stroke',
  'stop-color',
  'color',
  'clip-path',
  'mask',
  'marker-start',
  'marker-mid',
  'marker-end',
  'filter',
  'marker',
] as const;
const COLORS = [
  'none',
  'red',
  '#abc',
  '#12345678',
  'rgb(1,2,3)',
  'rgba(10%,20%,30%,.5)',
  'hsl(10,20%,30%)',
  'currentColor',
  'inherit',
  'context-fill',
  '#12',
  'rgb(',
  'icc-color(x)',
] as const;
const NUMBERS = [
  '0',
  '1',
  '-1',
  '10',
  '99.5',
  '.5',
  '1e3',
  '-1e-3',
  '1e7',
  '1e38',
  '1e40',
  '-1e300',
  '1e999',
  'NaN',
  'Infinity',
  '',
  '1px',
  '50%',
  '2em',
  '1mm',
  '-0',
  '0.0000001',
  '1e-40',
  '3.4e38',
  '2147483648',
  '1e',
  '--1',
] as const;
const ODD_NUMBERS = [
  '0',
  '-1',
  '.5',
  '1e3',
  '-1e-3',
  '50%',
  '2em',
  '1mm',
  '-0',
  '1e-40',
  '1e6',
  '-999999',
  '1e-7',
] as const;
const TEXTS = ['Text', ' ', 'AV\u0301\u200d', '\u{1F600}', 'שלום', '&amp;', '<![CDATA[x]]>', '&#x41;'] as const;
/** No document is well-formed with one of them. */
const ILL_FORMED = ['&#0;', '&x;', ']]>', '<!-- -- -->', '\u0000', '\ufffe', '<', '</g>'] as const;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REFERENCES = [
  '#',
  '#0',
  '#1',
  '#2',
  '#3',
  '#nothing',
  'http://127.0.0.1:9/x',
  'file:///etc/passwd',
  '/etc/passwd',
  `data:image/png;base64,${PIXEL}`,
  'data:image/png;base64,AAAA',
  'data:image/svg+xml,<svg/>',
  'javascript:x',
  '',
] as const;

/** Beyond what is accepted, now and then; odd, and accepted for the most part, more often. */
const numberFrom = (choices: Choices): string => {
  if (choices.chance(0.004)) return choices.pick(NUMBERS);
  if (choices.chance(0.12)) return choices.pick(ODD_NUMBERS);
  return String(Math.round((choices.random() * 140 - 20) * 10) / 10);
};

const numbersFrom = (choices: Choices, most: number) =>
  Array.from({ length: choices.below(most + 1) }, () => numberFrom(choices)).join(choices.pick([' ', ',', ' , ']));

const pathFrom = (choices: Choices): string => {
  let path = choices.chance(0.9) ? 'M' : '';
  for (let commands = choices.below(8); commands > 0; commands--)
    path += `${numbersFrom(choices, 7)} ${choices.pick([...'MmLlHhVvCcSsQqTtAaZz', 'X', ''])}`;
  return path;
};

const transformFrom = (choices: Choices): string =>
  Array.from(
    { length: choices.below(4) },
    () =>
      `${choices.pick(['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY', 'nope'])}(${numbersFrom(choices, 6)})`,
  ).join(' ');

const paintFrom = (choices: Choices): string =>
  choices.chance(0.5)
    ? choices.pick(COLORS)
    : choices.chance(0.7)
      ? `url(#${choices.below(5)})${choices.chance(0.2) ? ' red' : ''}`
      : choices.pick(['url(', 'url("#1', "url('#1')", 'url(http://127.0.0.1:9/#a)', 'url(#)', 'u\\72l(#1)']);

const declarationFrom = (choices: Choices): string => {
  const name = choices.pick([...PAINTS, ...LENGTHS, ...Object.keys(WORDS), 'font', 'stroke-dasharray', '--x', '']);
  const value = choices.pick([
    paintFrom,
    numberFrom,
    (c: Choices) => numbersFrom(c, 5),
    () => "'",
    () => '(',
    () => '/*',
  ])(choices);
  return `${name}:${value}${choices.pick(['', '', ';', '!important', '}'])}`;
};

const sheetFrom = (choices: Choices): string => {
  let text = '';
  for (let rules = choices.below(5); rules > 0; rules--) {
    const selector = choices.pick([
      '*',
      'rect',
      '.a',
      '#0',
      '#1',
      'g > path',
      ':first-child',
      '[x="',
      '@import "x";',
      '@media print',
      '/*',
      '<!--',
      'a,',
      '',
    ]);
    text += `${selector}{${Array.from({ length: choices.below(4) }, () => declarationFrom(choices)).join(';')}${choices.pick(['}', '}', ''])}`;
  }
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
};

const quoted = (text: string) => `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;

const attributesFrom = (choices: Choices, name: string): string => {
  const found = new Map<string, string>();
  if (choices.chance(0.5)) found.set('id', String(choices.below(5)));
  if (name === 'path') found.set('d', pathFrom(choices));
  if (name === 'polygon' || name === 'polyline') found.set('points', numbersFrom(choices, 12));
  if (
    ['use', 'image', 'textPath', 'a', 'linearGradient', 'radialGradient', 'pattern'].includes(name) &&
    choices.chance(0.8)
  )
    found.set(choices.pick(['href', 'xlink:href']), choices.pick(REFERENCES));
  for (let more = choices.below(7); more > 0; more--) {
    const kind = choices.below(12);
    if (kind < 5) found.set(choices.pick(LENGTHS), numberFrom(choices));
    else if (kind < 7) found.set(choices.pick(PAINTS), paintFrom(choices));
    else if (kind === 7) {
      const word = choices.pick(Object.keys(WORDS));
      found.set(word, choices.pick(WORDS[word]!));
    } else if (kind === 8)
      found.set(choices.pick(['transform', 'gradientTransform', 'patternTransform']), transformFrom(choices));
    else if (kind === 9) found.set('viewBox', numbersFrom(choices, 5));
    else if (kind === 10) found.set('stroke-dasharray', numbersFrom(choices, 6));
    else found.set('style', Array.from({ length: choices.below(4) }, () => declarationFrom(choices)).join(';'));
  }
  return [...found].map(([key, value]) => ` ${key}=${quoted(value)}`).join('');
};

const elementFrom = (choices: Choices, depth: number): string => {
  const name = choices.pick(ELEMENTS);
  const attributes = attributesFrom(choices, name);
  if (name === 'style') return `<style>${sheetFrom(choices)}</style>`;
  let inner = choices.chance(0.15) ? choices.pick(TEXTS) : choices.chance(0.005) ? choices.pick(ILL_FORMED) : '';
  if (name === 'text' || name === 'tspan') inner += choices.pick(TEXTS);
  for (let children = depth > 5 ? 0 : choices.below(4); children > 0; children--)
    inner += elementFrom(choices, depth + 1);
  return inner === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`;
};

/** A document from the grammar: real elements and attributes, with values that are right, strange and wrong. */
export function generateMarkup(choices: Choices): string {
  const size = choices.chance(0.8)
    ? ' width="100" height="80"'
    : ` width=${quoted(numberFrom(choices))} height=${quoted(numberFrom(choices))}`;
  const box = choices.chance(0.4)
    ? ` viewBox=${quoted(choices.chance(0.7) ? '0 0 100 80' : numbersFrom(choices, 4))}`
    : '';
  let inner = '';
  for (let children = 1 + choices.below(6); children > 0; children--) inner += elementFrom(choices, 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="urn:x"${size}${box}>${inner}</svg>`;
}

/** A real document with tags, attributes and numbers exchanged, doubled and taken out; or with bytes changed. */
export function mutateMarkup(markup: string, choices: Choices): string {
  if (choices.chance(0.3)) return Buffer.from(mutateBytes(Buffer.from(markup), choices.random)).toString('utf8');
  const parts = markup.split(/(?=<)|(?<=>)/);
  for (let changes = 1 + choices.below(5); changes > 0; changes--) {
    const at = choices.below(parts.length);
    const chosen = parts[at] ?? '';
    switch (choices.below(5)) {
      case 0:
        parts.splice(at, 1);
        break;
      case 1:
        parts.splice(choices.below(parts.length + 1), 0, chosen);
        break;
      case 2:
        parts.splice(at, 0, elementFrom(choices, 3));
        break;
      case 3:
        parts[at] = chosen.replace(/-?[\d.]+/g, (number) => (choices.chance(0.3) ? numberFrom(choices) : number));
        break;
      default:
        parts[at] = chosen.replace(/"[^"]*"/g, (value) => (choices.chance(0.2) ? quoted(paintFrom(choices)) : value));
    }
  }
  return parts.join('');
}
