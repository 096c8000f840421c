/** The reference page, whole: it reads the description from the service and asks nobody else for anything. */

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Burin API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/api/reference.css">
<script src="/docs/api/reference.js" defer></script>
</head>
<body>
<header>
<p><a href="/docs">Guide</a></p>
<h1>Burin API</h1>
<p id="about"></p>
<label for="key">API key <input id="key" type="password" autocomplete="off" placeholder="brn_live_… (empty: none)"></label>
<p><a href="/api/v1/openapi.json">openapi.json</a></p>
</header>
<nav id="contents" aria-label="Operations"></nav>
<main id="operations"><noscript>This page needs JavaScript; the description is at /api/v1/openapi.json.</noscript></main>
</body>
</html>
`;

export const STYLE = `:root {
  color-scheme: light dark;
  --ink: light-dark(#22262b, #eceae6);
  --soft: light-dark(#5c615f, #a9adb0);
  --line: light-dark(#dcd8d2, #33383e);
  --ground: light-dark(#fdfcfb, #16181b);
  --raised: light-dark(#f3f1ee, #1e2125);
  --edge: light-dark(#8b857c, #717982);
  --accent: light-dark(#a4441f, #eaa374);
}
* { box-sizing: border-box; }
body {
  max-width: 72rem;
  margin: 0 auto;
  padding: 1.5rem 1rem 5rem;
  color: var(--ink);
  background: var(--ground);
  font: clamp(15px, 14px + 0.14vw, 20px)/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
}
h1 { letter-spacing: -0.015em; }
a { color: var(--accent); text-underline-offset: 0.2em; }
header, section { border-bottom: 1px solid var(--line); padding-bottom: 1rem; margin-bottom: 1rem; }
nav ul { padding: 0; list-style: none; columns: 18rem; }
h2 { font-size: 1.1rem; margin: 0.5rem 0; }
h2 code { font-size: 1rem; }
.method { color: var(--accent); text-transform: uppercase; font-weight: 700; }
code, pre, textarea { font: 0.85rem/1.4 ui-monospace, monospace; }
pre { overflow: auto; max-height: 24rem; padding: 0.75rem; border: 1px solid var(--line); }
textarea { width: 100%; min-height: 8rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: 0.25rem 0.5rem; }
input, button, select, textarea {
  max-width: 100%;
  padding: 0.3rem 0.6rem;
  border: 1px solid var(--edge);
  border-radius: 8px;
  color: inherit;
  background: var(--raised);
}
input, button, select { font: inherit; }
button { padding: 0.3rem 1rem; margin-top: 0.5rem; cursor: pointer; }
th { color: var(--soft); font-weight: 500; }
::placeholder { color: var(--soft); opacity: 1; }
#key { width: 18rem; }
main { overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  nav ul { columns: 1; }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  tr:has(th) { position: absolute; clip-path: inset(50%); }
  td { padding: 0.1rem 0; border: 0; }
  td:first-child { font-weight: 600; }
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

export const SCRIPT = String.raw`'use strict';
(async () => {
  const MAX_SHOWN = 20000;
  const make = (tag, text, attributes) => {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    return element;
  };
  const api = await (await fetch('/api/v1/openapi.json')).json();
  const resolve = (node) => (node && node.$ref ? node.$ref.slice(2).split('/').reduce((at, part) => at[part], api) : node);
  document.getElementById('about').textContent = api.info.description + ' Version ' + api.info.version + '.';

  const accepted = (schema) => {
    if (schema.enum) return schema.enum.join(' | ');
    const range = schema.minimum === undefined ? '' : ' ' + schema.minimum + ' to ' + schema.maximum;
    return (schema.type || 'any') + range + (schema.default === undefined ? '' : '; default ' + JSON.stringify(schema.default));
  };
  const fieldTable = (rows, controlOf) => {
    const table = make('table');
    const head = table.appendChild(make('tr'));
    for (const title of ['Field', 'Takes', 'Meaning'].concat(controlOf ? ['Value'] : [])) head.append(make('th', title));
    for (const row of rows) {
      const line = table.appendChild(make('tr'));
      line.append(make('td', row.name), make('td', accepted(row.schema)), make('td', row.description || ''));
      if (controlOf) line.appendChild(make('td')).append(controlOf(row));
    }
    return table;
  };
  const show = async (answer, out) => {
    const lines = ['HTTP ' + answer.status];
    answer.headers.forEach((value, name) => lines.push(name + ': ' + value));
    const type = answer.headers.get('content-type') || '';
    let body = /json|text|svg|xml/.test(type) ? await answer.text() : '(' + (await answer.blob()).size + ' bytes)';
    if (/json/.test(type)) body = JSON.stringify(JSON.parse(body), null, 2);
    if (body.length > MAX_SHOWN) body = body.slice(0, MAX_SHOWN) + '\n… ' + (body.length - MAX_SHOWN) + ' characters more';
    out.textContent = lines.join('\n') + '\n\n' + body;
  };

  const render = (path, method, operation) => {
    const section = make('section', null, { id: operation.operationId });
    const title = section.appendChild(make('h2'));
    title.append(make('span', method, { class: 'method' }), ' ', make('code', path), ' ' + operation.summary);
    if (operation.description) section.append(make('p', operation.description));
    const form = section.appendChild(make('form'));
    const inputs = [];
    const controlOf = (row) => {
      const input = make('input', null, { 'aria-label': row.name, name: row.name });
      if (row.file) input.type = 'file';
      if (row.many) input.multiple = true;
      inputs.push({ row, input });
      return input;
    };
    const parameters = (operation.parameters || []).map(resolve);
    if (parameters.length > 0) form.append(fieldTable(parameters, controlOf));
    const [mediaType, content] = Object.entries((operation.requestBody || { content: {} }).content)[0] || [];
    let text;
    if (mediaType !== undefined) {
      const properties = Object.entries(resolve(content.schema).properties).map(([name, schema]) => {
        const found = resolve(schema);
        const many = found.type === 'array';
        const file = ((many ? found.items : found) || {}).contentMediaType !== undefined;
        return { name, schema: found, description: found.description, file, many, form: true };
      });
      if (mediaType === 'multipart/form-data') form.append(fieldTable(properties, controlOf));
      else {
        text = make('textarea', JSON.stringify(content.example || {}, null, 2), { 'aria-label': 'JSON body' });
        const details = make('details');
        details.append(make('summary', 'Fields'), fieldTable(properties));
        form.append(text, details);
      }
    }
    form.append(make('button', 'Run', { type: 'submit' }));
    const out = section.appendChild(make('pre', null, { 'aria-live': 'polite', tabindex: '0' }));
    out.hidden = true;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      out.hidden = false;
      out.textContent = '…';
      const headers = {};
      const query = new URLSearchParams();
      const body = new FormData();
      let url = path;
      const key = document.getElementById('key').value.trim();
      if (key) headers['X-API-Key'] = key;
      for (const { row, input } of inputs) {
        if (row.file) for (const file of input.files) body.append(row.name, file);
        else if (input.value === '') continue;
        else if (row.form) body.append(row.name, input.value);
        else if (row.in === 'header') headers[row.name] = input.value;
        else if (row.in === 'path') url = url.replace('{' + row.name + '}', encodeURIComponent(input.value));
        else query.append(row.name, input.value);
      }
      if (text) headers['Content-Type'] = 'application/json';
      try {
        const send = mediaType === undefined ? undefined : text ? text.value : body;
        const search = query.size > 0 ? '?' + query : '';
        await show(await fetch(url + search, { method: method.toUpperCase(), headers, body: send }), out);
      } catch (error) {
        out.textContent = String(error);
      }
    });
    const answers = make('details');
    answers.append(make('summary', 'Answers'));
    const table = answers.appendChild(make('table'));
    for (const [status, answer] of Object.entries(operation.responses)) {
      const line = table.appendChild(make('tr'));
      line.append(make('td', status), make('td', answer.description));
    }
    section.append(answers);
    return section;
  };

  const list = document.getElementById('contents').appendChild(make('ul'));
  const main = document.getElementById('operations');
  main.textContent = '';
  for (const [path, methods] of Object.entries(api.paths))
    for (const [method, operation] of Object.entries(methods)) {
      list.appendChild(make('li')).append(make('a', operation.summary, { href: '#' + operation.operationId }));
      main.append(render(path, method, operation));
    }
})();
`;
