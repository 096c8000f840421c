import type { Command } from 'commander';
import { EXIT_CODES, EXIT_OK } from './exit-codes.js';
import { writeStream } from './files.js';

type InspectDeps = import('./commands/inspect.js').InspectCommandDeps;
type DoctorReport = import('./commands/doctor.js').DoctorReport;

export interface ServeInput {
  /** Variables that are set for this run, over those of the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ToolCommandsDeps extends InspectDeps {
  /** Runs the service until it is stopped. */
  readonly serve: (input: ServeInput) => Promise<void>;
  /** The Model Context Protocol on standard input and output, until the client goes. */
  readonly mcp: (input: { readonly allow: readonly string[] }) => Promise<void>;
  /** The description of the API, and the client's types made of it. */
  readonly openApi: () => Promise<{ readonly document: object; readonly types: string }>;
  /** Looks over this machine. */
  readonly examine: () => Promise<DoctorReport>;
}

/** Every one of an option that may be given more than once. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value];

const SERVE_VARIABLES = [
  ['--host <address>', 'host', 'BURIN_HOST'],
  ['--port <number>', 'port', 'BURIN_PORT'],
  ['--data-dir <folder>', 'dataDir', 'BURIN_DATA_DIR'],
  ['--role <role>', 'role', 'BURIN_ROLE'],
  ['--tiers <names>', 'tiers', 'BURIN_WORKER_TIERS'],
] as const;

/** inspect, compare, serve, mcp, openapi, doctor and completion. What they need is loaded when they run. */
export function addToolCommands(program: Command, deps: ToolCommandsDeps, ended: (exitCode: number) => void): void {
  program
    .command('inspect')
    .description('Say what an SVG consists of, and how well it matches a picture.')
    .argument('<SVG>', 'an SVG file')
    .argument('[PICTURE]', 'the picture that it should look like')
    .option('--json', 'answer as one JSON value')
    .action(async (svg: string, picture: string | undefined, { json }: { json?: boolean }) => {
      const { inspectCommand } = await import('./commands/inspect.js');
      await inspectCommand(deps, { svg, picture, json: json === true });
    });
  program
    .command('compare')
    .description('Say which of two SVG files is closer to a picture, and which is smaller.')
    .argument('<A>', 'an SVG file')
    .argument('<B>', 'another')
    .argument('<PICTURE>', 'the picture that both should look like')
    .option('--json', 'answer as one JSON value')
    .action(async (a: string, b: string, picture: string, { json }: { json?: boolean }) => {
      const { compareCommand } = await import('./commands/inspect.js');
      await compareCommand(deps, { a, b, picture, json: json === true });
    });

  const serve = program.command('serve').description('Run the service: the API, the guide at /docs, and its accounts.');
  for (const [flags, , variable] of SERVE_VARIABLES) serve.option(flags, `in place of ${variable}`);
  serve.action((options: Record<string, string | undefined>) => {
    const given = SERVE_VARIABLES.flatMap(([, name, variable]) => {
      const value = options[name];
      return value === undefined ? [] : [[variable, value] as const];
    });
    return deps.serve({ variables: Object.fromEntries(given) });
  });

  program
    .command('mcp')
    .description('Serve the Model Context Protocol on standard input and output.')
    .option('--allow <folder>', 'read and write files below it; may be given again', collect)
    .addHelpText(
      'after',
      `
Works with the engine in this process, or with a service where these are set:
  BURIN_URL      its address
  BURIN_API_KEY  a key of it

Examples:
  burin mcp --allow ~/pictures
  BURIN_URL=https://burin.example.org BURIN_API_KEY=brn_live_… burin mcp`,
    )
    .action(({ allow = [] }: { allow?: string[] }) => deps.mcp({ allow }));

  program
    .command('openapi')
    .description('Print the OpenAPI document of the service.')
    .option('--types', 'TypeScript types of its schemas instead')
    .action(async ({ types }: { types?: boolean }) => {
      const described = await deps.openApi();
      const text = types === true ? described.types : `${JSON.stringify(described.document, null, 2)}\n`;
      await writeStream(deps.stdout, text);
    });

  program
    .command('doctor')
    .description('Say what is missing on this machine, and how to get it.')
    .option('--json', 'answer as one JSON value')
    .action(async ({ json }: { json?: boolean }) => {
      const { doctorText } = await import('./commands/doctor.js');
      const report = await deps.examine();
      await writeStream(deps.stdout, `${json === true ? JSON.stringify(report) : doctorText(report)}\n`);
      ended(report.ok ? EXIT_OK : EXIT_CODES.unavailable);
    });

  const completion = program
    .command('completion')
    .description('Print what a shell needs to complete burin commands and options.')
    .addHelpText(
      'after',
      `
Examples:
  source <(burin completion bash)
  burin completion zsh > "\${fpath[1]}/_burin"
  burin completion fish > ~/.config/fish/completions/burin.fish`,
    );
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    completion
      .command(shell)
      .description(`For ${shell}.`)
      .action(async () => {
        const { completionScript } = await import('./completion.js');
        await writeStream(deps.stdout, completionScript(shell, program));
      });
}
