import { useEffect, useMemo, useState } from 'preact/hooks';
import { useStore } from '../shared/store.js';
import { isDark } from '../shared/theme.js';
import { isolate } from './colors.js';
import { paintHeat } from './heat.js';
import { currentPicture, currentTrace, drawingOf, studio } from './model.js';
import type { Scene } from './painter.js';
import { readOutlines } from './shapes.js';
import { loadSvg, VectorLayer } from './vector-layer.js';
import type { Size } from './view.js';
import { viewer } from './viewer.js';

/** The drawing as a layer; the one before stays until the new one can be shown. */
function useLayer(svg: string | undefined, size: Size | null): VectorLayer | null {
  const [layer, setLayer] = useState<VectorLayer | null>(null);
  useEffect(() => {
    if (svg === undefined || size === null) {
      setLayer(null);
      return;
    }
    let isWanted = true;
    loadSvg(svg).then(
      (image) => {
        if (isWanted) setLayer(new VectorLayer(image, size));
      },
      () => {
        if (isWanted) setLayer(null);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [svg, size?.width, size?.height]);
  return layer;
}

/** What the stage shows, put together from what was opened, what was traced and how it is looked at; null without a picture. */
export function useScene(): { readonly scene: Scene | null; readonly pictureId: string | null } {
  const picture = useStore(studio, currentPicture);
  const trace = useStore(studio, currentTrace);
  const svg = useStore(studio, (state) => (picture === undefined ? undefined : drawingOf(state, picture.id)));
  const look = useStore(viewer, (state) => state);
  const { mode, isolated, outlines: showsOutlines } = look;

  const bitmap = picture?.bitmap ?? null;
  const { width, height } = bitmap ?? trace?.traceStats ?? { width: 0, height: 0 };
  const size = useMemo(() => (width > 0 ? { width, height } : null), [width, height]);
  const layer = useLayer(svg, size);
  const isolatedSvg = useMemo(
    () => (svg === undefined || isolated === null ? undefined : isolate(svg, isolated, isDark())),
    [svg, isolated],
  );
  const isolatedLayer = useLayer(isolatedSvg, size);
  const outlines = useMemo(() => (showsOutlines && svg !== undefined ? readOutlines(svg) : null), [showsOutlines, svg]);

  const [heat, setHeat] = useState<ImageBitmap | null>(null);
  useEffect(() => {
    setHeat(null);
    if (mode !== 'difference' || bitmap === null || layer === null || size === null) return;
    let isWanted = true;
    paintHeat(bitmap, layer, size).then(
      (painted) => {
        if (isWanted) setHeat(painted);
      },
      // Without it the trace stays on show.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [mode, bitmap, layer, size]);

  if (picture === undefined || size === null) return { scene: null, pictureId: null };
  const scene: Scene = {
    size,
    original: bitmap,
    trace: svg === undefined ? null : layer,
    isolated: isolated === null ? null : isolatedLayer,
    outlines,
    heat,
    marker: look.marker,
    mode,
    split: look.split,
    grid: look.grid,
  };
  return { scene, pictureId: picture.id };
}
