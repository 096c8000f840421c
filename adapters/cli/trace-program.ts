import type { Command } from 'commander';
import { exitHelp } from './exit-codes.js';
import { exportOptions, givenExportOptions } from './export-options.js';
import { givenSettings, settingOptions } from './setting-options.js';
import { collect } from './tool-program.js';

type Deps = import('./commands/trace.js').TraceCommandDeps;

const EXAMPLES = `
Examples:
  burin trace logo.png -o logo.svg --preset logo
  burin trace logo.png -o logo.svg -o logo.pdf -o logo.png
  burin trace pictures -o drawings --jobs 4 --format svg,pdf
  burin trace "scans/**/*.jpg" -o drawings --quality-tier high_precision
  burin trace inbox -o drawings --watch
  burin trace - -o - < scan.png > scan.svg
  burin trace photo.jpg --json | jq .qualityDiagnostics`;

const listed = (value: string, before: readonly string[] = []) => [
  ...before,
  ...value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim().toLowerCase()])),
];

const EXPORT_HEADING = 'The files (as of burin export, where no parameter of that name is above):';

/** `burin trace`. What it needs is loaded when there is something to trace; `ended` is told the exit code. */
export function addTraceCommand(program: Command, deps: Deps, ended: (exitCode: number) => void): void {
  const trace = program
    .command('trace')
    .description('Trace pictures into SVG, and into every other format.')
    .argument('<IN...>', 'pictures, folders, patterns such as "in/**/*.png", or - for standard input')
    .option(
      '-o, --output <OUT>',
      'a file (give it again for another), - for standard output, or a folder; else beside the picture',
      collect,
    )
    .option('--format <names>', 'formats to write, as svg,pdf; else by the name of OUT, else svg', listed)
    .option('--jobs <count>', 'pictures to trace at once, each on a core of its own; default 1')
    .option('--watch', 'go on, and trace every picture that comes or changes')
    .option('--json', 'the full answer on standard output, one JSON object a line; files only with -o')
    .option('-q, --quiet', 'say nothing but errors')
    .addHelpText('after', `${EXAMPLES}\n${exitHelp}`)
    .action(async (inputs: string[], options: Record<string, unknown>) => {
      const { traceCommand } = await import('./commands/trace.js');
      ended(
        await traceCommand(deps, {
          inputs,
          outputs: (options.output as string[] | undefined) ?? [],
          formats: (options.format as string[] | undefined) ?? [],
          jobs: options.jobs as string | undefined,
          settings: givenSettings(options),
          exportOptions: givenExportOptions(options, taken),
          watch: options.watch === true,
          json: options.json === true,
          quiet: options.quiet === true,
        }),
      );
    });
  for (const option of settingOptions()) trace.addOption(option);
  const taken = new Set(trace.options.map(({ long }) => long));
  for (const option of exportOptions([]))
    if (!taken.has(option.long)) trace.addOption(option.helpGroup(EXPORT_HEADING));
}
