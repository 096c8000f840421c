const PAINT =
  'fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity';
/** The part of each version that still pictures are made of: elements, and the attributes each may have. */
const FULL = {
  svg: 'xmlns xmlns:xlink version viewBox width height preserveAspectRatio shape-rendering',
  title: '',
  defs: '',
  g: `id opacity clip-path mask transform ${PAINT}`,
  path: `id d clip-rule ${PAINT}`,
  circle: `id cx cy r clip-rule ${PAINT}`,
  ellipse: `id cx cy rx ry transform clip-rule ${PAINT}`,
  rect: `id x y width height rx ry clip-rule ${PAINT}`,
  linearGradient: 'id gradientUnits x1 y1 x2 y2 gradientTransform spreadMethod',
  radialGradient: 'id gradientUnits cx cy r fx fy gradientTransform spreadMethod',
  stop: 'offset stop-color stop-opacity',
  clipPath: 'id clipPathUnits',
  mask: 'id maskUnits x y width height',
  image: 'x y width height transform preserveAspectRatio image-rendering xlink:href',
};
export const TINY = {
  svg: 'xmlns xmlns:xlink version baseProfile viewBox width height preserveAspectRatio shape-rendering',
  title: '',
  defs: '',
  g: `id transform vector-effect ${PAINT}`,
  path: `id d vector-effect ${PAINT}`,
  circle: `id cx cy r vector-effect ${PAINT}`,
  ellipse: `id cx cy rx ry transform vector-effect ${PAINT}`,
  rect: `id x y width height rx ry vector-effect ${PAINT}`,
  linearGradient: 'id gradientUnits x1 y1 x2 y2',
  radialGradient: 'id gradientUnits cx cy r',
  stop: 'offset stop-color stop-opacity',
  image: 'x y width height transform preserveAspectRatio image-rendering xlink:href',
};
export const VERSIONS = { '1.0': FULL, '1.1': FULL, 'tiny1.2': TINY } as const;

/** What a document has that its version has not. */
export function breachesOf(
  text: string,
  allowed: Readonly<Record<string, string>>,
): { elements: number; breaches: string[] } {
  const breaches: string[] = [];
  let elements = 0;
  for (const [, name, attributes] of text.matchAll(/<([a-zA-Z]+)((?: [a-zA-Z:-]+="[^"]*")*)\s*\/?>/g)) {
    elements++;
    const known = allowed[name!];
    if (known === undefined) breaches.push(name!);
    else
      for (const [, attribute, value] of attributes!.matchAll(/ ([a-zA-Z:-]+)="([^"]*)"/g)) {
        if (!known.split(' ').includes(attribute!)) breaches.push(`${name} ${attribute}`);
        if (allowed === TINY && attribute === 'd' && /a/i.test(value!)) breaches.push('an arc');
      }
  }
  return { elements, breaches };
}
