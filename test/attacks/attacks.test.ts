import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

/** What hostile pictures, drawings and callers may try, and the tests (file, part of the title) that show what comes of it. */
const ATTACKS: Readonly<Record<string, readonly (readonly [file: string, title: RegExp])[]>> = {
  'make the service call somebody': [
    ['adapters/svg-reader/security', /calls nobody: (image href|style @import|xml-stylesheet|feImage)/],
  ],
  'have a file of the machine read': [['adapters/svg-reader/security', /reads no file: (image href|xi:include|use)/]],
  'declare entities that grow, or name files': [
    ['adapters/svg-reader/security', /is refused: (a DOCTYPE|an entity that names a file|entities in entities)/],
  ],
  'use what uses itself a million times': [
    ['adapters/svg-reader/security', /is refused: (uses in uses|a pattern of itself|a marker on 20,000)/],
  ],
  'nest elements without end': [['adapters/svg-reader/security', /is refused: 50,000 elements in one another/]],
  'send too many elements, or one endless attribute': [
    [
      'adapters/svg-reader/security',
      /is refused: (more than 200,000 elements|an attribute of 10 MB)|above 25 MB, before it is parsed/,
    ],
  ],
  'ask for a canvas, or a filter, that no memory holds': [
    ['adapters/svg-reader/security', /not painted (on a huge canvas|through a filter|in more layers)/],
  ],
  'hide a vast picture in a drawing': [['adapters/svg-reader/security', /an embedded picture has more pixels/]],
  'run a script from a drawing': [
    ['adapters/svg-reader/security', /runs nothing: /],
    ['adapters/http/download', /to be saved and never run/],
    ['adapters/web/hostile', /of which nothing runs and nothing is fetched/],
  ],
  'send a small file that is a vast picture': [
    ['adapters/imaging/image-decoder', /whose header says 60000 x 60000, by the header alone/],
    ['adapters/imaging/bmp-decoder', /size from the header alone/],
  ],
  'send a film as a picture': [['adapters/imaging/image-decoder', /first frame of an animated WEBP/]],
  'break the decoder with damage': [
    ['adapters/imaging/image-decoder', /damaged bytes with a ServiceError and nothing else/],
    ['fuzz/fuzz', /breaks nothing: pictures/],
  ],
  'break the reader, the engine or a route with what is nearly right': [
    ['fuzz/fuzz', /breaks nothing: (svg|tracing|settings|http)/],
  ],
  'say that a file is what it is not': [['adapters/imaging/image-decoder', /files of other kinds/]],
  'name a file so that it lands elsewhere, or ends a header': [
    ['application/file-name', /harmless characters only/],
    ['adapters/http/download', /every file that is not there the same|file name as RFC 6266/],
    ['application/use-cases/export-zip', /a safe name of its own/],
  ],
  'send slowly, or never end': [
    ['adapters/http/worker-service', /leaves in the middle of its upload|ends its upload half way/],
    ['attacks/connections', /trickles its picture, at the time limit|trickles its head/],
  ],
  'occupy connections and say nothing': [['attacks/connections', /serves on beside connections that say nothing/]],
  'smuggle a second request in the body of a first': [
    ['attacks/connections', /takes no second request out of the body/],
    ['fuzz/fuzz', /breaks nothing: http-socket/],
  ],
  'send a thousand requests at once, or a head without end': [
    ['attacks/connections', /answers a thousand requests in one piece|a head of too many bytes or lines/],
  ],
  'use the service as a proxy, or talk it into another protocol': [
    ['attacks/connections', /is no proxy, and changes to no other protocol/],
  ],
  'announce a form that no parser can read': [['attacks/connections', /a form whose boundary no parser looks for/]],
  'send a packed body that grows': [['attacks/connections', /inflates no body that is sent packed/]],
  'change the prototype of everything': [['attacks/connections', /hands no prototype on/]],
  'keep the connection of a door that never closes it': [
    ['attacks/connections', /closes the connection of an MCP client/],
  ],
  'have other hosts named in answers': [['attacks/connections', /names no other host in what it answers/]],
  "get the answer to another's Idempotency-Key": [
    ['attacks/connections', /the answer to somebody else with the same Idempotency-Key/],
  ],
  'write lines of its own into the log': [['attacks/connections', /writes one line of the log for one request/]],
  'find the moment at which a failure or a kill makes it free, or double': [
    ['application/paid-once', /settled and nobody heard of it|whose result cannot be kept/],
    ['application/interleaved-faults', /no credit is lost or paid twice and no half file is served with/],
    ['config/killed-at-random', /charges each conversion once, and leaves no hold and no half file/],
  ],
  'send too much, too many parts, or JSON of a million values': [
    ['adapters/http/convert', /refuses (too many bytes|far too many bytes|many files)/],
    ['adapters/http/bounded-json', /of tiny values are refused unread/],
  ],
  'send a part of a form that has no name': [['adapters/http/convert', /a part without a name/]],
  'occupy a worker for ever, or end it': [
    [
      'adapters/tracing/worker-pool',
      /kills a worker that never looks up, past its deadline|loses one request, and one only/,
    ],
    [
      'adapters/http/worker-service',
      /504 past the limit, and serves on|422 for a picture over which a worker breaks down/,
    ],
    ['adapters/svg-reader/normalizer', /ended when it works for too long|may end without taking anything/],
    ['config/isolation', /503 for the picture that was worked on|503 for the drawing that was exported/],
  ],
  'send more large pictures at once than memory holds': [
    ['adapters/queue/conversion-slots', /fit into the memory budget together/],
    ['config/memory-of', /refuses a picture that never fits/],
  ],
  'leave, and keep the slot or the credits': [
    ['adapters/http/worker-service', /frees the worker of a client that leaves/],
    ['adapters/http/accounts', /are not charged for what fails/],
  ],
  'guess keys': [
    [
      'adapters/http/accounts',
      /counts failed keys against their address|that are bad, revoked or two are never anonymous/,
    ],
    ['adapters/persistence/contracts', /takes nothing but the whole key/],
  ],
  'read keys in the log': [['adapters/http/answers', /no key, cookie or file name in the log/]],
  'let a page of another site speak with the cookie': [
    ['adapters/http/sessions', /speaks for no page of another origin/],
  ],
  'keep a session that should have ended': [
    ['adapters/http/sessions', /every sign-in ends the session from before|ends with its time/],
  ],
  'rebind a name to this machine': [['adapters/http/answers', /a page that has rebound its name/]],
  'show a file name as markup': [['adapters/web/hostile', /shown as text, wherever it is shown/]],
  'pay once and be served twice, or the other way round': [
    ['adapters/http/accounts', /charges two hundred retries once/],
  ],
  'install something that runs a script': [['architecture/package-pins', /a decision for every install script/]],
};

