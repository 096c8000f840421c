import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { convertForm, MULTIPART_TYPE, multipartBody } from '#test/support/multipart.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { circlesPng } from '#test/support/png-files.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { writeBmp } from '#test/support/write-bmp.js';

/** One thing that a client does, from its first request to the last answer. */
export interface Deed {
  readonly name: string;
  /** How often it is done, beside the others. */
  readonly weight: number;
  readonly run: () => Promise<void>;
}

export interface TrafficOptions {
  readonly url: string;
  /** Secrets of keys of plan `pro`. */
  readonly keys: readonly string[];
  /** Is told of every answer; a client that went away has none. */
  readonly onStatus: (deed: string, status: number) => void;
}

const FORMATS = ['pdf', 'eps', 'dxf', 'png', 'jpg', 'webp', 'avif'] as const;
const TIERS = ['fast', 'fast', 'fast', 'balanced_crisp', 'balanced_crisp', 'high_precision'] as const;
const SIZES = [32, 48, 64, 96, 128, 192, 320] as const;
const PAGES = [
  '/',
  '/dashboard',
  '/dashboard/sign-in',
  '/docs',
  '/docs/api',
  '/api/v1',
  '/api/v1/capabilities',
] as const;
const FIGURES = ['/health', '/readyz', '/livez', '/metrics', '/api/v1/status', '/api/v1/openapi.json'] as const;
const OWN = [
  '/api/v1/session',
  '/api/v1/account',
  '/api/v1/account/keys',
  '/api/v1/account/charges',
  '/api/v1/account/errors',
] as const;
/** A client that loses patience does so within this. */
const PATIENCE_MS = 120;
const JSON_TYPE = 'application/json';

async function samplePictures(): Promise<readonly Buffer[]> {
  const random = createSeededRandom(5);
  const made: Buffer[] = [];
  for (const size of SIZES)
    for (let i = 0; i < 5; i++) {
      const png = await circlesPng(size, 4 + Math.floor(random() * 16), size * 10 + i);
      const one = sharp(png);
      const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      made.push(
        i === 0
          ? png
          : i === 1
            ? await one.flatten().jpeg().toBuffer()
            : i === 2
              ? await one.webp().toBuffer()
              : i === 3
                ? await one.avif({ effort: 0 }).toBuffer()
                : Buffer.from(writeBmp(info.width, info.height, data)),
      );
    }
  return made;
}

