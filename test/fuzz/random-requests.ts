import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { mutateBytes } from '#test/support/mutate-bytes.js';
import type { Choices } from './choices.js';
import { mutatePicture } from './mutate-picture.js';
import { settingsFrom, soundSettingsFrom } from './random-settings.js';
import type { SamplePicture } from './sample-pictures.js';
import { generateMarkup } from './svg-markup.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export interface FuzzRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | undefined;
}

/** An address of the service as its description has it. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly queryNames: readonly string[];
}

export interface RequestSources {
  readonly operations: readonly Operation[];
  readonly pictures: readonly SamplePicture[];
  /** Headers of somebody who has a key. */
  readonly key: Readonly<Record<string, string>>;
  /** Names that were answered before: files, jobs, keys. */
  readonly known: readonly string[];
}

/** Half of the requests go where work is done. */
const WORKED = 0.5;
const IS_WORK = /convert|export|batch|mcp/;
const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const STRANGE = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  'true',
  '%',
  '%00',
  '%ff',
  '..',
  '../../etc/passwd',
  '..%2f..%2fetc',
  '\u202egnp',
  'a'.repeat(3000),
  "'--",
  '<script>',
  '{}',
  '[]',
  '\r\nx: y',
  '€',
  '__proto__',
  'NaN',
  'C:\\x',
  'a/b.png',
];
const FIELDS = [
  'imageFile',
  'files',
  'svg',
  'format',
  'options',
  'file',
  'email',
  'password',
  'name',
  'token',
  'plan',
  'credits',
  'fileBasename',
  'actualFilename',
  'jsonrpc',
  'id',
  'method',
  'params',
  'drawing',
  'items',
  'limit',
  'note',
] as const;
const FORMATS = ['svg', 'pdf', 'eps', 'dxf', 'png', 'PNG', 'gif', ''] as const;

/** Bytes of a header, which no server sees otherwise: a parser before it lets no others through. */
const headerSafe = (text: string) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '?');

const headersFrom = (choices: Choices, { key, known }: RequestSources): Record<string, string> => {
  const headers: Record<string, string> = {};
  const strange = () => headerSafe(choices.pick([...STRANGE, ...known]));
  const may: readonly (() => void)[] = [
    () => Object.assign(headers, key),
    () => Object.assign(headers, key),
    () => (headers['x-api-key'] = strange()),
    () => (headers.authorization = `${choices.pick(['Bearer ', 'Basic ', 'bearer', ''])}${strange()}`),
    () => (headers.cookie = `${choices.pick(['burin_session=', '__Host-burin=', 'a=b; c', '='])}${strange()}`),
    () => (headers.origin = choices.pick(['null', 'http://localhost', 'https://evil.example', strange()])),
    () => (headers['sec-fetch-site'] = choices.pick(['same-origin', 'cross-site', strange()])),
    () => (headers.host = choices.pick(['localhost', '127.0.0.1:80', '[::1]', 'evil.example', strange()])),
    () => (headers['idempotency-key'] = choices.pick(['k1', 'k2', 'k3', strange()])),
    () => (headers.prefer = choices.pick(['respond-async', 'wait=5', strange()])),
    () => (headers.accept = choices.pick(['image/svg+xml', 'application/json', '*/*', 'text/event-stream', strange()])),
    () => (headers['accept-encoding'] = choices.pick(['gzip', 'br', 'identity;q=0', strange()])),
    () => (headers['x-forwarded-for'] = strange()),
    () => (headers.range = choices.pick(['bytes=0-1', 'bytes=-1', 'bytes=9999999999-', strange()])),
    () => (headers['if-none-match'] = strange()),
    () => (headers['content-encoding'] = choices.pick(['gzip', strange()])),
    () => (headers['last-event-id'] = strange()),
    () => (headers.traceparent = choices.pick(['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', strange()])),
  ];
  if (choices.chance(0.5)) Object.assign(headers, key);
  for (let count = choices.chance(0.5) ? 0 : choices.below(5); count > 0; count--) choices.pick(may)();
  return headers;
};

