/**
 * The part of Markdown that the guide is written in, as HTML: headings, paragraphs, lists, tables, fenced code, block images,
 * and code, bold, emphasis, links and images within a line. Everything else is text, and all text is escaped: a page cannot bring
 * markup of its own.
 */

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** `Start in a minute` is `start-in-a-minute`, as other renderers make it. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

/** Where a link leads, once the page is served. */
export type Linked = (target: string) => string;

/** One line of text. Code is taken out first: nothing in it means anything. */
function inline(text: string, linked: Linked): string {
  const codes: string[] = [];
  const kept = text.replaceAll(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escapeHtml(code)}</code>`);
    return `\u0000${codes.length - 1}\u0000`;
  });
  return (
    escapeHtml(kept)
      .replaceAll(
        /!\[([^\]]*)\]\(([^)\s]+)\)/g,
        (_, alt: string, target: string) => `<img src="${linked(target)}" alt="${alt}" loading="lazy">`,
      )
      .replaceAll(
        /\[([^\]]+)\]\(([^)\s]+)\)/g,
        (_, name: string, target: string) => `<a href="${linked(target)}">${name}</a>`,
      )
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks that were set above
      .replaceAll(/\u0000(\d+)\u0000/g, (_, index: string) => codes[Number(index)] as string)
  );
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const BLOCK_START = /^(?:#{1,4} |```|[-*] |\d+\. |\||$)/;

/** The HTML of a page's Markdown. */
export function renderMarkdown(markdown: string, linked: Linked = (target) => target): string {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n');
  const html: string[] = [];
  let at = 0;
  const line = () => lines[at] ?? '';
  while (at < lines.length) {
    const heading = /^(#{1,4}) (.+)$/.exec(line());
    if (line().trim() === '') {
      at++;
    } else if (heading !== null) {
      const [, marks, text] = heading as unknown as [string, string, string];
      html.push(`<h${marks.length} id="${headingId(text)}">${inline(text, linked)}</h${marks.length}>`);
      at++;
    } else if (line().startsWith('```')) {
      const language = line().slice(3).trim();
      const body: string[] = [];
      for (at++; at < lines.length && !line().startsWith('```'); at++) body.push(line());
      at++;
      // What is wider than the page scrolls, with the keys too.
      html.push(
        `<pre class="${escapeHtml(language || 'text')}" tabindex="0"><code>${escapeHtml(body.join('\n'))}</code></pre>`,
      );
    } else if (line().startsWith('|')) {
      const rows: string[][] = [];
      for (; line().startsWith('|'); at++) if (!/^\|[\s:|-]+\|$/.test(line())) rows.push(cellsOf(line()));
      const [head = [], ...body] = rows;
      const row = (cells: readonly string[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${inline(cell, linked)}</${tag}>`).join('')}</tr>`;
      html.push(
        `<table tabindex="0"><thead>${row(head, 'th')}</thead><tbody>${body.map((cells) => row(cells, 'td')).join('')}</tbody></table>`,
      );
    } else if (/^(?:[-*]|\d+\.) /.test(line())) {
      const tag = /^\d/.test(line()) ? 'ol' : 'ul';
      const items: string[] = [];
      while (/^(?:[-*]|\d+\.) /.test(line()) || /^\s{2,}\S/.test(line())) {
        const start = /^(?:[-*]|\d+\.) (.*)$/.exec(line());
        if (start !== null) items.push(start[1] as string);
        else items.push(`${items.pop() ?? ''} ${line().trim()}`);
        at++;
      }
      html.push(`<${tag}>${items.map((item) => `<li>${inline(item, linked)}</li>`).join('')}</${tag}>`);
    } else {
      const text = [line()];
      for (at++; at < lines.length && !BLOCK_START.test(line()); at++) text.push(line());
      html.push(`<p>${inline(text.join(' '), linked)}</p>`);
    }
  }
  return html.join('\n');
}
