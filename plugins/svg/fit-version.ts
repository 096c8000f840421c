import type { Note } from '#domain/diagnostics/diagnostics.js';
import { ARC, type Drawing, type DrawingItem, type Geometry } from '#domain/drawing/drawing.js';
import { isUpright } from '#domain/drawing/matrix.js';
import { toCurves, visitGeometry } from '#domain/drawing/outline-visitors.js';
import { createOutlineWriter, type OutlineWriter } from '#domain/drawing/outline-writer.js';
import { openGroups } from '#domain/exports/open-groups.js';
import type { SvgOptions } from './options.js';

/** Cut edges stand off the curve by less than a rounded coordinate shows. */
const CUT_TOLERANCE = 0.01;

type Rewrite = (geometry: Geometry) => Geometry;

const rewritten = (items: readonly DrawingItem[], rewrite: Rewrite): readonly DrawingItem[] =>
  items.map((item) => {
    if (item.kind === 'image') return item;
    return item.kind === 'shape'
      ? { ...item, geometry: rewrite(item.geometry) }
      : { ...item, clip: item.clip?.map(rewrite) ?? null, items: rewritten(item.items, rewrite) };
  });

function hasArc(geometry: Geometry, { commands }: Drawing): boolean {
  if (geometry.kind !== 'path') return false;
  const { firstCommand, commandCount } = geometry;
  return commands.subarray(firstCommand, firstCommand + commandCount).includes(ARC);
}

const isTurned = (geometry: Geometry) => geometry.kind === 'ellipse' && geometry.rotation !== 0;

/** Turned ellipses as paths of arcs: they need no transform then. */
function asArcs(geometry: Geometry, drawing: Drawing, outlines: OutlineWriter): Geometry {
  visitGeometry(geometry, drawing, outlines);
  return outlines.path(false);
}

function asCubics(geometry: Geometry, drawing: Drawing, outlines: OutlineWriter): Geometry {
  visitGeometry(geometry, drawing, toCurves(outlinesWithoutArcs(outlines)));
  return outlines.path(geometry.kind === 'path' && geometry.evenOdd);
}

const outlinesWithoutArcs = ({ move, line, cubic, close }: OutlineWriter) => ({ move, line, cubic, close });

/** Pictures that do not stand upright, those of masks as well. */
const turnedImages = (items: readonly DrawingItem[]): number =>
  items.reduce((sum, item) => {
    if (item.kind === 'shape') return sum;
    if (item.kind === 'image') return sum + (isUpright(item.matrix) ? 0 : 1);
    return sum + turnedImages(item.items) + turnedImages(item.mask ?? []);
  }, 0);

const turnedWarnings = (count: number): readonly Note[] =>
  count === 0
    ? []
    : [
        {
          code: 'transform-kept',
          message: `${count} turned picture(s) keep their transform: SVG has no other way to turn one.`,
        },
      ];

/**
 * The drawing with only what the version and `flatten` leave to a document: SVG Tiny has no arcs, clips or opacity of groups;
 * a flattened one no transforms and no opacity of groups.
 */
export function fitVersion(
  drawing: Drawing,
  { svg_version, flatten }: Pick<SvgOptions, 'svg_version' | 'flatten'>,
): { readonly drawing: Drawing; readonly warnings: readonly Note[] } {
  const tiny = svg_version === 'tiny1.2';
  if (!tiny && !flatten) return { drawing, warnings: [] };
  const opened = openGroups(drawing, { opacity: true, clips: tiny, tolerance: CUT_TOLERANCE });
  const plain = opened.drawing;
  const outlines = createOutlineWriter(plain);
  const items = rewritten(plain.items, (geometry) => {
    // The document may need turned ellipses as paths, and has arcs for them only.
    if (tiny && (hasArc(geometry, plain) || isTurned(geometry))) return asCubics(geometry, plain, outlines);
    return flatten && isTurned(geometry) ? asArcs(geometry, plain, outlines) : geometry;
  });
  const warnings = flatten ? [...opened.warnings, ...turnedWarnings(turnedImages(items))] : opened.warnings;
  return { drawing: { ...plain, ...outlines.outlines(), items }, warnings };
}
