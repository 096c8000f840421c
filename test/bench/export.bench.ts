import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { exporters } from '#plugins/index.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { type StartedService, start } from './start-service.js';

/**
 * A trace of ten thousand paths, exported to each format by the real service: how long it takes, what the service and its
 * children hold at most, and how long /api/v1/status waits meanwhile. `npm run bench:export`
 */

const CLI = join(PACKAGE_ROOT, 'dist/config/main/cli.js');
const SIDE_CELLS = 102;
const CELL_PX = 15;
const COLORS = 12;
/** Often enough to meet every pause worth the name. */
const STATUS_EVERY_MS = 5;

/** Wobbly blobs in a grid, none touching another. */
async function blobsPng(): Promise<Buffer> {
  const random = createSeededRandom(11);
  const size = SIDE_CELLS * CELL_PX;
  const blobs = Array.from({ length: SIDE_CELLS * SIDE_CELLS }, (_, i) => {
    const [x, y] = [((i % SIDE_CELLS) + 0.5) * CELL_PX, (Math.floor(i / SIDE_CELLS) + 0.5) * CELL_PX];
    const points = Array.from({ length: 7 }, (_, k) => {
      const reach = CELL_PX * (0.24 + 0.2 * random());
      const angle = ((k + 0.4 * random()) / 7) * 2 * Math.PI;
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)] as const;
    });
    const middle = (k: number) => {
      const [a, b] = [points[k % 7]!, points[(k + 1) % 7]!];
      return `${((a[0] + b[0]) / 2).toFixed(2)} ${((a[1] + b[1]) / 2).toFixed(2)}`;
    };
    const curves = points.map((_, k) => {
      const [cx, cy] = points[(k + 1) % 7]!;
      return `Q${cx.toFixed(2)} ${cy.toFixed(2)} ${middle(k + 1)}`;
    });
    const hue = Math.floor(random() * COLORS) * (360 / COLORS);
    return `<path fill="hsl(${hue},70%,45%)" d="M${middle(0)}${curves.join('')}Z"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="#fff"/>${blobs.join('')}</svg>`;
  return sharp(Buffer.from(svg), { unlimited: true }).png().toBuffer();
}

const proKey = (folder: string): string => {
  const said = execFileSync(process.execPath, [CLI, 'keys', 'create', '--plan', 'pro', '--json'], {
    env: { ...process.env, BURIN_DATA_DIR: folder },
    encoding: 'utf8',
  });
  return (JSON.parse(said) as { key: string }).key;
};

/** What a process and its children hold now, in MB, pages that they share counted for each; undefined where the system does not say. */
function heldMb(pid: number): number | undefined {
  try {
    const held = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + (heldMb(Number(child)) ?? 0), Number(held![1]) / 1024);
  } catch {
    return undefined;
  }
}

interface Timed {
  readonly tookMs: number;
  readonly statusMaxMs: number;
  /** How long the service's own event loop stood still at most. */
  readonly loopMaxMs: number;
  /** The most that all processes were seen to hold at once. */
  readonly mostMb: number | undefined;
  readonly bytes: number;
}

async function timedExport({ url, pid, probe }: StartedService, key: string, body: object): Promise<Timed> {
  await probe();
  let done = false;
  let statusMaxMs = 0;
  let mostMb: number | undefined;
  const polling = (async () => {
    while (!done) {
      const askedMs = performance.now();
      await (await fetch(`${url}/api/v1/status`)).text();
      statusMaxMs = Math.max(statusMaxMs, performance.now() - askedMs);
      const mb = heldMb(pid);
      if (mb !== undefined) mostMb = Math.max(mostMb ?? 0, mb);
      await wait(STATUS_EVERY_MS);
    }
  })();
  const startMs = performance.now();
  const response = await fetch(`${url}/api/v1/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { convertedFileSize?: number };
  const tookMs = performance.now() - startMs;
  done = true;
  await polling;
  if (answer.convertedFileSize === undefined) throw new Error(JSON.stringify(answer));
  const { delayMaxMs: loopMaxMs } = await probe();
  return { tookMs, statusMaxMs, loopMaxMs, mostMb, bytes: answer.convertedFileSize };
}

const said = (which: string, { tookMs, statusMaxMs, loopMaxMs }: Timed) =>
  `${which} ${tookMs.toFixed(0)} ms, /status ${statusMaxMs.toFixed(0)} ms, loop ${loopMaxMs.toFixed(0)} ms`;

const first = await start();
const key = proKey(first.folder);
const converted = await fetch(`${first.url}/api/v1/convert`, {
  method: 'POST',
  headers: { 'content-type': MULTIPART_TYPE },
  body: new Uint8Array(convertForm(await blobsPng(), { quality_tier: 'balanced_crisp' })),
});
const answer = (await converted.json()) as {
  readonly svg: string;
  readonly downloadPathBasename: string;
  readonly traceStats: { readonly shapes: number; readonly nodes: number; readonly svgBytes: number };
};
await first.stop({ keepFiles: true });
const { shapes, nodes, svgBytes } = answer.traceStats;
process.stdout.write(`${shapes} paths, ${nodes} nodes, ${(svgBytes / 1e6).toFixed(1)} MB of SVG\n`);

const only = process.argv.slice(2);
const sources = {
  basename: { sourceSvgBasename: answer.downloadPathBasename },
  markup: { svg: answer.svg },
};
for (const { format } of exporters) {
  if (only.length > 0 && !only.includes(format.id)) continue;
  for (const [from, source] of Object.entries(sources)) {
    // A service of its own for each, so that the first export is one and the memory is this format's.
    const service = await start({}, first.folder);
    await (await fetch(`${service.url}/api/v1/status`)).text();
    const body = { ...source, format: format.id };
    const cold = await timedExport(service, key, body);
    const warm = await timedExport(service, key, body);
    await service.stop({ keepFiles: true });
    const figures = [
      said('first', cold),
      said('next', warm),
      `${(warm.bytes / 1e6).toFixed(1)} MB`,
      `at most ${Math.max(cold.mostMb ?? 0, warm.mostMb ?? 0).toFixed(0) || 'unknown'} MB in all processes at once`,
    ];
    process.stdout.write(`${format.id.padEnd(5)} of a ${from.padEnd(9)} ${figures.join('; ')}\n`);
  }
}
