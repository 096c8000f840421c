import { toHexColor } from '#domain/color.js';
import type { DrawingItem } from '#domain/drawing/drawing.js';
import type { PdfRef } from './content.js';
import type { NewObject } from './paints.js';

const GRADIENTS = 'gradients';

/** The layer on which an item stands: its color's. Groups stand on none; what is in them does. */
export function layerOf(item: DrawingItem): string | undefined {
  if (item.kind !== 'shape') return undefined;
  const paint = item.fill ?? item.stroke?.paint;
  if (paint === undefined) return undefined;
  return paint.kind === 'solid' ? toHexColor(paint.color) : GRADIENTS;
}

/** Layers that readers can show and hide: optional content of PDF 1.5. */
export interface Layers {
  /** The object of a layer, the same for the same name. */
  group(name: string): PdfRef;
  /** What the document's catalog says of them, in the order in which they were first asked for. */
  properties(): { readonly OCProperties: object };
}

export function createLayers(newObject: NewObject): Layers {
  const groups = new Map<string, PdfRef>();
  return {
    group(name) {
      const known = groups.get(name) ?? newObject({ Type: 'OCG', Name: new String(name) });
      groups.set(name, known);
      return known;
    },
    properties() {
      const all = [...groups.values()];
      return { OCProperties: { OCGs: all, D: { Name: new String('Colors'), Order: all, ON: all } } };
    },
  };
}
