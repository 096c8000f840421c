import type { ChosenSettings } from './trace.js';

export interface Call {
  readonly origin: string;
  readonly fileName: string;
  readonly settings: ChosenSettings;
}

/** In single quotes for a shell. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const literal = (text: string) => JSON.stringify(text);

const curl = ({ origin, fileName, settings }: Call) =>
  [
    `curl -sS ${origin}/api/v1/convert \\`,
    '  -H "X-API-Key: $BURIN_KEY" \\',
    ...Object.entries(settings).map(([name, value]) => `  -F ${shell(`${name}=${value}`)} \\`),
    `  -F ${shell(`imageFile=@${fileName}`)} \\`,
    '  -F output=svg -o drawing.svg',
    '',
  ].join('\n');

const javascript = ({ origin, fileName, settings }: Call) =>
  [
    "import { openAsBlob, writeFileSync } from 'node:fs';",
    '',
    "const key = 'brn_live_…'; // made in the dashboard",
    'const form = new FormData();',
    ...Object.entries(settings).map(([name, value]) => `form.append(${literal(name)}, ${literal(value)});`),
    `form.append('imageFile', await openAsBlob(${literal(fileName)}), ${literal(fileName)});`,
    `const answer = await fetch(${literal(`${origin}/api/v1/convert`)}, {`,
    "  method: 'POST',",
    "  headers: { 'X-API-Key': key },",
    '  body: form,',
    '});',
    'const body = await answer.json();',
    'if (!answer.ok) throw new Error(body.error);',
    "writeFileSync('drawing.svg', body.svg);",
    '',
  ].join('\n');

const python = ({ origin, fileName, settings }: Call) =>
  [
    'import requests',
    '',
    'key = "brn_live_…"  # made in the dashboard',
    'answer = requests.post(',
    `    ${literal(`${origin}/api/v1/convert`)},`,
    '    headers={"X-API-Key": key},',
    `    files={"imageFile": open(${literal(fileName)}, "rb")},`,
    '    data={',
    ...Object.entries(settings).map(([name, value]) => `        ${literal(name)}: ${literal(value)},`),
    '    },',
    ')',
    'answer.raise_for_status()',
    'open("drawing.svg", "w").write(answer.json()["svg"])',
    '',
  ].join('\n');

/** The call that asks for what is on the stage, in the languages of those who will make it. */
export const SNIPPETS = [
  { id: 'curl', label: 'curl', write: curl },
  { id: 'javascript', label: 'JavaScript', write: javascript },
  { id: 'python', label: 'Python', write: python },
] as const;
