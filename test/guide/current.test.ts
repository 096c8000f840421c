import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { GUIDE_PAGES, openGuide, withTables } from '#adapters/guide/guide.js';
import { renderMarkdown } from '#adapters/guide/markdown.js';
import { composeGuideTables, GUIDE_FOLDER } from '#config/compose-guide.js';
import { VARIABLE_NAMES } from '#config/variables.js';
import { ERRORS } from '#domain/errors.js';
import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { PRESET_IDS, publishedNames, settingNames } from '#domain/presets/settings.js';
import { createTestService } from '#test/support/http-service.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { runBurin } from '#test/support/run-burin.js';
import { makePictures, PICTURES } from './pictures.js';
import { SOURCE_NAMES } from './sources.js';
import { STRIPS } from './strips.js';

const sourceOf = (name: string) => readFileSync(join(GUIDE_FOLDER, `${name}.md`), 'utf8');

describe('the guide', () => {
  it('has the pictures that this engine makes', async () => {
    const made = await makePictures();
    const stale: string[] = [];
    for (const [name, svg] of made) {
      const file = join(PICTURES, name);
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, svg);
      else if (!existsSync(file) || readFileSync(file, 'utf8') !== svg) stale.push(name);
    }
    expect(stale, 'run: npm run guide').to.deep.equal([]);
    expect(made.size).to.be.above(30);
    const known = [...made.keys(), 'strip-engine.svg', ...SOURCE_NAMES.map((name) => `source-${name}.png`)];
    expect(readdirSync(PICTURES)).to.have.members([...new Set(known)]);
  }).timeout(180_000);

  it('shows every parameter at three values, where it has so many', () => {
    expect(Object.keys(STRIPS)).to.have.members([...settingNames('tracing')]);
    const fewer = Object.entries(STRIPS).filter(([, { values }]) => values.length < 3);
    for (const [name] of fewer) {
      // Those that have two.
      const row = publishedNames(name as never)[0]!.row;
      const count = row.type === 'boolean' ? 2 : row.type === 'enum' ? row.values.length : 3;
      expect(count, name).to.equal(2);
    }
  });

  it('says everything that the tables say', () => {
    const tables = composeGuideTables();
    const pages = new Map(GUIDE_PAGES.map((name) => [name, withTables(sourceOf(name), tables)]));
    const includes = (page: (typeof GUIDE_PAGES)[number], names: readonly string[]) => {
      for (const name of names) expect(pages.get(page), `${page} says nothing of ${name}`).to.include(`\`${name}\``);
    };
    includes('running', VARIABLE_NAMES);
    includes('api-manners', Object.keys(ERRORS));
    includes('formats', EXPORT_OPTION_NAMES);
    includes('presets', PRESET_IDS);
    for (const name of settingNames()) expect(pages.get('parameters')).to.include(`### ${name}\n`);
    const used = GUIDE_PAGES.flatMap((name) =>
      [...sourceOf(name).matchAll(/\{\{([a-z]+)\}\}/g)].map(([, table]) => table),
    );
    expect([...new Set(used)]).to.have.members(Object.keys(tables));
  });

  it('leads nowhere that is not there, and asks for nothing from elsewhere', async () => {
    const { app } = createTestService();
    const opened = openGuide(GUIDE_FOLDER, composeGuideTables());
    expect(opened.pages).to.have.length(GUIDE_PAGES.length);
    let links = 0;
    for (const { path, title } of opened.pages) {
      const page = await app.inject(path);
      expect(page.statusCode, path).to.equal(200);
      expect(page.headers['content-security-policy']).to.match(
        /^default-src 'none'; style-src 'self'; img-src 'self';/,
      );
      expect(page.body)
        .to.include('<!doctype html>')
        .and.to.not.match(/<script|style=|onload=|\{\{/);
      expect(page.body).to.include('aria-current="page"');
      expect(title).to.not.equal('Burin');
      for (const [, attribute, target] of page.body.matchAll(/\b(href|src)="([^"]+)"/g)) {
        links++;
        if (/^https?:/.test(target!)) {
          expect(attribute, `${path} loads ${target}`).to.equal('href');
          continue;
        }
        const [address, anchor] = target!.split('#');
        const there = address === '' ? page : await app.inject(address!);
        expect(there.statusCode, `${path} -> ${target}`).to.equal(200);
        if (anchor !== undefined) expect(there.body, `${path} -> ${target}`).to.include(`id="${anchor}"`);
      }
    }
    expect(links).to.be.above(200);
    const missing = await app.inject('/docs/../package.json');
    expect(missing.statusCode).to.equal(404);
    expect((await app.inject('/docs/none')).json()).to.include({ code: 'NOT_FOUND' });
    expect((await app.inject('/docs/pictures/strip-preset.svg')).headers['content-type']).to.equal('image/svg+xml');
    expect((await app.inject('/docs/api')).body).to.include('reference.js');
  }).timeout(120_000);

  it('renders what it is written in, and no markup of its own', () => {
    const html = renderMarkdown(
      '# A & B\n\nText with `<code> **x**`, **bold** and [a link](b.md#c).\nMore.\n\n- one\n- two\n  still two\n\n| a | b |\n|---|---|\n| `x\\|y` | 2 |\n\n```sh\nls <here>\n```\n\n<script>x</script>\n\n![pic](p.svg)',
      (target) => `/${target}`,
    );
    expect(html).to.equal(
      [
        '<h1 id="a-b">A &amp; B</h1>',
        '<p>Text with <code>&lt;code&gt; **x**</code>, <strong>bold</strong> and <a href="/b.md#c">a link</a>. More.</p>',
        '<ul><li>one</li><li>two still two</li></ul>',
        '<table tabindex="0"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td>2</td></tr></tbody></table>',
        '<pre class="sh" tabindex="0"><code>ls &lt;here&gt;</code></pre>',
        '<p>&lt;script&gt;x&lt;/script&gt;</p>',
        '<p><img src="/p.svg" alt="pic" loading="lazy"></p>',
      ].join('\n'),
    );
  });

  it('has help for every row of the tables, and no row of help without one', async () => {
    const help = async (...argv: string[]) => (await runBurin([...argv, '--help'])).stdout;
    const flags = (text: string) =>
      [...text.matchAll(/^ {2}(?:-\w, )?--([A-Za-z][\w-]*)/gm)].map(([, flag]) => flag as string);
    const published = settingNames('tracing').flatMap((name) => publishedNames(name).map((one) => one));
    const wanted = published.flatMap(({ name, row }) => {
      const flag = name.replaceAll('_', '-');
      return row.type === 'boolean' ? [flag, `no-${flag}`] : [flag];
    });
    const exporting = EXPORT_OPTION_NAMES.map((name) => name.replaceAll('_', '-'));
    const own = ['output', 'format', 'jobs', 'watch', 'json', 'quiet', 'help'];
    const trace = flags(await help('trace'));
    expect(trace).to.include.members(wanted);
    const rest = trace.filter((flag) => !wanted.includes(flag) && !own.includes(flag) && !flag.startsWith('no-'));
    expect(rest.filter((flag) => !exporting.includes(flag))).to.deep.equal([]);
    const exported = flags(await help('export')).filter((flag) => !own.includes(flag) && !flag.startsWith('no-'));
    expect(exported).to.have.members(exporting);
    const commands = [...(await help()).matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name as string);
    const page = sourceOf('command-line');
    for (const name of commands.filter((one) => one !== 'help'))
      expect(page, `the guide says nothing of burin ${name}`).to.include(`burin ${name}`);
    expect(commands.length).to.be.above(15);
  }).timeout(60_000);

  it('is part of the package', () => {
    const { files } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).to.include('adapters/web/docs');
  });
});
