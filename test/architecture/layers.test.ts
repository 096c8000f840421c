import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assert } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { checkLayers } from './layer-rules.js';

/** A tree that keeps every rule, with each form of import and with everything that only looks like a breach. */
const GOOD: Readonly<Record<string, string>> = {
  'domain/a.ts': "import { b } from './b/c.js';\nimport type { D } from '#domain/d.js';\n",
  'application/use-cases/a.ts': "import '#domain/a.js';\nexport * from '../ports/p.js';\n",
  'adapters/http/a.ts':
    "import fastify from 'fastify';\nimport { x } from './routes/x.js';\nawait import('#application/use-cases/a.js');\n" +
    "import fs from 'node:fs';\n// import '#plugins/svg/index.js' and process.env in a comment, @decorated\n" +
    `/* from '#config/env.js' */\nconst at = 'mail@example.org', re = /['"]@x/g, t = \`@\${at} process\`;\n`,
  'adapters/tracing/worker.ts': "import { trace } from './engine/trace.js';\n",
  'adapters/tracing/engine/trace.ts': "import { add } from './math/add.js';\n",
  'adapters/tracing/engine/math/add.ts': "import type { T } from '../trace.js';\n",
  'plugins/index.ts':
    "import { svg } from './svg/index.js';\nimport type { E } from '#application/ports/exporter.js';\n",
  'plugins/svg/index.ts': "import pdfkit from 'pdfkit';\nimport '#domain/a.js';\nimport './write.js';\n",
  'config/container.ts':
    "import 'reflect-metadata';\nimport { inject } from 'inversify';\nimport '#plugins/index.js';\n" +
    'import "#adapters/http/a.js";\n@inject(X) class A {}\nconst e = process.env.HOME;\n',
  'test/a.test.ts': "import '#config/container.js';\nimport 'inversify';\nconst url = process.env['BURIN_TEST'];\n",
};

