import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

/** A defence, what stands in its place when it is taken away, and the test that must then fail. */
interface Defence {
  readonly file: string;
  readonly changes: readonly (readonly [from: string, to: string])[];
  readonly test: string;
  /** Of the test's full title. */
  readonly title: string;
}

const READER = 'adapters/svg-reader/security';
const DEFENCES: Readonly<Record<string, Defence>> = {
  'a DOCTYPE is refused': {
    file: 'adapters/svg-reader/parse-markup',
    changes: [["throw refuse('it has a DOCTYPE, which is not accepted; remove it, and any ENTITY with it');", '']],
    test: READER,
    title: 'is refused: a DOCTYPE',
  },
  'a picture leads nowhere but into the document': {
    file: 'adapters/svg-reader/sanitize',
    changes: [
      [
        "else\n                warnings.add('external-reference-dropped');",
        "else\n                rebuilt.attributes.set('xlink:href', value);",
      ],
      ['dropEmptyImages(root, new Set(images.map(({ node }) => node)));', ''],
    ],
    test: READER,
    title: 'passes no outside reference on',
  },
  'a reference leads nowhere but into the document': {
    file: 'adapters/svg-reader/sanitize',
    changes: [['const id = /^\\s*#(.+?)\\s*$/.exec(value)?.[1];', "return value;\n        const id = '';"]],
    test: READER,
    title: 'passes no outside reference on',
  },
  'a value leads nowhere but into the document': {
    file: 'adapters/svg-reader/sanitize',
    changes: [['if (references !== (value.match(LOCAL_URL)?.length ?? 0))', 'if (false)']],
    test: READER,
    title: 'passes no outside reference on',
  },
  'elements nest so deep and no deeper': {
    file: 'adapters/svg-reader/parse-markup',
    changes: [['stack.length >= CAPS.depth', 'false']],
    test: READER,
    title: 'is refused: 65 elements',
  },
  'elements are counted': {
    file: 'adapters/svg-reader/parse-markup',
    changes: [['++elements > CAPS.elements', 'false']],
    test: READER,
    title: 'is refused: more than 200,000 elements',
  },
  'attributes are counted': {
    file: 'adapters/svg-reader/parse-markup',
    changes: [['++attributes > CAPS.attributesPerElement', 'false']],
    test: READER,
    title: 'is refused: hundreds of attributes',
  },
  'references are counted': {
    file: 'adapters/svg-reader/count-references',
    changes: [['if (references > CAPS.references)', 'if (false)']],
    test: READER,
    title: 'is refused: uses in uses, a thousand million times',
  },
  'what refers to itself is refused': {
    file: 'adapters/svg-reader/count-references',
    changes: [['if (open.has(node))', 'if (false)']],
    test: READER,
    title: 'is refused: two uses of each other',
  },
  'the size of a document is bounded': {
    file: 'adapters/svg-reader/parse-markup',
    changes: [['if (Buffer.byteLength(markup) > CAPS.bytes)', 'if (false)']],
    test: READER,
    title: 'is refused above 25 MB',
  },
  'the pixels of a BMP are counted': {
    file: 'adapters/imaging/bmp-header',
    changes: [['if (width * height > maxPixels)', 'if (false)']],
    test: 'adapters/imaging/bmp-decoder',
    title: 'takes a picture of exactly the limit',
  },
  'the pixels of a drawing that is painted are counted': {
    file: 'domain/exports/raster-size',
    changes: [['if (!(width * height <= maxPixels))', 'if (false)']],
    test: READER,
    title: 'is not painted on a huge canvas',
  },
  'the bytes of a file are counted': {
    file: 'adapters/http/upload-form',
    changes: [
      ['fileSize: maxFileBytes', 'fileSize: 1e12'],
      ["Number(request.headers['content-length']) > maxFiles * maxFileBytes + FORM_OVERHEAD_BYTES", 'false'],
    ],
    test: 'adapters/http/convert',
    title: 'refuses too many bytes',
  },
  'a part of a form has a name': {
    file: 'adapters/http/upload-form',
    changes: [['if (name === undefined)', 'if (false)']],
    test: 'adapters/http/convert',
    title: 'a part without a name',
  },
  'the values of a JSON body are counted': {
    file: 'adapters/http/bounded-json',
    changes: [['if (hasMoreValues(body, MAX_VALUES))', 'if (false)']],
    test: 'adapters/http/bounded-json',
    title: 'of tiny values are refused unread',
  },
  'file names are made of harmless characters': {
    file: 'application/file-name',
    changes: [["stem.replace(/[^\\p{L}\\p{M}\\p{N}_-]+/gu, '-')", 'stem']],
    test: 'application/file-name',
    title: 'is made of harmless characters only',
  },
  'folders are no part of a name': {
    file: 'application/file-name',
    changes: [['.split(/[\\\\/]/).at(-1)', '']],
    test: 'application/file-name',
    title: 'is made of harmless characters only',
  },
  'files in an archive have names of their own': {
    file: 'application/use-cases/export-zip',
    changes: [['taken.has(unique.toLowerCase())', 'false']],
    test: 'application/use-cases/export-zip',
    title: 'gives every file a safe name of its own',
  },
  'a name cannot end its header': {
    file: 'adapters/http/file-headers',
    changes: [[".replace(/[^\\x20-\\x7e]|[\"\\\\%]/g, '_')", '']],
    test: 'adapters/http/download',
    title: 'says a file name as RFC 6266',
  },
  'a produced file may do nothing in a browser': {
    file: 'adapters/http/file-headers',
    changes: [["'content-security-policy': CONTENT_SECURITY_POLICY,", '']],
    test: 'adapters/http/convert',
    title: 'answers the SVG itself when asked',
  },
  'a cookie speaks for pages of its own origin': {
    file: 'adapters/http/own-page',
    changes: [
      ['return origin === undefined ? isReading(request) : isOwnOrigin(origin, request, publicUrl);', 'return true;'],
    ],
    test: 'adapters/http/sessions',
    title: 'speaks for no page of another origin',
  },
  'a strange Host is refused at home': {
    file: 'adapters/http/caller-guards',
    changes: [['if (!loopback || isLocalHost(host)', 'if (true || isLocalHost(host)']],
    test: 'adapters/http/answers',
    title: 'is not a page that has rebound its name',
  },
  'failed keys are counted': {
    file: 'adapters/http/callers',
    changes: [
      [
        'await count(address, requestsPerMinute.anonymous, request, reply);\n            if (counts(request))',
        'if (counts(request))',
      ],
    ],
    test: 'adapters/http/accounts',
    title: 'counts failed keys against their address',
  },
  'addresses are logged without what stands behind them': {
    file: 'adapters/http/server',
    changes: [['path: pathOf(request.url)', 'path: request.url']],
    test: 'adapters/http/answers',
    title: 'leaves no key, cookie or file name in the log',
  },
  'a worker that never looks up is killed': {
    file: 'adapters/tracing/stoppable-run',
    changes: [['at?.kill();', '']],
    test: 'adapters/tracing/worker-pool',
    title: 'kills a worker that never looks up, past its deadline',
  },
  'a worker has so much memory and no more': {
    file: 'adapters/tracing/worker-process',
    changes: [["kill('memory')", '{ }']],
    test: 'adapters/tracing/worker-pool',
    title: 'to a worker that does swell',
  },
  'a worker is replaced after so many tasks': {
    file: 'adapters/tracing/worker-pool',
    changes: [['if (++member.tasks === tasksPerWorker && members.has(member))', 'if (++member.tasks < 0)']],
    test: 'adapters/tracing/worker-pool',
    title: 'replaces a worker after so many tasks',
  },
  'a worker that has ended is replaced': {
    file: 'adapters/tracing/worker-pool',
    changes: [['while (!isClosed && staying().length < idleWorkers)', 'while (false)']],
    test: 'adapters/tracing/worker-pool',
    title: 'in the place of an idle one that was killed',
  },
  'a worker sees no key': {
    file: 'adapters/tracing/worker-process',
    changes: [['...(env && { env })', '...{}']],
    test: 'adapters/tracing/worker-pool',
    title: 'shows workers nothing of the environment',
  },
  'pictures are let in by the memory they need': {
    file: 'adapters/queue/conversion-slots',
    changes: [['takenBytes + memoryBytes <= memoryBudgetBytes', 'true']],
    test: 'adapters/queue/conversion-slots',
    title: 'fit into the memory budget together',
  },
  'a picture that never fits into memory is refused': {
    file: 'config/memory-of',
    changes: [['if (width * height > limitPixels)', 'if (false)']],
    test: 'config/memory-of',
    title: 'refuses a picture that never fits',
  },
};