interface DryRun {
  readonly tests: readonly { readonly fullTitle: string }[];
}

/** The titles of a file's tests, as mocha finds them; nothing is run. */
function titlesOf(file: string): readonly string[] {
  const mocha = join(dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js');
  const path = join(PACKAGE_ROOT, 'dist', 'test', `${file}.test.js`);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [mocha, '--no-config', '--dry-run', '--exit', '--reporter', 'json', path],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    },
  );
  const start = stdout.indexOf('{\n  "stats"');
  if (start < 0) throw new Error(`${file} has no tests: ${stderr.slice(0, 500)}`);
  return (JSON.parse(stdout.slice(start)) as DryRun).tests.map(({ fullTitle }) => fullTitle);
}

describe('Every attack that is known', () => {
  const known = new Map<string, readonly string[]>();
  const titles = (file: string) => {
    const found = known.get(file) ?? titlesOf(file);
    known.set(file, found);
    return found;
  };

  it('is in the list', () => expect(Object.keys(ATTACKS)).to.have.length(41));

  for (const [attack, tests] of Object.entries(ATTACKS))
    it(`has a test that shows what comes of it: ${attack}`, () => {
      for (const [file, title] of tests) {
        // Each title of an "or" must be there.
        for (const one of title.source.split(/\|(?![^(]*\))/)) {
          const wanted = new RegExp(one);
          expect(
            titles(file).some((fullTitle) => wanted.test(fullTitle)),
            `${wanted} in ${file}`,
          ).to.equal(true);
        }
      }
    });
});
