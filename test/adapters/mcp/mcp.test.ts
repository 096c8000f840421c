import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Progress, ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { FIXES } from '#domain/error-fixes.js';
import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { publishedNames, settingNames, toJsonSchema } from '#domain/presets/settings.js';
import { PRESET_IDS } from '#domain/presets/settings-table.js';
import { TIERS } from '#domain/tiers/tier.js';
import { exporters } from '#plugins/index.js';
import { createTestService } from '#test/support/http-service.js';
import { circle } from '#test/support/outlines.js';
import { layer, paint, single } from '#test/support/pictures.js';
import { noisePng } from '#test/support/png-files.js';
import { CLI } from '#test/support/run-burin.js';
import { toPpm } from '#test/support/run-tracer.js';
import { pngOf } from '#test/support/write-png.js';

const TOOLS = ['vectorize_image', 'vectorize_batch', 'export_svg', 'get_usage', 'get_capabilities', 'get_status'];
const disc = (n: number) => pngOf(paint(40, 40, 0xffffff, [layer(0x203040 + n * 5077, circle(20, 20, 8 + (n % 9)))]));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string; readonly mimeType?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: fields of answers are looked at one by one
  readonly structuredContent?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly _meta?: any;
}

/** The SDK's own client, which holds every answer against the tool's output schema. */
async function callerOf(transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport as never);
  // It compiles the output schemas when they are listed.
  const { tools } = await client.listTools();
  // Its own handler drops what comes together with the answer.
  let listener: ((note: Progress) => void) | undefined;
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => listener?.(params));
  const call = async (
    name: string,
    args: Record<string, unknown> = {},
    onprogress?: (note: Progress) => void,
    signal?: AbortSignal,
  ) => {
    listener = onprogress;
    const params = { name, arguments: args, ...(onprogress && { _meta: { progressToken: 'here' } }) };
    const answer = await client.callTool(params, undefined, signal && { signal });
    await new Promise((turn) => setImmediate(turn));
    return answer as unknown as Answer;
  };
  return { client, tools, call };
}

const failureOf = ({ isError, content, _meta }: Answer) => {
  expect(isError).to.equal(true);
  const failure = _meta['burin/error'] as { code: string; error: string; fix: string; field?: string };
  expect(content[0]!.text).to.equal(`${failure.code}: ${failure.error}\nFix: ${failure.fix}`);
  expect(failure.fix).to.equal(FIXES[failure.code as keyof typeof FIXES]);
  return failure;
};

