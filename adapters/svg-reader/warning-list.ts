import type { Note } from '#domain/diagnostics/diagnostics.js';

/** What a warning of each code says; `what` names what it was about, where that helps. */
const MESSAGES = {
  'script-dropped': (count: number) => `${count} script(s) or event handler(s) were left out.`,
  'animation-dropped': (count: number) =>
    `${count} animation(s) were left out; the picture is as it stands without them.`,
  'element-dropped': (count: number, what: string) => `${count} element(s) were left out: ${what}.`,
  'attribute-dropped': (count: number, what: string) => `${count} attribute(s) or properties were left out: ${what}.`,
  'style-rule-dropped': (count: number, what: string) => `${count} part(s) of style sheets were left out: ${what}.`,
  'external-reference-dropped': (count: number) =>
    `${count} reference(s) to things outside the document were left out; only #id and embedded pictures are followed.`,
  'filter-dropped': (count: number) => `${count} filter(s) were left out; what they changed is painted without them.`,
  'image-dropped': (count: number, what: string) => `${count} embedded picture(s) were left out: ${what}.`,
  'blend-mode-dropped': (count: number) => `${count} blend mode(s) were left out; what they mixed is painted normally.`,
  'font-substituted': (count: number, what: string) =>
    `${count} font(s) that are not here were substituted; text is drawn in DejaVu: ${what}.`,
  'glyph-missing': (count: number, what: string) => `${count} character(s) have no glyph here: ${what}.`,
  'text-dropped': (count: number) => `${count} text(s) were left out: there is no font here to draw them with.`,
  'clip-simplified': (count: number) => `${count} clip(s) within the outlines of clips were left out.`,
  'pattern-dropped': (count: number, what: string) => `${count} pattern(s) were left out: ${what}.`,
  'gradient-simplified': (count: number) => `${count} gradient(s) repeat too often to be kept and end earlier.`,
  'mask-simplified': (count: number) => `${count} picture(s) in masks that go by opacity are taken by their light.`,
  'size-from-content': () => 'The document states no size; it was given that of what it shows.',
} as const;
export type WarningCode = keyof typeof MESSAGES;

/** How many different things one warning names. */
const MAX_NAMED = 8;
const MAX_NAME = 40;

/** Collects warnings, one of each code. */
export class WarningList {
  readonly #counts = new Map<WarningCode, { count: number; names: Set<string> }>();

  add(code: WarningCode, name?: string): void {
    const entry = this.#counts.get(code) ?? { count: 0, names: new Set<string>() };
    this.#counts.set(code, entry);
    entry.count++;
    if (name !== undefined && entry.names.size <= MAX_NAMED) entry.names.add(name.slice(0, MAX_NAME));
  }

  notes(): readonly Note[] {
    return [...this.#counts].map(([code, { count, names }]) => {
      const named = [...names].slice(0, MAX_NAMED).join(', ') + (names.size > MAX_NAMED ? ', ...' : '');
      return { code, message: MESSAGES[code](count, named) };
    });
  }
}
