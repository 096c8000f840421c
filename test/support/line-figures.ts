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

/** Figures whose lines meet where their skeleton is not their middle: at sharp corners, many at one place, one running into another. */
export const KNOTTED_FIGURES: readonly LineFigure[] = [
  { name: 'W', cap: 'round', join: 'round', paths: ['M3 5l4 14l5 -13l5 13l4 -14'] },
  { name: 'A', cap: 'round', join: 'round', paths: ['M5 20l7 -16l7 16', 'M7.5 14h9'] },
  { name: 'M with sharp points', cap: 'butt', join: 'miter', paths: ['M4 20v-15l8 11l8 -11v15'] },
  { name: 'asterisk', cap: 'round', join: 'round', paths: ['M12 3v18', 'M4.2 7.5l15.6 9', 'M4.2 16.5l15.6 -9'] },
  { name: 'star of eight', cap: 'butt', join: 'miter', paths: ['M12 2v20', 'M2 12h20', 'M5 5l14 14', 'M5 19l14 -14'] },
  { name: 'lines running into each other', cap: 'round', join: 'round', paths: ['M3 17h18', 'M3 7c5 0 8 10 13 10'] },
  { name: 'ring on a line', cap: 'round', join: 'round', paths: ['M3 19h18', 'M12 7a6 6 0 1 0 .001 0z'] },
  { name: 'narrow fork', cap: 'round', join: 'round', paths: ['M12 21v-8l-5 -9', 'M12 13l5 -9'] },
  { name: 'arrow on a bend', cap: 'round', join: 'round', paths: ['M3 18c4 0 6 -11 12 -11h6', 'M17 3l4 4l-4 4'] },
  { name: 'ends that hardly stand out', cap: 'round', join: 'round', paths: ['M4 8h16v11h-16z', 'M8 6v2', 'M16 6v2'] },
  {
    name: 'disc of the pen that drew the rest',
    cap: 'round',
    join: 'round',
    paths: ['M3 19h18', 'M3 15h18', 'M12 6a1 1 0 1 0 .001 0z'],
  },
  {
    name: 'cog',
    cap: 'round',
    join: 'round',
    paths: [
      'M4 3h16',
      'M12 12a3 3 0 1 0 .001 0z',
      'M12 10v2',
      'M12 18v2',
      'M16.33 12.5l-1.73 1',
      'M9.4 16.5l-1.73 1',
      'M7.67 12.5l1.73 1',
      'M14.6 16.5l1.73 1',
    ],
  },
  { name: 'struck out', cap: 'round', join: 'round', paths: ['M3 3l18 18', 'M6 12a6 6 0 0 1 12 0v6h-12z'] },
];
