import type * as Api from './api-types.js';
import { BurinError } from './burin-error.js';
import { type PictureInput, toNamedBlob } from './picture.js';
import { type Answer, type RetryNote, type SendOptions, send, waitFor } from './send.js';

export interface BurinClientOptions {
  /** Where the service is; http://localhost:3000 where left out. */
  readonly baseUrl?: string | URL | undefined;
  readonly apiKey?: string | undefined;
  /** How often a request is sent again; 5 where left out, 0 for never. */
  readonly maxRetries?: number | undefined;
  /** The longest wait before that; 60,000 where left out. */
  readonly maxRetryDelayMs?: number | undefined;
  /** How long one attempt may take; 0, which is no limit, where left out. */
  readonly timeoutMs?: number | undefined;
  readonly onRetry?: ((retry: RetryNote) => void) | undefined;
  /** Another `fetch` than the platform's. */
  readonly fetch?: typeof fetch | undefined;
  /** Another way to wait, for tests. */
  readonly wait?: SendOptions['wait'] | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Work with the same key is done and paid once, within 24 hours; one is made for each call where left out. */
  readonly idempotencyKey?: string | undefined;
}

export interface ConvertOptions extends RequestOptions {
  /** What the picture is called; the name of its file where left out. */
  readonly fileName?: string | undefined;
}

type WithLists<Form> = {
  readonly [Name in keyof Form]?: Name extends 'fixed_palette' | 'curves'
    ? string | readonly string[] | undefined
    : Form[Name];
};
/** Every parameter of a conversion; see the table of parameters. */
export type ConvertSettings = WithLists<Omit<Api.ConversionForm, 'imageFile' | 'output' | 'dry_run'>>;

/** What a request cost. */
export interface Credits {
  readonly charged: number;
  readonly remaining: number;
  /** It was answered before; this is that answer again. */
  readonly replayed: boolean;
}
export type Charged<Body> = Body & { readonly credits: Credits };

/** Where a file is, as convert, export and exportZip answer it. */
export type FileReference =
  | Pick<Api.Export, 'downloadPathBasename' | 'downloadActualFilename'>
  | Pick<Api.Zip, 'zipBasename' | 'zipFilename'>;

const DEFAULT_URL = 'http://localhost:3000';

/** 128 random bits. Not randomUUID: pages without https have none. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const jsonOf = <Body>({ bytes, status }: Answer): Body => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Body;
  } catch (cause) {
    throw new BurinError('The answer is no JSON.', { code: 'UNEXPECTED_ANSWER', status }, { cause });
  }
};

const creditsOf = ({ headers }: Answer): Credits => ({
  charged: Number(headers.get('x-credits-charged') ?? 0),
  remaining: Number(headers.get('x-credits-remaining') ?? 0),
  replayed: headers.get('idempotent-replayed') === 'true',
});

function appendSettings(form: FormData, settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(settings))
    if (value !== undefined && value !== null)
      form.append(name, Array.isArray(value) ? value.join(',') : String(value));
}

/**
 * The API of a Burin service. Every request is repeated where it failed for a passing reason: no connection, 429, 502, 503,
 * 504, 507. Work is sent with an Idempotency-Key, so that nothing is done or paid twice. Every method rejects with a BurinError.
 */
export class BurinClient {
  readonly #base: string;
  readonly #apiKey: string | undefined;
  readonly #options: SendOptions;

