import { Command, CommanderError } from 'commander';
import { invalid } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';
import { addAccountCommands } from './account-program.js';
import type { AccountCommandsDeps } from './commands/accounts.js';
import { capabilitiesCommand, type ExportCommandDeps, exportCommand } from './commands/export.js';
import type { TraceCommandDeps } from './commands/trace.js';
import { toErrorLine } from './error-line.js';
import { EXIT_OK, exitHelp } from './exit-codes.js';
import { exportOptions, givenExportOptions } from './export-options.js';
import { addToolCommands, type ToolCommandsDeps } from './tool-program.js';
import { addTraceCommand } from './trace-program.js';

export interface CliDeps extends TraceCommandDeps, ExportCommandDeps, AccountCommandsDeps, ToolCommandsDeps {
  readonly stderr: TraceCommandDeps['stderr'];
  readonly version: string;
}

const EXPORT_EXAMPLES = `
Examples:
  burin export logo.svg -o logo.pdf
  burin export logo.svg -o logo.png --scale 4 --background "#ffffff"
  burin export plan.svg -o plan.dxf --width 200 --unit mm --compatibility splines`;

/** The command that was named, as far as there is one: `burin keys create` of `keys create --plan pro`. */
function namedCommand(program: Command, argv: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === argv[0]);
  return next === undefined ? program : namedCommand(next, argv.slice(1));
}

/** `keys create` */
const fullName = (command: Command): string =>
  command.parent?.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();

/** What commander found wrong, in our words: what it was, and the nearest that there is. */
function toUsageError(error: CommanderError, program: Command, argv: readonly string[]): unknown {
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const command = namedCommand(program, argv);
  const commands = command.commands.map((known) => known.name());
  // A group that was named alone; commander would print its help as an error.
  if (error.code === 'commander.help') return invalid(command.name(), `needs one of ${commands.join(', ')} after it`);
  if (error.code === 'commander.unknownOption') {
    const options = (commands.length > 0 ? command.commands : [command])
      .flatMap((known) => known.options)
      .map(({ long }) => long ?? '');
    const flag = named.split('=')[0] ?? named;
    if (options.includes(flag)) return invalid(flag, `takes no value; give ${flag} or ${flag.replace('--', '--no-')}`);
    return invalid(named, `unknown option; the nearest known one is ${nearestName(flag, options)}`);
  }
  if (error.code === 'commander.unknownCommand')
    return invalid(named, `unknown command; the nearest known one is ${nearestName(named, commands)}`);
  if (error.code === 'commander.missingArgument')
    return command.name() === 'trace'
      ? invalid('IN', 'no picture was given; see burin trace --help')
      : invalid(named, `is missing; see burin ${fullName(command)} --help`);
  if (error.code === 'commander.optionMissingArgument')
    return invalid(named.split(' ')[0] ?? named, 'needs a value after it');
  return invalid('command', error.message.replace(/^error: /, ''));
}

/**
 * Runs the command line and answers the exit code; `argv` without the node and script parts. Never rejects: every error is
 * one line on `stderr`.
 */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  let exitCode: number = EXIT_OK;
  const program = new Command('burin')
    .description('Turns pictures (JPG, PNG, BMP, WEBP, AVIF) into SVG drawings.')
    .version(deps.version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => deps.stdout.write(text),
      // Errors are said by us, below; help that was asked for goes to standard output.
      writeErr: () => {},
      outputError: () => {},
    });

  const ended = (code: number) => {
    exitCode = code;
  };
  addTraceCommand(program, deps, ended);

  // The formats are loaded only for who exports: every other start does without them.
  const formats = argv[0] === 'export' ? (await deps.exporting()).exporters : [];
  const exporting = program
    .command('export')
    .description('Export an SVG file to another format.')
    .argument('<IN>', 'an SVG file, or - for standard input')
    .option('-o, --output <OUT>', 'the file, or - for standard output; else beside the SVG')
    .option('--format <name>', `${formats.map(({ format }) => format.id).join(' | ')}; else by the name of OUT`)
    .option('--json', 'the answer on standard output, as one JSON value')
    .option('-q, --quiet', 'say nothing but errors')
    .addHelpText('after', `${EXPORT_EXAMPLES}\n${exitHelp}`)
    .action((input: string, options: Record<string, unknown>) =>
      exportCommand(deps, {
        input,
        output: options.output as string | undefined,
        format: options.format as string | undefined,
        options: givenExportOptions(options),
        json: options.json === true,
        quiet: options.quiet === true,
      }),
    );
  for (const option of exportOptions(formats)) exporting.addOption(option);
  program
    .command('capabilities')
    .description('Say which formats, options, presets and tiers there are.')
    .option('--json', 'answer as one JSON value')
    .action((options: { json?: boolean }) => capabilitiesCommand(deps, options.json === true));
  addToolCommands(program, deps, ended);
  addAccountCommands(program, deps);

  try {
    if (argv.length === 0) program.help();
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
    const line = toErrorLine(error instanceof CommanderError ? toUsageError(error, program, argv) : error);
    deps.stderr.write(`burin: ${line.text}\n`);
    return line.exitCode;
  }
}
