import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { codeOf } from './code-of.js';

const LAYERS = ['domain', 'application', 'adapters', 'plugins', 'config', 'test'] as const;
const ENGINE = 'adapters/tracing/engine/';
/** Where dependencies are put together; only here may a container and the environment be seen. */
const CONTAINER_PACKAGES = ['inversify', 'reflect-metadata', '@inversifyjs/'];

export interface LayerReport {
  /** How many sources of each layer were read: a check of nothing must not pass. */
  readonly files: Readonly<Record<string, number>>;
  readonly imports: number;
  /** One readable line for each breach. */
  readonly violations: readonly string[];
}

const IMPORT = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"])([^'"\n]+)\1/g;

/** `adapters/http` of `adapters/http/routes/x.ts`; the file itself for `plugins/index.ts`. */
const unitOf = (path: string) => path.split('/').slice(0, 2).join('/');

/** The repository path that an import names, or undefined for a package. */
const targetOf = (file: string, name: string): string | undefined => {
  if (name.startsWith('#')) return name.slice(1);
  if (name.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file), name));
  return undefined;
};

/** Why this file may not import this path of the repository; undefined where it may. */
const breachOfPath = (file: string, target: string): string | undefined => {
  const isIn = (folder: string) => target.startsWith(`${folder}/`);
  const [layer] = file.split('/');
  if (layer === 'test') return undefined;
  if (file.startsWith(ENGINE)) return target.startsWith(ENGINE) ? undefined : 'the engine imports only itself';
  if (isIn('test')) return 'only tests import tests';
  const own = isIn(unitOf(file));
  switch (layer) {
    case 'domain':
      return isIn('domain') ? undefined : 'the domain imports only itself';
    case 'application':
      return isIn('domain') || isIn('application') ? undefined : 'the application imports only domain and itself';
    case 'plugins': {
      const isList = file === 'plugins/index.ts' && isIn('plugins');
      if (own || isList || isIn('domain') || isIn('application/ports')) return undefined;
      return 'a plugin imports only domain, ports and itself';
    }
    case 'adapters':
      if (own || isIn('domain') || isIn('application')) return undefined;
      return 'an adapter imports only domain, application and itself';
    default:
      return undefined;
  }
};

const breachOfPackage = (file: string, name: string): string | undefined => {
  const [layer] = file.split('/');
  if (layer === 'test') return undefined;
  if (file.startsWith(ENGINE)) return 'the engine imports no package and nothing of node';
  if (layer === 'domain') return 'the domain imports no package and nothing of node';
  if (layer === 'application') return 'the application imports no package and nothing of node';
  if (
    layer !== 'config' &&
    CONTAINER_PACKAGES.some((p) => name === p || name.startsWith(p.endsWith('/') ? p : `${p}/`))
  ) {
    return 'only config knows the container';
  }
  return undefined;
};

/** A path that leaves its layer must be written as a subpath (`#domain/...`), so that the line shows the layer. */
const breachOfForm = (file: string, name: string, target: string): string | undefined =>
  name.startsWith('.') && target.split('/')[0] !== file.split('/')[0]
    ? 'another layer is imported by its # name'
    : undefined;

const PROCESS_ENV = /\bprocess\s*\??\.\s*env\b|\bprocess\s*(?:\?\.)?\[\s*['"`]env['"`]|\benv\b[^;=]*\}\s*=\s*process\b/;
const ENV_IMPORT = /\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](?:node:)?process['"]/;

function* sourcesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* sourcesBelow(path);
    } else if (/\.[cm]?tsx?$/.test(entry.name)) yield path;
  }
}

const breachesOf = (file: string, source: string): { imports: number; lines: string[] } => {
  const lines: string[] = [];
  const { withStrings, withoutStrings } = codeOf(source);
  const imports = [...withStrings.matchAll(IMPORT)].map((match) => match[2] as string);
  for (const name of imports) {
    const target = targetOf(file, name);
    const breach =
      target === undefined
        ? breachOfPackage(file, name)
        : (breachOfPath(file, target) ?? breachOfForm(file, name, target));
    if (breach !== undefined) lines.push(`${file} -> ${target ?? name}: ${breach}`);
  }
  const [layer] = file.split('/');
  if (layer !== 'config' && layer !== 'test' && (PROCESS_ENV.test(withStrings) || ENV_IMPORT.test(withStrings))) {
    lines.push(`${file}: reads process.env; only config does`);
  }
  // Outside strings, comments and regular expressions, nothing but a decorator is written with an @.
  if (layer !== 'config' && /(?:^|[\s({;,])@[A-Za-z_$(]/.test(withoutStrings)) {
    lines.push(`${file}: has a decorator; only config may`);
  }
  return { imports: imports.length, lines };
};

/** Holds every TypeScript source below `root` against the table of who may import whom. */
export function checkLayers(root: string): LayerReport {
  const files: Record<string, number> = {};
  const violations: string[] = [];
  let imports = 0;
  for (const layer of LAYERS) {
    files[layer] = 0;
    let paths: string[];
    try {
      paths = [...sourcesBelow(join(root, layer))].sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    for (const path of paths) {
      const file = relative(root, path).split(sep).join('/');
      const found = breachesOf(file, readFileSync(path, 'utf8'));
      files[layer]++;
      imports += found.imports;
      violations.push(...found.lines);
    }
  }
  return { files, imports, violations };
}
