import { COLOR_COUNT_LIMIT, ColorCount } from './color-count.js';

/** Measured on a picture's cells, one packed 0xRRGGBBAA each (0 where fully transparent). */
export interface PixelArtFeatures {
  /** Side of a cell in px of the picture. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** Cells that are not fully transparent. */
  readonly drawnCells: number;
  /** Distinct colors among the drawn cells; counting stops at `COLOR_COUNT_LIMIT`. */
  readonly colors: number;
  /** 0..1: drawn cells whose neighbors all have their color. */
  readonly flatShare: number;
  /** Borders between two flat stretches of a row or column that change from one cell to the next. */
  readonly hardEdges: number;
  /** Such borders with one cell between them, whose color is a mix of both sides: what anti-aliasing leaves. */
  readonly mixedEdges: number;
  /** 0..1: of both in rows, or of both in columns, the share of the latter, whichever is larger; 0 for a direction with few. */
  readonly mixedOneWay: number;
  /** 0..1: distinct colors (beside the most frequent) that are mixtures of it and another frequent one, or rare ones of two others. */
  readonly mixedColors: number;
  /** 0..1: drawn cells that are seen through in part, and how many opacities these have, counted up to `SOFT_OPACITIES`. */
  readonly softShare: number;
  readonly softOpacities: number;
  /** 0..1: of cells that differ from the one to the left, those that do so by a few levels: what compression leaves in even areas. */
  readonly faintChanges: number;
  /** Whether there are more colors than two, all of them mixtures of the two most frequent. */
  readonly mixesOfTwo: boolean;
  /** Rows that differ from the one above, and columns from the one to the left. */
  readonly rowChanges: number;
  readonly columnChanges: number;
}

/** Measured: 16 sprites of 16 x 16 cells lie below 0.05, logos, icons, flags and line art of 72 px and more above 0.64. */
export const MAX_FLAT_SHARE = 0.85;
/** Where fewer cells are flat, a cell between two others is shading: of five icons of 16 px on paper 0.2 and more, of sprites up to 0.05. */
const SMOOTH_FLAT_SHARE = 0.1;
/** Sprites have a few opacities, of glass or of a shadow; edges on nothing that were smoothed have as many as they have pixels. */
const SOFT_OPACITIES = 6;
const MAX_SOFT_SHARE = 0.08;
/** Sprites have up to 0.3 colors per drawn cell, tiny photographs about 1. */
const MAX_COLORS_PER_CELL = 0.5;
/** As many colors are few on any number of cells. */
const FEW_COLORS = 8;
/** Stripes and thin lines do not change in both directions. */
const MIN_LINE_CHANGES = 3;
/** A cross or a square-cut logo changes a few times in all (7 in the busiest met), the plainest sprite 26 times. */
const MIN_LINE_CHANGES_IN_ALL = 10;
export const MAX_CELLS_PER_SIDE = 512;
/** With fewer changes than this it is bars and boxes, and what lies between the colors of two of them is what a fraction of a pixel leaves: few may. */
const BUSY_CHANGES = 24;
const MOST_MIXED_IF_PLAIN = 0.25;
/** How far a mix may lie off the straight line between its sides, per channel (rounding, gamma). */
const MIX_TOLERANCE = 10;
/** Thin anti-aliased lines on paper have no flat side to their edges, but nearly all their colors are mixtures with it. */
const MAX_MIXED_COLORS = 0.5;
/** Of more colors than tones, all but a few are mixtures in icons of lines that leave next to nothing flat between them. */
const MOST_SHADED = 0.8;
/** Inks that the mixtures with the ground are looked for among, and with one another, of which each is in so few cells. */
const INKS = 4;
const RARE_CELLS = 4;
/** With fewer colors than this a share says nothing. */
const LEAST_COLORS_FOR_SHARE = 8;
/** Levels per channel. Sprites shade in larger steps than compression rings. */
const FAINT = 8;
const MAX_FAINT_CHANGES = 0.8;
/** Photographs in one tint have no more colors than tones, but as many of those; their changes are faint to 0.46 and more, sprites' to 0.4. */
const TONES = 96;
const MAX_FAINT_TONES = 0.42;
/** Where so many cells are flat, a few colors between the two that most are of are what round corners leave on the pixels' own lines. */
const EVEN_FLAT_SHARE = 0.4;
/** Upright bars on the pixels' own columns, but not on their rows, have hard edges one way and none the other; so many tell. */
const MAX_MIXED_ONE_WAY = 0.75;
const LEAST_MIXED = 4;
/** Length from which equal cells are a flat stretch and not part of a pattern. */
const FLAT_RUN = 2;