const MOCHA = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
/** A worker that is not killed never ends; the tests in question take less than two seconds. */
const TEST_TIMEOUT_MS = 8000;

interface Outcome {
  readonly passes: number;
  readonly failures: number;
}

/** Runs the tests of one file whose title holds a text, in a copy of what was built. */
function runTests(root: string, file: string, title: string): Promise<Outcome> {
  const path = join(root, 'dist', 'test', `${file}.test.js`);
  const options = [
    '--no-config',
    '--exit',
    '--timeout',
    String(TEST_TIMEOUT_MS),
    '--reporter',
    'json',
    '--fgrep',
    title,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MOCHA, ...options, path], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', () => {
      const start = out.indexOf('{\n  "stats"');
      if (start < 0) reject(new Error(`${file} gave no report: ${err.slice(0, 1000)}`));
      else resolve((JSON.parse(out.slice(start)) as { stats: Outcome }).stats);
    });
  });
}

function copyOfBuild(prefix: string): string {
  const root = mkdtempSync(join(tmpdir(), prefix));
  for (const name of ['package.json', 'package-lock.json', 'dist'])
    cpSync(join(PACKAGE_ROOT, name), join(root, name), { recursive: true });
  for (const name of ['node_modules', 'adapters', 'test']) symlinkSync(join(PACKAGE_ROOT, name), join(root, name));
  return root;
}

describe('A defence that is taken away', () => {
  // One copy as it is, and one that a defence at a time is taken out of, so that both run side by side.
  let whole = '';
  let broken = '';
  before(() => {
    [whole, broken] = ['burin-defences-', 'burin-without-'].map(copyOfBuild) as [string, string];
  });
  after(() => {
    for (const root of [whole, broken]) rmSync(root, { recursive: true, force: true });
  });

  it('is one of these', () => expect(Object.keys(DEFENCES)).to.have.length(31));

  for (const [what, { file, changes, test, title }] of Object.entries(DEFENCES))
    it(`is missed: ${what}`, async () => {
      const path = join(broken, 'dist', `${file}.js`);
      const before = readFileSync(path, 'utf8');
      let text = before;
      for (const [from, to] of changes) {
        expect(text.split(from), `${from} in ${file}`).to.have.length(2);
        text = text.replace(from, () => to);
      }
      try {
        writeFileSync(path, text);
        const [withDefence, without] = await Promise.all([whole, broken].map((root) => runTests(root, test, title)));
        expect(withDefence!.passes, `tests named "${title}"`).to.be.above(0);
        expect(withDefence!.failures, 'failures with the defence').to.equal(0);
        expect(without!.failures, 'failures without the defence').to.be.above(0);
      } finally {
        writeFileSync(path, before);
      }
    });
});
