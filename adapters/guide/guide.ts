import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { escapeHtml, renderMarkdown } from './markdown.js';

/** A file of the guide as it is sent. */
export interface GuideFile {
  readonly type: string;
  readonly body: string | Uint8Array;
}

export interface Guide {
  /** The file behind `/docs` and an address below it, without a slash in front: ``, `presets`, `pictures/x.svg`. */
  file(path: string): GuideFile | undefined;
  /** Of every page, in the order of the menu. */
  readonly pages: readonly { readonly path: string; readonly title: string }[];
}

/** The menu: names of the Markdown files. `index` is `/docs` itself. */
export const GUIDE_PAGES = [
  'index',
  'presets',
  'parameters',
  'effects',
  'formats',
  'command-line',
  'api-manners',
  'client',
  'mcp',
  'running',
  'fleet',
  'security',
  'adding-a-format',
  'engine',
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.css': 'text/css; charset=utf-8',
};

/** The page that shows the OpenAPI document and runs requests; not one of the guide's own. */
const REFERENCE = { name: '', address: '/docs/api', title: 'API reference' };

const addressOf = (name: string) => (name === 'index' ? '/docs' : `/docs/${name}`);

/** Links between files become links between addresses; what leads elsewhere stays. */
const linked = (target: string): string => {
  if (/^(?:[a-z]+:|\/|#)/.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const address = file.endsWith('.md') ? addressOf(file.slice(0, -3)) : `/docs/${file}`;
  return anchor === undefined ? address : `${address}#${anchor}`;
};

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? 'Burin';

function pageHtml(title: string, body: string, menu: string, home: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Burin</title>
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Guide"><a class="name" href="${home}"><img src="/docs/icon.svg" alt="" width="24" height="24"><span>Burin</span></a>
<ul>${menu}</ul>
</nav>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Puts the tables in where `{{name}}` stands on a line of its own, or within one. Throws RangeError for a name that there is none of. */
export const withTables = (markdown: string, tables: Readonly<Record<string, string>>): string =>
  markdown.replaceAll(/\{\{([a-z]+)\}\}/g, (_, name: string) => {
    const text = tables[name];
    if (text === undefined) throw new RangeError(`the guide has no table ${name}`);
    return text;
  });

/**
 * The guide of a folder of Markdown, with the program's own tables in it, made once. Throws where a page is missing or names a
 * table that is not there, so that a wrong guide stops the start. The product's name on every page leads to `home`.
 */
export function openGuide(folder: string, tables: Readonly<Record<string, string>>, home = '/docs'): Guide {
  const sources = GUIDE_PAGES.map((name) => {
    const markdown = withTables(readFileSync(join(folder, `${name}.md`), 'utf8'), tables);
    return { name, markdown, title: titleOf(markdown) };
  });
  const menuFor = (current: string) =>
    [...sources.map(({ name, title }) => ({ name, address: addressOf(name), title })), REFERENCE]
      .map(({ name, address, title }) => {
        const here = name === current ? ' aria-current="page"' : '';
        return `<li><a href="${address}"${here}>${escapeHtml(title)}</a></li>`;
      })
      .join('');
  const files = new Map<string, GuideFile>();
  for (const { name, markdown, title } of sources)
    files.set(name === 'index' ? '' : name, {
      type: 'text/html; charset=utf-8',
      body: pageHtml(title, renderMarkdown(markdown, linked), menuFor(name), home),
    });
  const pictures = readdirSync(join(folder, 'pictures')).map((name) => `pictures/${name}`);
  for (const name of ['style.css', 'icon.svg', ...pictures]) {
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(name, { type, body: readFileSync(join(folder, name)) });
  }
  return {
    file: (path) => files.get(path),
    pages: sources.map(({ name, title }) => ({ path: addressOf(name), title })),
  };
}