/**
 * Measures what `looksLikePixelArt` decides by. Linear in the number of cells; what takes time is measured when it is asked for, which
 * for most pictures it never is.
 * @param cells packed colors, columns x rows
 */
export function measurePixelArt(cells: Uint32Array, columns: number, rows: number, cell: number): PixelArtFeatures {
  let flatness: CellFlatness | undefined;
  const measured = () => (flatness ??= measureCellFlatness(cells, columns, rows));
  let edges: EdgeCounts | undefined;
  const counted = () => (edges ??= countAllEdges(cells, columns, rows));
  return {
    cell,
    columns,
    rows,
    colors: countColors(cells),
    get drawnCells() {
      return measured().drawnCells;
    },
    get flatShare() {
      return measured().flatShare;
    },
    get softShare() {
      return measured().softShare;
    },
    get softOpacities() {
      return measured().softOpacities;
    },
    get faintChanges() {
      return measured().faintChanges;
    },
    get hardEdges() {
      return counted().hard;
    },
    get mixedEdges() {
      return counted().mixed;
    },
    get mixedOneWay() {
      return counted().mixedOneWay;
    },
    get mixedColors() {
      return measureMixedColors(cells);
    },
    get mixesOfTwo() {
      return areMixesOfTwo(cells);
    },
    get rowChanges() {
      return countLineChanges(cells, rows, columns, columns, 1);
    },
    get columnChanges() {
      return countLineChanges(cells, columns, rows, 1, columns);
    },
  };
}

type CellFlatness = Pick<PixelArtFeatures, 'drawnCells' | 'flatShare' | 'softShare' | 'softOpacities' | 'faintChanges'>;

interface EdgeCounts {
  hard: number;
  mixed: number;
  mixedOneWay: number;
}

function measureCellFlatness(cells: Uint32Array, columns: number, rows: number): CellFlatness {
  let drawnCells = 0;
  let flatCells = 0;
  let changes = 0;
  let faint = 0;
  let softCells = 0;
  const opacities = new Set<number>();
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) {
      const color = cells[i];
      if (color === 0) continue;
      drawnCells++;
      const opacity = color & 255;
      if (opacity < 255) {
        softCells++;
        if (opacities.size < SOFT_OPACITIES) opacities.add(opacity);
      }
      if (column > 0 && cells[i - 1] !== color && cells[i - 1] !== 0) {
        changes++;
        if (isFaint(cells[i - 1], color)) faint++;
      }
      if (
        (column === 0 || cells[i - 1] === color) &&
        (column === columns - 1 || cells[i + 1] === color) &&
        (row === 0 || cells[i - columns] === color) &&
        (row === rows - 1 || cells[i + columns] === color)
      ) {
        flatCells++;
      }
    }
  }
  return {
    drawnCells,
    flatShare: drawnCells === 0 ? 1 : flatCells / drawnCells,
    softShare: drawnCells === 0 ? 0 : softCells / drawnCells,
    softOpacities: opacities.size,
    faintChanges: changes === 0 ? 0 : faint / changes,
  };
}