/** One breach each: the file, what stands in it, and the line that must come out. */
const BREACHES: readonly (readonly [string, string, string])[] = [
  [
    'adapters/tracing/engine/x.ts',
    "import '#domain/a.js';",
    'adapters/tracing/engine/x.ts -> domain/a.js: the engine imports only itself',
  ],
  [
    'adapters/tracing/engine/x.ts',
    "import { y } from '../worker.js';",
    'adapters/tracing/engine/x.ts -> adapters/tracing/worker.js: the engine imports only itself',
  ],
  [
    'adapters/tracing/engine/x.ts',
    "import 'node:fs';",
    'adapters/tracing/engine/x.ts -> node:fs: the engine imports no package and nothing of node',
  ],
  ['domain/x.ts', "import '#application/p.js';", 'domain/x.ts -> application/p.js: the domain imports only itself'],
  ['domain/x.ts', "import 'typebox';", 'domain/x.ts -> typebox: the domain imports no package and nothing of node'],
  [
    'domain/x.ts',
    'const fs = await import("node:fs");',
    'domain/x.ts -> node:fs: the domain imports no package and nothing of node',
  ],
  [
    'application/x.ts',
    "export { y } from '#adapters/http/a.js';",
    'application/x.ts -> adapters/http/a.js: the application imports only domain and itself',
  ],
  [
    'application/x.ts',
    "import sharp from 'sharp';",
    'application/x.ts -> sharp: the application imports no package and nothing of node',
  ],
  [
    'application/x.ts',
    "import { a } from '../domain/a.js';",
    'application/x.ts -> domain/a.js: another layer is imported by its # name',
  ],
  [
    'plugins/pdf/x.ts',
    "import '../svg/index.js';",
    'plugins/pdf/x.ts -> plugins/svg/index.js: a plugin imports only domain, ports and itself',
  ],
  [
    'plugins/pdf/x.ts',
    "import '#application/use-cases/a.js';",
    'plugins/pdf/x.ts -> application/use-cases/a.js: a plugin imports only domain, ports and itself',
  ],
  [
    'plugins/index.ts',
    "import '#adapters/http/a.js';",
    'plugins/index.ts -> adapters/http/a.js: a plugin imports only domain, ports and itself',
  ],
  [
    'adapters/cli/x.ts',
    "import {\n  y,\n} from '../http/a.js';",
    'adapters/cli/x.ts -> adapters/http/a.js: an adapter imports only domain, application and itself',
  ],
  [
    'adapters/cli/x.ts',
    "import '#plugins/svg/index.js';",
    'adapters/cli/x.ts -> plugins/svg/index.js: an adapter imports only domain, application and itself',
  ],
  [
    'adapters/cli/x.ts',
    "import '#config/container.js';",
    'adapters/cli/x.ts -> config/container.js: an adapter imports only domain, application and itself',
  ],
  [
    'config/x.ts',
    "import { z } from '#nowhere/x.js';\nimport '../domain/a.js';",
    'config/x.ts -> domain/a.js: another layer is imported by its # name',
  ],
  [
    'adapters/cli/x.ts',
    "import '#test/support/x.js';",
    'adapters/cli/x.ts -> test/support/x.js: only tests import tests',
  ],
  [
    'adapters/cli/x.ts',
    "import { injectable } from 'inversify';",
    'adapters/cli/x.ts -> inversify: only config knows the container',
  ],
  [
    'plugins/svg/x.ts',
    "require('reflect-metadata');",
    'plugins/svg/x.ts -> reflect-metadata: only config knows the container',
  ],
  ['adapters/http/x.ts', 'const home = process.env.HOME;', 'adapters/http/x.ts: reads process.env; only config does'],
  [
    'adapters/http/x.ts',
    `const t = \`\${process['env'].HOME}\`;`,
    'adapters/http/x.ts: reads process.env; only config does',
  ],
  [
    'adapters/http/x.ts',
    "import { argv, env } from 'node:process';",
    'adapters/http/x.ts: reads process.env; only config does',
  ],
  ['adapters/http/x.ts', 'const { env } = process;', 'adapters/http/x.ts: reads process.env; only config does'],
  ['adapters/http/x.ts', '@injectable()\nexport class X {}', 'adapters/http/x.ts: has a decorator; only config may'],
  [
    'application/x.ts',
    'class X { constructor(@inject(Y) y: Y) {} }',
    'application/x.ts: has a decorator; only config may',
  ],
];

const withTree = (tree: Readonly<Record<string, string>>, use: (root: string) => void): void => {
  const root = mkdtempSync(join(tmpdir(), 'burin-layers-'));
  try {
    for (const [path, source] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), source);
    }
    use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
};

describe('Layers', () => {
  it('are kept by every source of this repository', () => {
    const { files, imports, violations } = checkLayers(PACKAGE_ROOT);
    assert.deepEqual(violations, []);
    for (const layer of ['domain', 'application', 'adapters', 'test']) assert.isAbove(files[layer] ?? 0, 0, layer);
    assert.isAbove(imports, 40);
  });

  it('are said to be kept by a tree that keeps them', () => {
    withTree(GOOD, (root) => {
      const { files, imports, violations } = checkLayers(root);
      assert.deepEqual(violations, []);
      assert.deepEqual(files, { domain: 1, application: 1, adapters: 4, plugins: 2, config: 1, test: 1 });
      assert.equal(imports, 22);
    });
  });

  for (const [file, source, line] of BREACHES) {
    it(`report ${JSON.stringify(source)}: "${line}"`, () => {
      withTree({ ...GOOD, [file]: source }, (root) => assert.deepEqual(checkLayers(root).violations, [line]));
    });
  }

  it('are checked by nothing in an empty tree, and the report says so', () => {
    withTree({}, (root) => assert.deepEqual(Object.values(checkLayers(root).files), [0, 0, 0, 0, 0, 0]));
  });
});