describe('MCP over stdio, with the engine in process', function () {
  // Processes of their own, on machines that have other things to do.
  this.timeout(120_000);
  let folder: string;
  let opened: string;
  let made: Awaited<ReturnType<typeof callerOf>>;
  const at = (...names: string[]) => join(opened, ...names);
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'burin-mcp-')));
    opened = join(folder, 'opened');
    mkdirSync(at('many'), { recursive: true });
    writeFileSync(join(folder, 'secret.png'), disc(1));
    writeFileSync(at('logo.png'), disc(1));
    writeFileSync(at('broken.png'), disc(1).subarray(0, 90));
    writeFileSync(at('text.png'), 'text');
    symlinkSync(join(folder, 'secret.png'), at('link.png'));
    symlinkSync(folder, at('way-out'));
    for (let n = 0; n < 19; n++) writeFileSync(at('many', `p${n}.png`), disc(n));
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => name !== 'BURIN_URL' && name !== 'BURIN_API_KEY'),
    ) as Record<string, string>;
    made = await callerOf(
      new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp', '--allow', opened],
        env,
        stderr: 'inherit',
      }),
    );
  });
  after(async () => {
    await made.client.close();
    rmSync(folder, { recursive: true });
  });

  it('lists six tools with schemas that are valid, made of the tables', async () => {
    const { tools, client } = made;
    expect(tools.map(({ name }) => name)).to.deep.equal(TOOLS);
    // Strict: a keyword that means nothing is a fault.
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    for (const { name, inputSchema, outputSchema, description, title, annotations } of tools) {
      expect(ajv.validateSchema(inputSchema), `${name}: ${ajv.errorsText()}`).to.equal(true);
      expect(ajv.validateSchema(outputSchema!), `${name}: ${ajv.errorsText()}`).to.equal(true);
      expect(() => ajv.compile(inputSchema), name).to.not.throw();
      expect(() => ajv.compile(outputSchema!), name).to.not.throw();
      expect(description!.length).to.be.above(20);
      expect(title).to.be.a('string');
      expect(annotations!.readOnlyHint).to.equal(name.startsWith('get_'));
    }
    const [image, batch, exporting] = tools.map(({ inputSchema }) => inputSchema.properties as Record<string, object>);
    const published = settingNames('tracing').flatMap((name) => publishedNames(name).map((one) => one.name));
    expect(published.length).to.be.above(25);
    const { properties } = toJsonSchema({ scope: 'tracing' });
    for (const name of published) {
      expect(image![name], name).to.deep.equal(JSON.parse(JSON.stringify(properties[name])));
      expect(batch![name], name).to.deep.equal(image![name]);
    }
    expect(Object.keys(exporting!)).to.include.members([...EXPORT_OPTION_NAMES]);
    expect((exporting!.format as { enum: string[] }).enum).to.deep.equal(exporters.map(({ format }) => format.id));
    expect(client.getServerVersion()).to.include({ name: 'burin' });
    expect(client.getInstructions()).to.include('vectorize_image');
  });

  it('vectorizes a file and saves it beside the source, with progress', async () => {
    const notes: Progress[] = [];
    const answer = await made.call(
      'vectorize_image',
      { path: at('logo.png'), preset: 'logo', save_to: 'beside' },
      (note) => notes.push(note),
    );
    expect(answer.isError, answer.content[0]!.text).to.not.equal(true);
    expect(answer.structuredContent).to.include({ file: at('logo.svg'), width: 40, height: 40, preset: 'logo' });
    expect(answer.structuredContent.palette).to.have.length(2);
    expect(answer.structuredContent.delta_e).to.be.below(1);
    expect(answer.structuredContent).to.not.have.property('svg');
    expect(answer.content[0]!.text).to.include('logo.svg: 40 x 40, 2 shapes');
    expect(readFileSync(at('logo.svg'), 'utf8')).to.include('<svg');
    expect(notes.length).to.be.above(2);
    for (const [i, { progress, total }] of notes.entries()) {
      expect(total).to.equal(1);
      expect(progress).to.be.above(notes[i - 1]?.progress ?? 0);
    }
  });

  it('takes base64, a data URL and image content, and answers inline or to a path', async () => {
    const picture = base64(disc(3));
    const answers = [
      await made.call('vectorize_image', { base64: picture, name: 'mine.png' }),
      await made.call('vectorize_image', { base64: `data:image/png;base64,${picture}` }),
      await made.call('vectorize_image', { image: { type: 'image', data: picture, mimeType: 'image/png' } }),
      await made.call('vectorize_image', { path: 'many/p3.png' }),
    ];
    const svgs = answers.map(({ structuredContent }) => structuredContent.svg as string);
    expect(new Set(svgs).size).to.equal(1);
    expect(svgs[0]).to.include('<svg');
    expect(answers[0]!.content[0]!.text).to.match(/^mine\.svg: /);
    const saved = await made.call('vectorize_image', { base64: picture, save_to: at('new', 'deep', 'x.svg') });
    expect(saved.structuredContent.file).to.equal(at('new', 'deep', 'x.svg'));
    expect(readFileSync(at('new', 'deep', 'x.svg'), 'utf8')).to.equal(svgs[0]);
  });

  it('vectorizes twenty at once, a broken one included, and refuses twenty-one', async () => {
    const files = [...Array.from({ length: 19 }, (_, n) => at('many', `p${n}.png`)), at('broken.png')];
    const notes: Progress[] = [];
    const answer = await made.call('vectorize_batch', { files, preset: 'logo', save_to: at('out') }, (note) =>
      notes.push(note),
    );
    expect(answer.structuredContent).to.include({ succeeded: 19, failed: 1, total: 20 });
    expect(answer.structuredContent.results).to.have.length(20);
    expect(answer.structuredContent.results[19]).to.include({
      ok: false,
      code: 'UNREADABLE_IMAGE',
      fix: FIXES.UNREADABLE_IMAGE,
    });
    expect(readdirSync(at('out'))).to.have.length(19);
    expect(notes.at(-1)).to.include({ progress: 20, total: 20 });
    const inline = await made.call('vectorize_batch', { files: [{ base64: base64(disc(5)) }, { path: 'logo.png' }] });
    expect(
      inline.structuredContent.results.map(({ name, svg }: { name: string; svg: string }) => [name, svg.slice(0, 4)]),
    ).to.deep.equal([
      ['picture-1.svg', '<svg'],
      [at('logo.png'), '<svg'],
    ]);
    const tooMany = await made.call('vectorize_batch', { files: [...files, at('logo.png')] });
    expect(failureOf(tooMany)).to.include({ code: 'TOO_MANY_FILES' });
    expect(failureOf(await made.call('vectorize_batch', { files: [] }))).to.include({
      code: 'INVALID_REQUEST',
      field: 'files',
    });
  }).timeout(120_000);

  it('exports to every format, inline and into files, and shows pictures', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20" fill="#c00"/></svg>';
    for (const { format } of exporters) {
      const { isError, content, structuredContent } = await made.call('export_svg', { svg, format: format.id });
      expect(isError, content[0]!.text).to.not.equal(true);
      expect(structuredContent).to.include({ format: format.id, media_type: format.mediaType });
      expect(Buffer.from(structuredContent.base64, 'base64')).to.have.length(structuredContent.bytes);
      expect(content.some(({ type }) => type === 'image')).to.equal(['png', 'jpg', 'webp'].includes(format.id));
    }
    writeFileSync(at('in.svg'), svg);
    const saved = await made.call('export_svg', { path: 'in.svg', format: 'png', scale: 2, save_to: 'beside' });
    expect(saved.structuredContent).to.include({ file: at('in.png') });
    expect(readFileSync(at('in.png')).readUInt32BE(16)).to.equal(80);
    expect(failureOf(await made.call('export_svg', { svg, format: 'gif' }))).to.include({ code: 'UNSUPPORTED_FORMAT' });
    expect(failureOf(await made.call('export_svg', { svg: '<svg', format: 'pdf' }))).to.include({
      code: 'INVALID_SVG',
    });
    expect(failureOf(await made.call('export_svg', { svg, format: 'png', levle: 2 }))).to.include({ field: 'levle' });
  });

  it('refuses paths outside the opened folders, whatever leads there, and writes nothing there', async () => {
    const outside = [
      join(folder, 'secret.png'),
      '/etc/hostname',
      at('..', 'secret.png'),
      '../secret.png',
      at('link.png'),
      at('way-out', 'secret.png'),
      join(folder, 'opened-not', 'x.png'),
      join(folder, 'no such thing'),
    ];
    for (const path of outside) {
      const failure = failureOf(await made.call('vectorize_image', { path }));
      expect(failure.code, path).to.equal('FORBIDDEN');
      expect(failure.error).to.include(opened);
    }
    for (const saveTo of [
      join(folder, 'x.svg'),
      at('way-out', 'x.svg'),
      '../x.svg',
      join(tmpdir(), 'burin-mcp-x.svg'),
    ]) {
      const failure = failureOf(await made.call('vectorize_image', { path: at('logo.png'), save_to: saveTo }));
      expect(failure.code, saveTo).to.equal('FORBIDDEN');
    }
    const batch = await made.call('vectorize_batch', { files: [join(folder, 'secret.png'), at('logo.png')] });
    expect(batch.structuredContent.results.map(({ code }: { code?: string }) => code)).to.deep.equal([
      'FORBIDDEN',
      undefined,
    ]);
    expect(failureOf(await made.call('export_svg', { path: '/etc/passwd', format: 'pdf' })).code).to.equal('FORBIDDEN');
    expect(existsSync(join(folder, 'x.svg'))).to.equal(false);
  });

  it('says what is wrong with our codes and the fix, and unknown names as errors of the protocol', async () => {
    const cases: readonly [Record<string, unknown>, object][] = [
      [{ path: at('text.png') }, { code: 'UNSUPPORTED_IMAGE' }],
      [{ path: at('none.png') }, { code: 'INPUT_UNREADABLE' }],
      [
        { path: at('logo.png'), palette_count: 65 },
        { code: 'INVALID_REQUEST', field: 'palette_count' },
      ],
      [
        { path: at('logo.png'), pallete_count: 6 },
        { code: 'INVALID_REQUEST', field: 'pallete_count' },
      ],
      [
        { path: at('logo.png'), base64: 'QQ==' },
        { code: 'INVALID_REQUEST', field: 'path' },
      ],
      [{ base64: '%%%' }, { code: 'INVALID_REQUEST', field: 'base64' }],
      [
        { base64: base64(disc(1)), save_to: 'beside' },
        { code: 'INVALID_REQUEST', field: 'save_to' },
      ],
      [{}, { code: 'INVALID_REQUEST', field: 'path' }],
    ];
    for (const [args, wanted] of cases) expect(failureOf(await made.call('vectorize_image', args))).to.include(wanted);
    const unknown = await made.call('vectorise_image').catch((error: Error) => error);
    expect(unknown)
      .to.be.instanceOf(Error)
      .and.to.have.property('message')
      .that.includes('the nearest is vectorize_image');
  });

  it('reports usage, capabilities and status', async () => {
    const usage = await made.call('get_usage');
    expect(usage.structuredContent).to.deep.equal({ place: 'the engine in this process', usage: null });
    const capabilities = await made.call('get_capabilities');
    expect(capabilities.structuredContent.presets.map(({ id }: { id: string }) => id)).to.deep.equal([...PRESET_IDS]);
    const status = await made.call('get_status');
    expect(status.structuredContent).to.deep.include({ status: 'ok', folders: [opened] });
  });

  it('has presets and capabilities as resources, and a prompt', async () => {
    const { client } = made;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).to.deep.equal(['burin://presets', 'burin://capabilities']);
    for (const { uri } of resources) {
      const [content] = (await client.readResource({ uri })).contents;
      expect(content).to.include({ uri, mimeType: 'application/json' });
      expect(JSON.stringify(JSON.parse((content as { text: string }).text))).to.include('technical_drawing');
    }
    expect(await client.readResource({ uri: 'burin://none' }).catch((error: Error) => error.message)).to.include(
      'burin://presets',
    );
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).to.deep.equal(['trace_this_logo_well']);
    const prompt = await client.getPrompt({
      name: 'trace_this_logo_well',
      arguments: { path: 'logo.png', colors: '3' },
    });
    const said = (prompt.messages[0]!.content as { text: string }).text;
    for (const word of ['logo.png', 'palette_count 3', 'vectorize_image']) expect(said).to.include(word);
    // Every parameter that it speaks of is one.
    for (const [, name] of said.matchAll(/\b([a-z]+_[a-z_]+)\b/g))
      if (!['vectorize_image', 'delta_e', 'save_to', 'super_fine', 'high_precision'].includes(name as string))
        expect(settingNames('tracing')).to.include(name);
    expect(await client.getPrompt({ name: 'trace_this_logo_well' }).catch((error: Error) => error.message)).to.include(
      'prompt',
    );
  });

  it('gives a conversion up when the client does', async () => {
    const stop = new AbortController();
    // Seconds of work: a drawing could be done before its first note of progress is read.
    const long = base64(await noisePng(1000));
    const call = made.call('vectorize_image', { base64: long }, () => stop.abort(new Error('enough')), stop.signal);
    expect(await call.catch((error: Error) => error.message)).to.include('enough');
    expect((await made.call('get_status')).structuredContent.status).to.equal('ok');
  });

  it('opens no folder that is none', async () => {
    const { runBurin } = await import('#test/support/run-burin.js');
    const { code, stdout, stderr } = await runBurin(['mcp', '--allow', at('logo.png')]);
    expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(/^burin: --allow: .* is no folder\n$/);
  });
});