function countAllEdges(cells: Uint32Array, columns: number, rows: number): EdgeCounts {
  const inRows = { hard: 0, mixed: 0 };
  for (let row = 0; row < rows; row++) countEdges(cells, row * columns, 1, columns, inRows);
  const inColumns = { hard: 0, mixed: 0 };
  for (let column = 0; column < columns; column++) countEdges(cells, column, columns, rows, inColumns);
  return {
    hard: inRows.hard + inColumns.hard,
    mixed: inRows.mixed + inColumns.mixed,
    mixedOneWay: Math.max(mixedShare(inRows), mixedShare(inColumns)),
  };
}

function mixedShare({ hard, mixed }: Pick<EdgeCounts, 'hard' | 'mixed'>): number {
  return mixed < LEAST_MIXED ? 0 : mixed / (hard + mixed);
}

function isFaint(a: number, b: number): boolean {
  for (let shift = 0; shift < 32; shift += 8)
    if (Math.abs(((a >>> shift) & 255) - ((b >>> shift) & 255)) > FAINT) return false;
  return true;
}

/** Walks one row or column as runs of equal cells. */
function countEdges(
  cells: Uint32Array,
  start: number,
  step: number,
  length: number,
  edges: Pick<EdgeCounts, 'hard' | 'mixed'>,
): void {
  let beforeColor = 0;
  let beforeLength = 0;
  let hereColor = cells[start];
  let hereLength = 1;
  for (let k = 1, at = start + step; k <= length; k++, at += step) {
    if (k < length && cells[at] === hereColor) {
      hereLength++;
      continue;
    }
    if (hereLength >= FLAT_RUN && beforeLength >= FLAT_RUN) edges.hard++;
    if (k < length) {
      const flatAfter = k + 1 < length && cells[at + step] === cells[at];
      if (hereLength === 1 && beforeLength >= FLAT_RUN && flatAfter && isMix(beforeColor, hereColor, cells[at])) {
        edges.mixed++;
      }
      beforeColor = hereColor;
      beforeLength = hereLength;
      hereColor = cells[at];
      hereLength = 1;
    }
  }
}

/** Whether `middle` lies strictly between two different colors, on the line from one to the other (premultiplied). */
function isMix(a: number, middle: number, b: number): boolean {
  if (a === b) return false;
  let along = 0;
  let lengthSq = 0;
  for (let shift = 24; shift >= 0; shift -= 8) {
    const step = channel(b, shift) - channel(a, shift);
    along += step * (channel(middle, shift) - channel(a, shift));
    lengthSq += step * step;
  }
  if (along <= 0 || along >= lengthSq) return false;
  const share = along / lengthSq;
  for (let shift = 24; shift >= 0; shift -= 8) {
    const from = channel(a, shift);
    const off = channel(middle, shift) - (from + share * (channel(b, shift) - from));
    if (Math.abs(off) > MIX_TOLERANCE) return false;
  }
  return true;
}

/** A packed color's byte, colors multiplied by alpha. */
function channel(packed: number, shift: number): number {
  const value = (packed >>> shift) & 255;
  return shift === 0 ? value : (value * (packed & 255)) / 255;
}

function countColors(cells: Uint32Array): number {
  const count = new ColorCount();
  for (let i = 0; i < cells.length && !count.areMany; i++) count.add(cells[i]);
  return count.colors;
}

/** How many of `lines` lines (first cell at k·`lineStep`, cells `cellStep` apart) differ from the one before. */
function countLineChanges(
  cells: Uint32Array,
  lines: number,
  length: number,
  lineStep: number,
  cellStep: number,
): number {
  let changes = 0;
  for (let line = 1; line < lines; line++) {
    let at = line * lineStep;
    for (let k = 0; k < length; k++, at += cellStep) {
      if (cells[at] !== cells[at - lineStep]) {
        changes++;
        break;
      }
    }
  }
  return changes;
}

/**
 * Whether these are the cells of pixel art: few exact colors, used in two dimensions, busy, and not anti-aliased.
 * Anti-aliasing is not looked for in an exact enlargement: what was smooth before is blocks now, and is to stay so.
 */
