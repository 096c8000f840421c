/** Where counting stops: more colors than these are no sprite's. */
export const COLOR_COUNT_LIMIT = 257;
/** Twice as many as colors are counted; 0 is free, as it is no drawn color. */
const SLOTS = 1024;

/** Counts distinct colors, but for 0, which is nothing. */
export class ColorCount {
  colors = 0;
  private readonly slots = new Uint32Array(SLOTS);

  /** Whether there are as many as are counted. */
  get areMany(): boolean {
    return this.colors >= COLOR_COUNT_LIMIT;
  }

  /** To be told no more of where there are many. */
  add(color: number): void {
    if (color === 0) return;
    const { slots } = this;
    let slot = (Math.imul(color, 0x9e3779b1) >>> 22) & (SLOTS - 1);
    while (slots[slot] !== 0 && slots[slot] !== color) slot = (slot + 1) & (SLOTS - 1);
    if (slots[slot] !== 0) return;
    slots[slot] = color;
    this.colors++;
  }
}