  constructor(options: BurinClientOptions = {}) {
    const { baseUrl = DEFAULT_URL, apiKey, maxRetries = 5, maxRetryDelayMs = 60_000, timeoutMs = 0, onRetry } = options;
    this.#base = String(baseUrl).replace(/\/+$/, '');
    if (!URL.canParse(this.#base)) throw new TypeError(`baseUrl is no URL: ${this.#base}`);
    this.#apiKey = apiKey;
    this.#options = {
      // Called on its own: browsers want their fetch to be nobody's method.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      maxRetries,
      maxRetryDelayMs,
      timeoutMs,
      wait: options.wait ?? waitFor,
      onRetry,
    };
  }

  /** Converts one picture to SVG. */
  async convert(
    picture: PictureInput,
    settings: ConvertSettings = {},
    options: ConvertOptions = {},
  ): Promise<Charged<Api.Conversion>> {
    const answer = await this.#work('/api/v1/convert', await this.#form(picture, settings, options), options);
    return { ...jsonOf<Api.Conversion>(answer), credits: creditsOf(answer) };
  }

  /** What a conversion would cost, and every setting as it would be used; nothing is charged. */
  async estimate(
    settings: ConvertSettings = {},
    picture?: PictureInput,
    options: RequestOptions = {},
  ): Promise<Api.ConversionEstimate> {
    const form = picture === undefined ? new FormData() : await this.#form(picture, {}, {});
    appendSettings(form, { ...settings, dry_run: true });
    return jsonOf(await this.#work('/api/v1/convert', form, options));
  }

  /** Converts up to ten pictures in one request, one after the other, each with its own result and charge. */
  async convertBatch(
    pictures: readonly PictureInput[],
    settings: ConvertSettings = {},
    options: RequestOptions = {},
  ): Promise<Charged<Api.BatchConversion>> {
    const form = new FormData();
    appendSettings(form, settings);
    for (const picture of pictures) {
      const { blob, name } = await toNamedBlob(picture);
      form.append('imageFiles', blob, name);
    }
    const answer = await this.#work('/api/v1/convert-batch', form, options);
    return { ...jsonOf<Api.BatchConversion>(answer), credits: creditsOf(answer) };
  }

  /** Begins a conversion and does not wait for it. */
  async startConversion(
    picture: PictureInput,
    settings: ConvertSettings = {},
    options: ConvertOptions = {},
  ): Promise<Api.Job> {
    const form = await this.#form(picture, settings, options);
    return jsonOf(await this.#work('/api/v1/convert', form, options, { prefer: 'respond-async' }));
  }

  /** How a job stands; with its result or error once it has ended. */
  async job(id: string, options: RequestOptions = {}): Promise<Api.Job> {
    return this.#get(`/api/v1/jobs/${encodeURIComponent(id)}`, options);
  }

  async cancelJob(id: string, { signal }: RequestOptions = {}): Promise<Api.Job> {
    const init = { method: 'DELETE', headers: this.#headers() };
    return jsonOf(await send(`${this.#base}/api/v1/jobs/${encodeURIComponent(id)}`, init, this.#options, signal));
  }

  /** Exports a drawing: SVG markup, or the `downloadPathBasename` of a conversion, which is exact. */
  async export(request: Api.ExportRequest, options: RequestOptions = {}): Promise<Api.Export> {
    return jsonOf(await this.#work('/api/v1/export', JSON.stringify(request), options));
  }

  /** Exports up to twenty drawings into one ZIP. */
  async exportZip(items: readonly Api.ExportRequest[], options: RequestOptions = {}): Promise<Api.Zip> {
    return jsonOf(await this.#work('/api/v1/batch', JSON.stringify({ items }), options));
  }

  /** The bytes of a produced file. */
  async download(file: FileReference, { signal }: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const [fileBasename, actualFilename] =
      'zipBasename' in file
        ? [file.zipBasename, file.zipFilename]
        : [file.downloadPathBasename, file.downloadActualFilename];
    const query = new URLSearchParams({ fileBasename, actualFilename });
    const { bytes } = await send(`${this.#base}/download-file?${query}`, {}, this.#options, signal);
    return bytes;
  }

  /** Plan, credits and the last 30 days of the key. */
  usage(options: RequestOptions = {}): Promise<Api.Usage> {
    return this.#get('/api/v1/usage', options);
  }

  /** Formats, options, presets, tiers and limits of this service. */
  capabilities(options: RequestOptions = {}): Promise<Api.Capabilities> {
    return this.#get('/api/v1/capabilities', options);
  }

  status(options: RequestOptions = {}): Promise<Api.Status> {
    return this.#get('/api/v1/status', options);
  }

  #headers(): Record<string, string> {
    return this.#apiKey === undefined ? {} : { 'x-api-key': this.#apiKey };
  }

  async #form(picture: PictureInput, settings: ConvertSettings, { fileName }: ConvertOptions): Promise<FormData> {
    const { blob, name } = await toNamedBlob(picture, fileName);
    const form = new FormData();
    appendSettings(form, settings);
    form.append('imageFile', blob, name);
    return form;
  }

  #work(
    path: string,
    body: FormData | string,
    { signal, idempotencyKey = newIdempotencyKey() }: RequestOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const type: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const all = { ...this.#headers(), ...type, ...headers, 'idempotency-key': idempotencyKey };
    return send(`${this.#base}${path}`, { method: 'POST', body, headers: all }, this.#options, signal);
  }

  async #get<Body>(path: string, { signal }: RequestOptions): Promise<Body> {
    return jsonOf(await send(`${this.#base}${path}`, { headers: this.#headers() }, this.#options, signal));
  }
}
