import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { GUIDE_PAGES } from '#adapters/guide/guide.js';
import { GUIDE_FOLDER } from '#config/compose-guide.js';
import { CLIENT_VARIABLES, loadConfig } from '#config/env.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { CLI, runBurin } from '#test/support/run-burin.js';
import { type CodeBlock, codeBlocksOf, printedAs } from './code-blocks.js';

const PAGES: readonly (readonly [name: string, file: string])[] = [
  ['README.md', join(PACKAGE_ROOT, 'README.md')],
  ...GUIDE_PAGES.map((name) => [`docs/${name}.md`, join(GUIDE_FOLDER, `${name}.md`)] as const),
];
/** Without what would speak for another Burin. */
const cleanEnv = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BURIN_')));

describe('code in the README and the guide', () => {
  let folder: string;
  let service: ChildProcess;
  let url: string;
  let env: Record<string, string | undefined>;
  const at = (...names: string[]) => join(folder, ...names);

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'burin-blocks-'));
    for (const name of ['bin', 'home']) mkdirSync(at(name));
    const settings = { BURIN_DATA_DIR: at('data'), BURIN_RATE_ANONYMOUS: '100000', BURIN_LOG_LEVEL: 'info' };
    service = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { env: { ...cleanEnv(), ...settings } });
    service.stderr!.pipe(process.stderr);
    url = await new Promise<string>((resolve, reject) => {
      service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
      createInterface({ input: service.stdout! }).on('line', (text) => {
        const line = text.startsWith('{') ? (JSON.parse(text) as { msg: string; url: string }) : undefined;
        if (line?.msg === 'ready') resolve(line.url);
      });
    });
    const key = await runBurin(['keys', 'create', '--plan', 'pro', '--json'], { env: { ...cleanEnv(), ...settings } });
    env = {
      ...cleanEnv(),
      BURIN_DATA_DIR: at('data'),
      BURIN_API_KEY: (JSON.parse(key.stdout) as { key: string }).key,
      HOME: at('home'),
      NO_COLOR: '1',
      PATH: `${at('bin')}:${process.env.PATH}`,
    };
    // Installing, starting and testing is what .ci/run does with these lines; here they only have to be such lines.
    const shims: Record<string, string> = {
      burin: `exec ${process.execPath} ${CLI} "$@"`,
      npx: 'while [[ "$1" == -* ]]; do shift; done; exec "$@"',
      npm: `case "$1" in ci|test|run) exit 0 ;; start) exec curl -fsS ${url}/livez ;; esac; echo "npm $1?" >&2; exit 64`,
    };
    for (const [name, text] of Object.entries(shims)) {
      writeFileSync(at('bin', name), `#!/bin/bash\n${text}\n`);
      chmodSync(at('bin', name), 0o755);
    }
  });
  after(() => {
    service?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** A folder as its reader has it: the checkout's pictures, the package, and some of their own. */
  function startFolder(page: string): string {
    const here = at(page.replaceAll(/\W+/g, '-'));
    mkdirSync(join(here, 'node_modules'), { recursive: true });
    mkdirSync(join(here, 'pictures', 'more'), { recursive: true });
    // A package of its own: what lies in a folder above must not speak for it.
    writeFileSync(join(here, 'package.json'), JSON.stringify({ type: 'module' }));
    symlinkSync(PACKAGE_ROOT, join(here, 'node_modules', 'burin'));
    mkdirSync(join(here, 'test'), { recursive: true });
    symlinkSync(join(PACKAGE_ROOT, 'test', 'fixtures'), join(here, 'test', 'fixtures'));
    const source = (name: string) => join(GUIDE_FOLDER, 'pictures', `source-${name}.png`);
    cpSync(source('logo'), join(here, 'logo.png'));
    cpSync(source('logo'), join(here, 'picture.png'));
    cpSync(source('photo'), join(here, 'photo.png'));
    cpSync(source('illustration'), join(here, 'pictures', 'house.png'));
    cpSync(source('technical_drawing'), join(here, 'pictures', 'more', 'plan.png'));
    return here;
  }

  function check(block: CodeBlock, where: string, command: string, args: readonly string[], cwd: string): void {
    const ran = spawnSync(command, args, { cwd, env: env as NodeJS.ProcessEnv, encoding: 'utf8', timeout: 100_000 });
    expect(ran.status, `${where}\n${block.text}\n${ran.stdout}\n${ran.stderr}`).to.equal(0);
    if (block.prints !== undefined)
      expect(`${ran.stdout.trim()}\n`, `${where}: ${ran.stderr}`).to.match(printedAs(block.prints));
  }

  const RUN: Readonly<Record<string, (block: CodeBlock, where: string, here: string) => void>> = {
    sh(block, where, here) {
      const text = block.text.replaceAll('http://localhost:3000', url);
      check(block, where, 'bash', ['-euo', 'pipefail', '-c', text], here);
    },
    js(block, where, here) {
      const file = join(here, `block-${block.line}.mjs`);
      writeFileSync(file, block.text.replaceAll('http://localhost:3000', url));
      check(block, where, process.execPath, [file], here);
    },
    /** Variables of the service, each with a value that it takes. */
    ini(block, where) {
      const lines = block.text
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'));
      const variables = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      expect(
        Object.keys(variables).filter((name) => CLIENT_VARIABLES.includes(name)),
        where,
      ).to.deep.equal([]);
      expect(() => loadConfig(variables), where).to.not.throw();
    },
    json(block, where) {
      expect(() => JSON.parse(block.text) as unknown, where).to.not.throw();
    },
    /** A file of a plugin: compiled with all others of its page, below. */
    ts(block, where, here) {
      expect(block.name, `${where} names no file`).to.match(/^plugins\/.*\.ts$/);
      const file = join(here, block.name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, block.text);
    },
  };

  let blocks = 0;
  for (const [name, file] of PAGES)
    it(`runs as it stands in ${name}`, () => {
      const here = startFolder(name);
      for (const block of codeBlocksOf(readFileSync(file, 'utf8'))) {
        const run = RUN[block.language];
        const where = `${name}:${block.line}`;
        expect(run, `${where}: a block of ${block.language || 'no language'} is run by nothing`).to.be.a('function');
        run!(block, where, here);
        blocks++;
      }
    }).timeout(180_000);

  it('was run', () => expect(blocks).to.be.above(30));

  it('has a format that compiles and exports', async () => {
    const here = at('docs-adding-a-format-md');
    const { imports, type } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as Record<
      string,
      object
    >;
    const mapped = Object.fromEntries(
      Object.entries(imports!).map(([name, target]) => [name, name === '#plugins/*' ? './made/plugins/*' : target]),
    );
    writeFileSync(join(here, 'package.json'), JSON.stringify({ type, imports: mapped }));
    symlinkSync(join(PACKAGE_ROOT, 'dist'), join(here, 'dist'));
    const compilerOptions = {
      outDir: 'made',
      rootDir: '.',
      module: 'NodeNext',
      target: 'ES2023',
      strict: true,
      types: [],
      skipLibCheck: true,
      verbatimModuleSyntax: true,
      noUncheckedIndexedAccess: true,
    };
    writeFileSync(join(here, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['plugins/**/*.ts'] }));
    const tsc = join(PACKAGE_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = spawnSync(process.execPath, [tsc, '-p', here], { encoding: 'utf8' });
    expect(compiled.status, compiled.stdout).to.equal(0);
    const [folderName] = readdirSync(join(here, 'made', 'plugins'));
    const made = (await import(join(here, 'made', 'plugins', folderName as string, 'index.js'))) as Record<
      string,
      never
    >;
    const { composeEncodeDrawing } = await import('#config/compose-export.js');
    const [exporter] = Object.values(made);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect x="5" width="30" height="20" fill="#c00"/></svg>';
    const encodeDrawing = composeEncodeDrawing({ exporters: [exporter!] });
    const { format } = exporter! as { format: { id: string } };
    const encoded = await encodeDrawing({
      source: { kind: 'markup', svg },
      format: format.id,
      options: { title: 'box' },
    });
    expect(new TextDecoder().decode(encoded.bytes)).to.include('box').and.to.include('35.0 20.0');
  });
});