const urlFrom = (choices: Choices, operation: Operation, sources: RequestSources): string => {
  const value = () => choices.pick([...STRANGE, ...sources.known]);
  let path = operation.path.replace(/\{[^}]*\}|\*/g, () =>
    choices.chance(0.9) ? encodeURIComponent(value()) : value(),
  );
  if (choices.chance(0.04)) path += choices.pick(['/', '//', '/..', '%2f', ';x', '.json', '%']);
  const names = [...operation.queryNames, ...operation.queryNames, ...FIELDS];
  const query = Array.from({ length: choices.chance(IS_WORK.test(path) ? 0.95 : 0.3) ? 0 : choices.below(4) }, () => {
    const text = value();
    return `${choices.pick(names)}${choices.pick(['=', '=', '=', '', '[]=', '[a]='])}${choices.chance(0.8) ? encodeURIComponent(text) : text}`;
  });
  // A request line takes no white space; what is left of it is for the service to understand.
  return `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`.replace(/[^\x21-\x7e]/g, (c) =>
    encodeURIComponent(c),
  );
};

const jsonFrom = (choices: Choices, depth = 0): unknown => {
  if (depth > 3 || choices.chance(0.35))
    return choices.pick([null, true, 0, -1, 1.5, 1e308, '', 'svg', '<svg/>', 'x'.repeat(2000), [], {}, ...STRANGE]);
  if (choices.chance(0.25)) return Array.from({ length: choices.below(4) }, () => jsonFrom(choices, depth + 1));
  const entries = Array.from({ length: choices.below(5) }, () => [choices.pick(FIELDS), jsonFrom(choices, depth + 1)]);
  return Object.fromEntries(entries);
};

const exportBody = (choices: Choices): unknown => {
  const one = () => ({
    svg: choices.chance(0.8)
      ? generateMarkup(choices)
      : choices.chance(0.5)
        ? '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h5v5z"/></svg>'
        : jsonFrom(choices),
    format: choices.pick(FORMATS),
    ...(choices.chance(0.1) && { [choices.pick(FIELDS)]: jsonFrom(choices, 2) }),
    ...(choices.chance(0.2) && {
      [choices.pick(EXPORT_OPTION_NAMES)]: choices.pick([true, 0, 1, 300, 1e9, 'auto', '#fff', null]),
    }),
    ...(choices.chance(0.2) && { exportOptions: choices.chance(0.5) ? {} : jsonFrom(choices, 2) }),
    ...(choices.chance(0.3) && { filenameBase: choices.pick(STRANGE) }),
    ...(choices.chance(0.1) && { sourceSvgBasename: choices.pick([...STRANGE]) }),
  });
  return choices.chance(0.6) ? one() : { items: Array.from({ length: choices.below(4) }, one) };
};

const mcpBody = (choices: Choices): unknown => ({
  jsonrpc: choices.pick(['2.0', '2.0', '2.0', '1.0', 2]),
  id: choices.pick([1, 'a', null, 1.5]),
  method: choices.pick([
    'initialize',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'prompts/get',
    'ping',
    'x',
    '',
  ]),
  params: choices.chance(0.5)
    ? { name: choices.pick(['vectorize_image', 'export_svg', 'get_usage', 'x']), arguments: jsonFrom(choices, 1) }
    : jsonFrom(choices, 1),
});

const BOUNDARY = 'fuzz-boundary';
const LINE = '\r\n';

