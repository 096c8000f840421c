import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import sharp from 'sharp';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { type GalleryDrawing, type GalleryRow, galleryPage } from './page.js';

/**
 * A page with pictures, our drawings of them and another tracer's, to be looked at: `npm run gallery -- FOLDER [--levels]`.
 * With `--levels` each picture is drawn at details low and high, too, and one of lines along their middle. The other tracer is
 * vtracer, from the package folder that BURIN_TEST_VTRACER names (`…/node_modules/@neplex/vectorizer`); without it the page says so.
 */

const PICTURES = 30;
const OUTPUT = join(PACKAGE_ROOT, 'test', 'output', 'gallery');
const ENDINGS = /\.(png|jpe?g|webp|bmp)$/i;

/** Files below a folder, sorted; where there are more than enough, evenly taken. */
async function choosePictures(folder: string): Promise<readonly string[]> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && ENDINGS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (found.length <= PICTURES) return found;
  return Array.from({ length: PICTURES }, (_, k) => found[Math.floor((k * found.length) / PICTURES)]!);
}

type OtherTracer = (png: Buffer) => Promise<string>;

/** vtracer with its own settings for flat art, or undefined where it is not there. */
function loadVtracer(folder: string | undefined): OtherTracer | undefined {
  if (folder === undefined) return undefined;
  const {
    vectorize: trace,
    ColorMode,
    Hierarchical,
    PathSimplifyMode,
  } = createRequire(import.meta.url)(resolve(folder));
  const settings = {
    colorMode: ColorMode.Color,
    colorPrecision: 6,
    filterSpeckle: 4,
    spliceThreshold: 45,
    cornerThreshold: 60,
    hierarchical: Hierarchical.Stacked,
    mode: PathSimplifyMode.Spline,
    layerDifference: 16,
    lengthThreshold: 4,
    maxIterations: 10,
    pathPrecision: 2,
  };
  return (png) => trace(png, settings);
}

/** Nodes of an SVG that has absolute and relative M, L, H, V, C, S, Q and A only: the points where segments end. */
function countNodes(svg: string): number {
  const numbers: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
  let nodes = 0;
  for (const [, d] of svg.matchAll(/\sd="([^"]*)"/g)) {
    for (const [, command, rest] of d!.matchAll(/([a-z])([^a-z]*)/gi)) {
      const each = numbers[command!.toLowerCase()] ?? 0;
      const count = rest!.match(/-?(?:\d+\.?\d*|\.\d+)/g)?.length ?? 0;
      nodes += each > 0 ? Math.round(count / each) : 0;
    }
  }
  return nodes;
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }> {
  const startMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startMs };
}

/** The settings that are worth a look beside the defaults, by what a picture is. */
function levelsOf(type: string): readonly { readonly title: string; readonly settings: VectorizeSettings }[] {
  const details = (['low', 'high'] as const).map((details_level) => ({
    title: `details ${details_level}`,
    settings: { details_level },
  }));
  return type === 'line_art' || type === 'scan'
    ? [...details, { title: 'centerline', settings: { stroke_mode: 'centerline' } }]
    : details;
}

async function draw(file: string, k: number, other: OtherTracer | undefined, levels: boolean): Promise<GalleryRow> {
  const name = `${String(k + 1).padStart(2, '0')}-${basename(file).replace(ENDINGS, '')}`;
  const { data, info } = await sharp(await readFile(file))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  await writeFile(join(OUTPUT, `${name}.png`), png);
  const keep = async (suffix: string, svg: string, nodes: number, ms: number): Promise<GalleryDrawing> => {
    await writeFile(join(OUTPUT, `${name}.${suffix}.svg`), svg);
    return { file: `${name}.${suffix}.svg`, nodes, bytes: Buffer.byteLength(svg), ms };
  };
  const ours = await timed(() => vectorize({ data: new Uint8Array(data), width, height }, { fidelity: false }));
  const { svg, traceStats } = ours.value;
  const { detectedType } = ours.value.qualityDiagnostics;
  const others: { title: string; drawing: GalleryDrawing }[] = [];
  for (const { title, settings } of levels ? levelsOf(detectedType) : []) {
    const made = await timed(() =>
      vectorize({ data: new Uint8Array(data), width, height }, { fidelity: false, ...settings }),
    );
    const drawing = await keep(title.replaceAll(/\W+/g, '-'), made.value.svg, made.value.traceStats.nodes, made.ms);
    others.push({ title, drawing });
  }
  const theirs = other && (await timed(() => other(png)));
  return {
    name,
    picture: `${name}.png`,
    width,
    height,
    ...(others.length > 0 && { others }),
    ours: await keep('ours', svg, traceStats.nodes, ours.ms),
    ...(theirs && { theirs: await keep('vtracer', theirs.value, countNodes(theirs.value), theirs.ms) }),
  };
}

const levels = process.argv.includes('--levels');
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (folder === undefined) {
  process.stderr.write('Say which folder of pictures: npm run gallery -- FOLDER [--levels]\n');
  process.exitCode = 2;
} else {
  const files = await choosePictures(resolve(folder));
  if (files.length === 0) throw new RangeError(`${folder} has no pictures`);
  const other = loadVtracer(process.env.BURIN_TEST_VTRACER);
  await rm(OUTPUT, { recursive: true, force: true });
  await mkdir(OUTPUT, { recursive: true });
  // The first drawing of a process is slower than those that follow.
  await draw(files[0]!, 0, other, false);
  const rows: GalleryRow[] = [];
  for (const [k, file] of files.entries()) rows.push(await draw(file, k, other, levels));
  const page = join(OUTPUT, 'index.html');
  await writeFile(page, galleryPage(rows, other !== undefined));
  process.stdout.write(`${rows.length} pictures in ${relative(process.cwd(), page)}\n`);
}
