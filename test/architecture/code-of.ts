/** A source with everything blanked that is no code; strings stay in `withStrings`. Offsets and lines are those of the source. */
export interface Code {
  readonly withStrings: string;
  readonly withoutStrings: string;
}

/** After these characters a slash begins a regular expression and does not divide. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete))\s*$/;

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/** The end of a string or regular expression that starts at `at`; both end with the line at the latest. */
const endOfLiteral = (source: string, at: number, close: string): number => {
  let inClass = false;
  for (let i = at + 1; i < source.length; i++) {
    const c = source[i];
    if (c === '\\') i++;
    else if (c === '\n') return i;
    else if (close === '/' && c === '[') inClass = true;
    else if (close === '/' && c === ']') inClass = false;
    else if (c === close && !inClass) return i + 1;
  }
  return source.length;
};

/** The end of the text of a template that goes on at `at`: behind its closing backtick or its next `${`. */
const endOfTemplateText = (source: string, at: number): number => {
  for (let i = at; i < source.length; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === '`') return i + 1;
    else if (source.startsWith('${', i)) return i + 2;
  }
  return source.length;
};

/** Takes the comments, strings, templates and regular expressions out of TypeScript source; a scanner, not a parser. */
export function codeOf(source: string): Code {
  let withStrings = '';
  let withoutStrings = '';
  /** Open braces at each `${` that has not been closed. */
  const templates: number[] = [];
  let braces = 0;
  let at = 0;
  const take = (end: number, kind: 'code' | 'comment' | 'string') => {
    const text = source.slice(at, end);
    withStrings += kind === 'comment' ? blank(text) : text;
    withoutStrings += kind === 'code' ? text : blank(text);
    at = end;
  };
  while (at < source.length) {
    const c = source[at] as string;
    const end = (mark: string) => {
      const found = source.indexOf(mark, at + 2);
      return found < 0 ? source.length : found;
    };
    if (source.startsWith('//', at)) take(end('\n'), 'comment');
    else if (source.startsWith('/*', at)) take(Math.min(end('*/') + 2, source.length), 'comment');
    else if (c === "'" || c === '"') take(endOfLiteral(source, at, c), 'string');
    else if (c === '/' && BEFORE_REGEX.test(withoutStrings.slice(-40))) take(endOfLiteral(source, at, '/'), 'string');
    else if (c === '`' || (c === '}' && templates.at(-1) === braces)) {
      if (c === '}') templates.pop();
      const stop = endOfTemplateText(source, at + 1);
      take(stop, 'string');
      if (source[stop - 1] === '{') templates.push(braces);
    } else {
      if (c === '{') braces++;
      else if (c === '}') braces--;
      take(at + 1, 'code');
    }
  }
  return { withStrings, withoutStrings };
}