/** A form, sound for the most part: pictures changed or whole, parameters, and parts whose headers are strange. */
function formFrom(choices: Choices, sources: RequestSources): Buffer {
  const parts: Buffer[] = [];
  const add = (head: string, value: Uint8Array | string) =>
    parts.push(
      Buffer.concat([Buffer.from(`--${BOUNDARY}${LINE}${head}${LINE}${LINE}`), Buffer.from(value), Buffer.from(LINE)]),
    );
  const name = () => choices.pick([...FIELDS.slice(0, 2), ...STRANGE]).replaceAll('"', '');
  for (const [setting, value] of Object.entries((choices.chance(0.6) ? soundSettingsFrom : settingsFrom)(choices)))
    add(
      `Content-Disposition: form-data; name="${setting}"`,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    );
  for (let files = choices.pick([0, 1, 1, 1, 1, 2, 12]); files > 0; files--) {
    const { kind, bytes } = choices.pick(sources.pictures);
    const field = choices.chance(0.9) ? choices.pick(['imageFile', 'imageFile', 'files']) : name();
    const fileName = choices.chance(0.7) ? 'a.png' : choices.pick(STRANGE).replaceAll('"', '');
    const file = choices.chance(0.5) ? bytes : mutatePicture(kind, bytes, choices);
    add(
      `Content-Disposition: form-data; name="${field}"; filename="${fileName}"${LINE}Content-Type: ${choices.pick(['image/png', 'text/plain', 'application/json', '', 'x'])}`,
      file,
    );
  }
  if (choices.chance(0.05)) for (let i = 0; i < 300; i++) add('Content-Disposition: form-data; name="preset"', 'logo');
  if (choices.chance(0.1))
    add(
      choices.pick([
        '',
        'X: y',
        'Content-Disposition: form-data',
        `Content-Disposition: form-data; name*=UTF-8''%ff`,
        'Content-Disposition: attachment',
        `A: ${'x'.repeat(9000)}`,
      ]),
      'x',
    );
  const form = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}${choices.chance(0.95) ? '--' : ''}${LINE}`)]);
  return choices.chance(0.2) && form.length > 0 ? Buffer.from(mutateBytes(form, choices.random)) : form;
}

/** One request: an address that there is or is not, with headers, a query and a body that fit it for the most part. */
export function requestFrom(choices: Choices, sources: RequestSources): FuzzRequest {
  const worked = choices.chance(WORKED) ? sources.operations.filter(({ path }) => IS_WORK.test(path)) : [];
  const operation = choices.pick(worked.length > 0 ? worked : sources.operations);
  const method = choices.chance(0.92) ? operation.method : choices.pick(METHODS);
  const headers = headersFrom(choices, sources);
  const url = urlFrom(choices, operation, sources);
  if (method === 'GET' || method === 'HEAD' || (method === 'DELETE' && choices.chance(0.9)))
    return { method, url, headers, payload: undefined };
  const isForm = /convert/.test(operation.path) ? choices.chance(0.93) : choices.chance(0.05);
  if (isForm) {
    const type = choices.chance(0.95)
      ? `multipart/form-data; boundary=${BOUNDARY}`
      : choices.pick(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/mixed; boundary=x', '']);
    return { method, url, headers: { ...headers, 'content-type': type }, payload: formFrom(choices, sources) };
  }
  const body = /mcp/.test(operation.path)
    ? mcpBody(choices)
    : /export|batch/.test(operation.path)
      ? exportBody(choices)
      : jsonFrom(choices);
  let payload = Buffer.from(JSON.stringify(body) ?? 'null');
  if (choices.chance(0.2) && payload.length > 0) payload = Buffer.from(mutateBytes(payload, choices.random));
  if (choices.chance(0.02)) payload = Buffer.from('['.repeat(choices.pick([100, 100_000])));
  const type = choices.chance(0.92)
    ? 'application/json'
    : choices.pick([
        'text/plain',
        'application/json; charset=x',
        'application/xml',
        '',
        ';',
        'application/x-www-form-urlencoded',
      ]);
  if (/mcp/.test(operation.path) && choices.chance(0.8)) headers.accept = 'application/json, text/event-stream';
  return { method, url, headers: { ...headers, 'content-type': type }, payload };
}
