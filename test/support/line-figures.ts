/** Line drawings on 24 units, as icon sets have them, and what is to be told of each. */
export interface LineFigure {
  readonly name: string;
  readonly cap: 'round' | 'butt';
  readonly join: 'round' | 'miter';
  /** Path data, one stroke each, all two units wide. */
  readonly paths: readonly string[];
}

export const LINE_FIGURES: readonly LineFigure[] = [
  { name: 'arrow', cap: 'round', join: 'round', paths: ['M4 12h16', 'M14 6l6 6l-6 6'] },
  {
    name: 'ring with spokes',
    cap: 'round',
    join: 'round',
    paths: ['M12 5a7 7 0 1 0 .001 0z', 'M12 2v3', 'M19 12h3', 'M2 12h3'],
  },
  { name: 'frame', cap: 'butt', join: 'miter', paths: ['M4 5h16v14h-16z', 'M4 10h16', 'M9 10v9'] },
  {
    name: 'rounded frame',
    cap: 'round',
    join: 'round',
    paths: ['M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2z', 'M8 12h8'],
  },
  { name: 'crossing', cap: 'butt', join: 'miter', paths: ['M3 4l18 15', 'M21 4l-18 15', 'M2 12h20'] },
  { name: 'wave', cap: 'round', join: 'round', paths: ['M3 8c3 -5 6 -5 9 0s6 5 9 0', 'M3 17c3 -5 6 -5 9 0s6 5 9 0'] },
  { name: 'zigzag', cap: 'butt', join: 'miter', paths: ['M3 18l6 -12l6 12l6 -12'] },
  {
    name: 'bracket in a corner',
    cap: 'round',
    join: 'round',
    paths: ['M19 4h-11a3 3 0 0 0 -3 3v10a3 3 0 0 1 3 -3h11', 'M5 17a3 3 0 0 0 3 3h11'],
  },
  {
    name: 'dashes',
    cap: 'butt',
    join: 'round',
    paths: ['M3 6h4', 'M10 6h4', 'M17 6h4', 'M3 12h4', 'M10 12h4', 'M17 12h4', 'M3 19h18'],
  },
];

export const figureSvg = ({ cap, join, paths }: LineFigure, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><rect width="24" height="24" fill="#fff"/>${more}<g fill="none" stroke="#123" stroke-width="2" stroke-linecap="${cap}" stroke-linejoin="${join}">${paths.map((d) => `<path d="${d}"/>`).join('')}</g></svg>`;