describe('MCP over Streamable HTTP, and against a service', function () {
  // Processes of their own, on machines that have other things to do.
  this.timeout(120_000);
  const service = createTestService();
  let url: string;
  let key: Awaited<ReturnType<typeof service.createKey>>;
  const ppm = (n: number) => base64(toPpm(single(6, 4, n * 4001)));
  const overHttp = (headers: Record<string, string> = key.headers) =>
    callerOf(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  before(async () => {
    url = await service.app.listen({ host: '127.0.0.1', port: 0 });
    key = await service.createKey('pro');
  });
  after(() => service.app.close());

  it('drives all six tools, and charges as the API does', async () => {
    const { client, tools, call } = await overHttp();
    expect(tools.map(({ name }) => name)).to.deep.equal(TOOLS);
    const before = (await call('get_usage')).structuredContent.usage.api_credits_balance;
    const one = await call('vectorize_image', { base64: ppm(1), preset: 'logo' });
    expect(one.structuredContent.svg).to.include('<svg');
    expect(one.structuredContent.credits_charged).to.equal(TIERS.balanced_crisp.credits);
    const notes: Progress[] = [];
    const files = Array.from({ length: 20 }, (_, n) => ({ base64: ppm(n + 10), name: `p${n}.ppm` }));
    const batch = await call('vectorize_batch', { files, quality_tier: 'fast' }, (note) => notes.push(note));
    expect(batch.structuredContent).to.include({ succeeded: 20, failed: 0, total: 20 });
    expect(notes.at(-1)).to.include({ progress: 20, total: 20 });
    const after = (await call('get_usage')).structuredContent.usage.api_credits_balance;
    expect(before - after).to.equal(TIERS.balanced_crisp.credits + 20 * TIERS.fast.credits);
    const pdf = await call('export_svg', { svg: one.structuredContent.svg, format: 'pdf' });
    expect(Buffer.from(pdf.structuredContent.base64, 'base64').toString('latin1')).to.match(/^%PDF/);
    expect((await call('get_capabilities')).structuredContent.presets).to.have.length(PRESET_IDS.length);
    expect((await call('get_status')).structuredContent).to.deep.include({
      status: 'ok',
      version: '9.8.7',
      folders: [],
    });
    await client.close();
  });

  it('opens nobody its files, and says what to do instead', async () => {
    const { client, call } = await overHttp();
    const failure = failureOf(await call('vectorize_image', { path: '/etc/hostname' }));
    expect(failure.code).to.equal('FORBIDDEN');
    expect(failure.error).to.include('base64');
    expect(
      failureOf(await call('vectorize_image', { base64: ppm(1), save_to: join(tmpdir(), 'x.svg') })).code,
    ).to.equal('FORBIDDEN');
    await client.close();
  });

  it('stops a batch when the credits are gone, and refuses formats of a higher plan', async () => {
    const poor = await service.createKey('free');
    await poor.spend(50 - 2);
    const { client, call } = await overHttp(poor.headers);
    const files = Array.from({ length: 5 }, (_, n) => ({ base64: ppm(n + 900) }));
    const { structuredContent } = await call('vectorize_batch', { files, quality_tier: 'fast' });
    expect(structuredContent).to.include({ succeeded: 2, failed: 1, total: 5 });
    expect(structuredContent.results.at(-1)).to.include({ code: 'INSUFFICIENT_CREDITS' });
    const eps = await call('export_svg', { svg: structuredContent.results[0].svg, format: 'eps' });
    expect(failureOf(eps).code).to.equal('PLAN_REQUIRED');
    await client.close();
  });

  it('asks for the key like the API, and refuses pages of other origins even with one', async () => {
    const bad = await overHttp({ 'x-api-key': 'brn_live_wrong' }).catch((error: Error) => error);
    expect(bad).to.be.instanceOf(Error);
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    const post = (headers: Record<string, string>) =>
      service.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { 'content-type': 'application/json', ...headers },
        payload: initialize,
      });
    expect((await post({ ...key.headers, origin: 'https://elsewhere.example' })).statusCode).to.equal(403);
    expect((await post({ 'x-api-key': 'brn_live_wrong' })).json()).to.include({ code: 'UNAUTHORIZED' });
    const listen = await service.app.inject({ method: 'GET', url: '/mcp' });
    expect(listen.statusCode).to.equal(405);
    expect(listen.headers.allow).to.equal('POST');
    const raw = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...key.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    });
    expect(raw.status).to.equal(200);
    expect(raw.headers.get('x-request-id')).to.be.a('string');
    expect(raw.headers.get('x-ratelimit-limit')).to.be.a('string');
    await raw.text();
  });

  it('is the same over stdio with BURIN_URL and BURIN_API_KEY', async () => {
    const env = { ...(process.env as Record<string, string>), BURIN_URL: url, BURIN_API_KEY: key.secret };
    const { client, call, tools } = await callerOf(
      new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env, stderr: 'inherit' }),
    );
    expect(tools.map(({ name }) => name)).to.deep.equal(TOOLS);
    const one = await call('vectorize_image', { base64: ppm(4000), name: 'far.ppm' });
    expect(one.content[0]!.text).to.match(/^far\.svg: /);
    expect(one.structuredContent.credits_charged).to.equal(TIERS.balanced_crisp.credits);
    expect(failureOf(await call('vectorize_image', { base64: ppm(1), palette_count: 65 }))).to.include({
      code: 'INVALID_REQUEST',
      field: 'palette_count',
    });
    const png = await call('export_svg', { svg: one.structuredContent.svg, format: 'png' });
    expect(png.content.some(({ type }) => type === 'image')).to.equal(true);
    expect((await call('get_usage')).structuredContent.usage.plan).to.equal('pro');
    expect((await call('get_status')).structuredContent.place).to.equal(`the service at ${url}`);
    await client.close();
  });
});
