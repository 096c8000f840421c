import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, comments gone and continued lines joined. */
export function parseDockerfile(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) as unknown as [string, string, string];
    if (name === 'FROM') stages.push({ name: / AS (\S+)/.exec(rest)?.[1] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push({ name, text: rest });
  }
  return stages;
}

export interface Built {
  /** What is `/` in the image. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: number | undefined;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

export interface BuildOptions {
  /** The folder for the stages. */
  readonly folder: string;
  /** The checkout. */
  readonly context: string;
  /** Runs a RUN line in place of a shell; false where it is to be run by one. */
  readonly instead: (line: string, workdir: string) => boolean;
}

/** Names at the top of the context that .dockerignore leaves out; it has no other kind of line. */
function ignoredNames(context: string): ReadonlySet<string> {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n');
  return new Set(lines.filter((line) => /^[\w.-]+$/.test(line)));
}

/** Does what the lines of a Dockerfile say, in folders in place of file systems. Knows the instructions that this one has. */
export function buildStages(stages: readonly Stage[], { folder, context, instead }: BuildOptions): Built {
  const ignored = ignoredNames(context);
  const roots = new Map<string, string>();
  let built: Built | undefined;
  for (const [index, { name, instructions }] of stages.entries()) {
    const root = join(folder, `stage-${index}`);
    mkdirSync(root, { recursive: true });
    chmodSync(root, 0o755);
    roots.set(name, root);
    let workdir = root;
    const env: Record<string, string> = {};
    const last: { user?: number; command?: string[]; healthcheck?: string[] } = {};
    const inside = (path: string) => (path.startsWith('/') ? join(root, path) : resolve(workdir, path));
    const copy = (text: string) => {
      const [, from, paths] = /^(?:--from=(\S+) )?(.*)$/.exec(text) as unknown as [string, string | undefined, string];
      const names = paths.split(' ');
      const to = names.pop() as string;
      const source = from === undefined ? context : (roots.get(from) as string);
      for (const path of names) {
        const at = join(source, path);
        const onto = to.endsWith('/') && path !== '.' ? join(inside(to), basename(path)) : inside(to);
        const filter = (file: string) =>
          from !== undefined || !ignored.has(file.slice(context.length + 1).split('/')[0] as string);
        cpSync(at, onto, { recursive: true, verbatimSymlinks: true, filter });
      }
    };
    for (const { name: what, text } of instructions)
      switch (what) {
        case 'WORKDIR':
          workdir = inside(text);
          mkdirSync(workdir, { recursive: true });
          break;
        case 'ENV': {
          const [variable, value] = text.split('=') as [string, string];
          env[variable] = value.startsWith('/') ? inside(value) : value;
          break;
        }
        case 'COPY':
          copy(text);
          break;
        case 'RUN': {
          if (instead(text, workdir)) break;
          const line = text.replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`);
          const ran = spawnSync('/bin/sh', ['-euc', line], {
            cwd: workdir,
            env: { ...process.env, ...env },
            encoding: 'utf8',
          });
          if (ran.status !== 0) throw new Error(`RUN ${text}\n${ran.stdout}\n${ran.stderr}`);
          break;
        }
        case 'USER':
          last.user = Number(text.split(':')[0]);
          break;
        case 'HEALTHCHECK':
          last.healthcheck = JSON.parse(/CMD (\[.*\])$/.exec(text)?.[1] ?? '[]') as string[];
          break;
        case 'CMD':
          last.command = JSON.parse(text) as string[];
          break;
        case 'VOLUME':
          if (!existsSync(inside(text))) throw new Error(`VOLUME ${text} is not there`);
          break;
        case 'EXPOSE':
          break;
        default:
          throw new Error(`${what} is done by nothing here`);
      }
    const { user, command = [], healthcheck = [] } = last;
    built = { root, workdir, env, user, command, healthcheck };
  }
  if (built === undefined) throw new Error('no stage');
  return built;
}