/** Everything that people do with the service, each deed with new pictures each time. Seeded, but for when clients lose patience. */
export async function mixedTraffic({ url, keys, onStatus }: TrafficOptions): Promise<readonly Deed[]> {
  const random = createSeededRandom(11);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const pictures = await samplePictures();
  const assets = readdirSync(join(PACKAGE_ROOT, 'dist/adapters/web/assets')).map((name) => `/assets/${name}`);
  let sent = 0;
  /** What follows a picture's end makes it another one, which is not a free re-trace. */
  const newPicture = (): Buffer => Buffer.concat([pick(pictures), Buffer.from(`#${++sent}`)]);
  const settings = () => ({
    quality_tier: pick(TIERS),
    ...(random() < 0.3 && { preset: pick(['logo', 'photo', 'technical_drawing']) }),
  });

  interface Asked {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: Uint8Array | string;
    readonly signal?: AbortSignal;
    readonly key?: string;
  }
  interface Answer {
    readonly svg: string;
    readonly downloadPathBasename: string;
    readonly downloadActualFilename: string;
    readonly zipBasename?: string;
    readonly zipFilename?: string;
    readonly links: { readonly self: string; readonly events: string };
  }
  const send = async (deed: string, path: string, { key, headers, ...rest }: Asked = {}) => {
    const answer = await fetch(`${url}${path}`, {
      ...(rest as RequestInit),
      headers: { ...headers, ...(key !== undefined && { 'x-api-key': key }) },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    onStatus(deed, answer.status);
    return { status: answer.status, bytes, json: () => JSON.parse(bytes.toString()) as Answer };
  };
  const post = (deed: string, path: string, body: unknown, key: string) =>
    send(deed, path, { method: 'POST', headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(body), key });
  const form = (deed: string, body: Buffer, key: string, more: Asked = {}, path = '/api/v1/convert') =>
    send(deed, path, {
      method: 'POST',
      body: new Uint8Array(body),
      key,
      ...more,
      headers: { 'content-type': MULTIPART_TYPE, ...more.headers },
    });
  const svgOf = async (deed: string, key: string): Promise<string> => {
    const made = await form(deed, convertForm(pick(pictures), { quality_tier: 'fast' }), key);
    return made.status === 200 ? made.json().svg : '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  };
  const download = async (deed: string, made: Awaited<ReturnType<typeof send>>, key: string) => {
    if (made.status !== 200) return;
    const { downloadPathBasename, downloadActualFilename, zipBasename, zipFilename } = made.json();
    const query = new URLSearchParams({
      fileBasename: zipBasename ?? downloadPathBasename,
      actualFilename: zipFilename ?? downloadActualFilename,
    });
    await send(deed, `/download-file?${query}`, { key });
  };
  const deed = (name: string, weight: number, run: (name: string, key: string) => Promise<unknown>): Deed => ({
    name,
    weight,
    run: async () => void (await run(name, pick(keys))),
  });

  return [
    deed('convert', 30, async (name, key) => form(name, convertForm(newPicture(), settings()), key)),
    deed('convert and download', 4, async (name, key) =>
      download(name, await form(name, convertForm(newPicture(), { quality_tier: 'fast' }), key), key),
    ),
    deed('convert again', 4, async (name, key) => form(name, convertForm(pick(pictures), settings()), key)),
    deed('batch', 4, async (name, key) => {
      const files = Array.from({ length: 3 }, (_, i) => ({
        name: 'imageFiles',
        value: i === 2 && random() < 0.3 ? Buffer.from('no picture') : newPicture(),
        fileName: `${i}.png`,
      }));
      return form(
        name,
        multipartBody([{ name: 'quality_tier', value: 'fast' }, ...files]),
        key,
        {},
        '/api/v1/convert-batch',
      );
    }),
    deed('export', 12, async (name, key) => {
      const svg = await svgOf(name, key);
      await download(name, await post(name, '/api/v1/export', { svg, format: pick(FORMATS) }, key), key);
    }),
    deed('zip', 3, async (name, key) => {
      const svg = await svgOf(name, key);
      const items = FORMATS.slice(0, 4).map((format) => ({ svg, format }));
      await download(name, await post(name, '/api/v1/batch', { items }, key), key);
    }),
    deed('job', 5, async (name, key) => {
      const begun = await form(name, convertForm(newPicture(), settings()), key, {
        headers: { prefer: 'respond-async, wait=0' },
      });
      if (begun.status !== 202) return;
      const { self, events } = begun.json().links;
      if (random() < 0.25) return void (await send(name, self, { method: 'DELETE', key }));
      await send(name, events, { key });
      await send(name, self, { key });
    }),
    deed('idempotent retry', 4, async (name, key) => {
      const [body, more] = [
        convertForm(newPicture(), settings()),
        { headers: { 'idempotency-key': `soak ${++sent}` } },
      ];
      if (random() < 0.5) await Promise.all([form(name, body, key, more), form(name, body, key, more)]);
      else for (let i = 0; i < 2; i++) await form(name, body, key, more);
    }),
    deed('bad input', 6, async (name, key) => {
      const picture = newPicture();
      const damaged = Buffer.from(picture);
      for (let i = 0; i < 20; i++)
        damaged[20 + Math.floor(random() * (damaged.length - 20))] = Math.floor(random() * 256);
      const bodies = [
        convertForm(damaged),
        convertForm(picture.subarray(0, picture.length >> 1)),
        convertForm(Buffer.from('no picture')),
        convertForm(picture, { quality_tier: 'none' }),
        convertForm(undefined),
      ];
      await form(name, pick(bodies), key);
      await post(name, '/api/v1/export', { svg: '<svg', format: 'pdf' }, key);
      await send(name, '/api/v1/convert', { method: 'POST', body: '{', headers: { 'content-type': JSON_TYPE }, key });
      await send(name, pick(['/nowhere', '/api/v1/jobs/none', '/%zz', '/api/v1/usage']), { key: 'brn_live_wrong' });
    }),
    deed('client gone', 6, async (name, key) => {
      const gone = new AbortController();
      const timer = setTimeout(() => gone.abort(), Math.random() * PATIENCE_MS);
      await form(name, convertForm(newPicture(), settings()), key, { signal: gone.signal }).catch((error: Error) => {
        if (error.name !== 'AbortError') throw error;
      });
      clearTimeout(timer);
    }),
    deed('pages', 8, async (name) => send(name, pick([...PAGES, ...assets]))),
    deed('dashboard', 8, async (name, key) => {
      await send(name, '/api/v1/usage', { key });
      // The owner, at a page that is open on the machine itself.
      for (const path of OWN) await send(name, path, { headers: { referer: `${url}/dashboard` } });
    }),
    deed('figures', 4, async (name) => send(name, pick(FIGURES))),
    deed('mcp', 3, async (name, key) => {
      const call = (method: string, params: object) =>
        send(name, '/mcp', {
          method: 'POST',
          headers: { 'content-type': JSON_TYPE, accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: ++sent, method, params }),
          key,
        });
      await call('tools/list', {});
      const base64 = newPicture().toString('base64');
      await call('tools/call', { name: 'vectorize_image', arguments: { base64, quality_tier: 'fast' } });
    }),
  ];
}
