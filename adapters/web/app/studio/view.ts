/** Where the picture lies on the stage: a point of the picture is shown at `point * scale + (x, y)`, in CSS pixels. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const MAX_SCALE = 64;
const MARGIN_PX = 32;
/** So much of the picture always stays on the stage, in CSS pixels. */
const LEAST_VISIBLE_PX = 48;

/** The whole picture in the middle, never enlarged past 8 times. */
export function fitView(picture: Size, stage: Size): View {
  const room = (length: number) => Math.max(1, length - 2 * Math.min(MARGIN_PX, length / 10));
  const scale = Math.min(8, room(stage.width) / picture.width, room(stage.height) / picture.height);
  return centered(scale, picture.width / 2, picture.height / 2, stage);
}

const centered = (scale: number, pointX: number, pointY: number, stage: Size): View => ({
  scale,
  x: stage.width / 2 - pointX * scale,
  y: stage.height / 2 - pointY * scale,
});

/** A part of the picture in the middle, with room around it. */
export function focusView(part: Size & { readonly x: number; readonly y: number }, stage: Size): View {
  const scale = Math.min(MAX_SCALE, (stage.width * 0.4) / part.width, (stage.height * 0.4) / part.height);
  return centered(scale, part.x + part.width / 2, part.y + part.height / 2, stage);
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The same view with the picture not lost beyond the edges. */
export function keepInSight(view: View, picture: Size, stage: Size): View {
  const kept = (offset: number, length: number, room: number) =>
    clamp(offset, LEAST_VISIBLE_PX - length * view.scale, room - LEAST_VISIBLE_PX);
  return {
    scale: view.scale,
    x: kept(view.x, picture.width, stage.width),
    y: kept(view.y, picture.height, stage.height),
  };
}

/** Enlarges by a factor around a point of the stage, up to 6400 % and down to a quarter of what fits. */
export function zoomAt(view: View, factor: number, at: { x: number; y: number }, picture: Size, stage: Size): View {
  const least = Math.min(1, fitView(picture, stage).scale) / 4;
  const scale = clamp(view.scale * factor, least, MAX_SCALE);
  const real = scale / view.scale;
  const moved = { scale, x: at.x - (at.x - view.x) * real, y: at.y - (at.y - view.y) * real };
  return keepInSight(moved, picture, stage);
}

export const panBy = (view: View, dx: number, dy: number, picture: Size, stage: Size): View =>
  keepInSight({ ...view, x: view.x + dx, y: view.y + dy }, picture, stage);

/** Between two views, evenly in magnification; `t` 0..1. */
export function between(from: View, to: View, t: number): View {
  const scale = from.scale * (to.scale / from.scale) ** t;
  // The offsets follow the scale, so that the picture moves in a straight line.
  const share = from.scale === to.scale ? t : (scale - from.scale) / (to.scale - from.scale);
  return { scale, x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