export function looksLikePixelArt(features: PixelArtFeatures): boolean {
  const { cell, columns, rows, colors } = features;
  const total = columns * rows;
  // First what most pictures are turned away by, then by the time it takes to measure.
  if (colors >= COLOR_COUNT_LIMIT || Math.max(columns, rows) > MAX_CELLS_PER_SIDE) return false;
  const { drawnCells, flatShare } = features;
  if (drawnCells === 0 || colors + (drawnCells < total ? 1 : 0) < 2) return false;
  if (colors > FEW_COLORS && colors > drawnCells * MAX_COLORS_PER_CELL) return false;
  if (features.rowChanges < MIN_LINE_CHANGES || features.columnChanges < MIN_LINE_CHANGES) return false;
  if (features.rowChanges + features.columnChanges < MIN_LINE_CHANGES_IN_ALL) return false;
  if (flatShare > MAX_FLAT_SHARE || features.faintChanges > MAX_FAINT_CHANGES) return false;
  if (cell === 1 && colors > TONES && features.faintChanges > MAX_FAINT_TONES) return false;
  if (cell > 1) return true;
  if (features.softOpacities >= SOFT_OPACITIES && features.softShare > MAX_SOFT_SHARE) return false;
  if (flatShare <= SMOOTH_FLAT_SHARE) return colors <= TONES || features.mixedColors <= MOST_SHADED;
  if (features.mixedOneWay > MAX_MIXED_ONE_WAY || (flatShare > EVEN_FLAT_SHARE && features.mixesOfTwo)) return false;
  const isBusy = features.rowChanges + features.columnChanges >= BUSY_CHANGES;
  const mostMixed = isBusy ? features.hardEdges : MOST_MIXED_IF_PLAIN * features.hardEdges;
  return features.mixedEdges <= mostMixed && features.mixedColors <= MAX_MIXED_COLORS;
}

/**
 * How many of the colors lie between the most frequent one (the ground) and one of those that contrast most with it; of rare ones, also
 * those between two of these.
 */
function measureMixedColors(cells: Uint32Array): number {
  const counts = countCells(cells);
  if (counts.size >= COLOR_COUNT_LIMIT) return 1;
  if (counts.size < LEAST_COLORS_FOR_SHARE) return 0;
  const [ground, ...others] = byFrequency(counts);
  // The farther out and the more frequent, the likelier an ink.
  const inks = [...others].sort((a, b) => distance(b, ground) - distance(a, ground) || a - b).slice(0, INKS);
  inks.push(...others.slice(0, INKS));
  // Between two inks, as beside an outline, a sprite has colors as well; but not such as are hardly anywhere.
  const isRare = (color: number) => (counts.get(color) as number) <= RARE_CELLS;
  const liesBetweenInks = (color: number) =>
    inks.some((a, i) => inks.some((b, k) => k > i && a !== color && b !== color && isMix(a, color, b)));
  const mixed = others.filter(
    (color) =>
      inks.some((ink) => ink !== color && isMix(ground, color, ink)) || (isRare(color) && liesBetweenInks(color)),
  );
  return mixed.length / others.length;
}

function areMixesOfTwo(cells: Uint32Array): boolean {
  const counts = countCells(cells);
  if (counts.size < 3 || counts.size >= COLOR_COUNT_LIMIT) return false;
  const [ground, ink, ...others] = byFrequency(counts);
  return others.every((color) => isMix(ground, color, ink));
}

/** How many cells each color has; counting stops at `COLOR_COUNT_LIMIT` colors. */
function countCells(cells: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < cells.length && counts.size < COLOR_COUNT_LIMIT; i++)
    counts.set(cells[i], (counts.get(cells[i]) ?? 0) + 1);
  return counts;
}

function byFrequency(counts: ReadonlyMap<number, number>): number[] {
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([color]) => color);
}

function distance(a: number, b: number): number {
  let sum = 0;
  for (let shift = 0; shift < 32; shift += 8) sum += Math.abs(((a >>> shift) & 255) - ((b >>> shift) & 255));
  return sum;
}
