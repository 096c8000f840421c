import { PROPERTIES, SILENT_PROPERTIES } from './allowlist.js';
import type { WarningList } from './warning-list.js';

/** The value with its references led to the new ids; undefined where it must not be kept. */
export type CheckValue = (property: string, value: string) => string | undefined;

const MAX_SELECTOR = 1000;

/** `name: value; ...` with what is allowed; references and backslashes, which could hide them, are looked at by `check`. */
export function keptDeclarations(text: string, check: CheckValue, warnings: WarningList): string {
  const kept: string[] = [];
  for (const declaration of splitOutside(text, ';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const important = /!\s*important\s*$/i.test(declaration);
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim();
    if (name === '' || SILENT_PROPERTIES.has(name) || name.startsWith('--')) continue;
    if (name === 'filter' || name === 'backdrop-filter') {
      if (value !== 'none') warnings.add('filter-dropped');
      continue;
    }
    if (!PROPERTIES.has(name)) {
      warnings.add('attribute-dropped', name);
      continue;
    }
    const checked = check(name, value);
    if (checked !== undefined) kept.push(`${name}:${checked}${important ? ' !important' : ''}`);
  }
  return kept.join(';');
}

/** Parts of a text between separators that stand in no quotes and no brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (c === separator && depth <= 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** Comments out; one that does not end takes the rest with it, as in every reader. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('/*', from);
    if (start < 0) break;
    parts.push(text.slice(from, start));
    const end = text.indexOf('*/', start + 2);
    if (end < 0) return parts.join(' ');
    from = end + 2;
  }
  parts.push(text.slice(from));
  return parts.join(' ');
}

/** Where the block that opens at `open` ends. */
function blockEnd(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < text.length; i++) {
    const c = text[i]!;
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i;
  }
  return text.length;
}

/**
 * A style sheet rebuilt from its plain rules: at-rules, and what is not understood, are left out. `renameId` gives the new name
 * of an id in a selector, and undefined where there is none.
 */
export function keptStyleSheet(
  source: string,
  check: CheckValue,
  renameId: (id: string) => string | undefined,
  warnings: WarningList,
): string {
  const text = withoutComments(source.replaceAll('<!--', ' ').replaceAll('-->', ' '));
  const rules: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    const open = text.indexOf('{', at);
    if (text[at] === '@') {
      const semicolon = text.indexOf(';', at);
      warnings.add('style-rule-dropped', /^@[\w-]*/.exec(text.slice(at, at + 40))![0]);
      if (semicolon >= 0 && (open < 0 || semicolon < open)) at = semicolon + 1;
      else at = open < 0 ? text.length : blockEnd(text, open) + 1;
      continue;
    }
    if (open < 0) break;
    const end = blockEnd(text, open);
    const selector = keptSelector(text.slice(at, open).trim(), renameId);
    const body = keptDeclarations(text.slice(open + 1, end), check, warnings);
    if (selector === undefined) warnings.add('style-rule-dropped', 'selectors');
    else if (body !== '') rules.push(`${selector}{${body}}`);
    at = end + 1;
  }
  return rules.join('\n');
}

function keptSelector(selector: string, renameId: (id: string) => string | undefined): string | undefined {
  if (selector === '' || selector.length > MAX_SELECTOR || !/^[\w\s.#*>+~:,()[\]="'^$|-]+$/.test(selector))
    return undefined;
  return selector.replace(/#([\w-]+)/g, (_, id: string) => `#${renameId(id) ?? 'none'}`);
}
