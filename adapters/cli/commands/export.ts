import { basename, extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Exporter } from '#application/ports/exporter.js';
import type { EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import type { ReportCapabilities } from '#application/use-cases/report-capabilities.js';
import { invalid, ServiceError } from '#domain/errors.js';
import { oneLine } from '../error-line.js';
import { assertWritable, readInput, readStream, writeStream, writeWhole } from '../files.js';
import { PIPE } from '../output-paths.js';

/** What exporting needs, loaded when it is asked for. */
export interface Exporting {
  readonly exporters: readonly Exporter[];
  readonly encodeDrawing: EncodeDrawing;
  readonly reportCapabilities: ReportCapabilities;
}

export interface ExportCommandDeps {
  readonly exporting: () => Promise<Exporting>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export interface ExportCommandInput {
  /** A path, or `-` for standard input. */
  readonly input: string;
  /** A path, or `-` for standard output; left out: beside the input, with the format's extension. */
  readonly output: string | undefined;
  /** Left out: by the output's extension. */
  readonly format: string | undefined;
  /** As typed, by the table's names. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly quiet: boolean;
}

function exporterFor({ format, output }: ExportCommandInput, exporters: readonly Exporter[]): Exporter {
  const known = exporters.map((exporter) => exporter.format.id);
  const extension = output === undefined || output === PIPE ? '' : extname(output).slice(1).toLowerCase();
  if (format === undefined && extension === '')
    throw invalid('--format', `is missing, and there is no output whose name says it; there are ${known.join(', ')}`);
  const wanted = format ?? (extension === 'jpeg' ? 'jpg' : extension);
  const found = exporters.find(
    (exporter) => exporter.format.id === wanted || (format === undefined && exporter.format.extension === wanted),
  );
  if (found === undefined) throw new ServiceError('UNSUPPORTED_FORMAT', { field: 'format', format: wanted, known });
  return found;
}

const rounded = (length: number) => Math.round(length * 1000) / 1000;

/** Exports one SVG file. Throws a ServiceError. */
export async function exportCommand(deps: ExportCommandDeps, command: ExportCommandInput): Promise<void> {
  const { input, options, json, quiet } = command;
  const { exporters, encodeDrawing } = await deps.exporting();
  const exporter = exporterFor(command, exporters);
  exporter.parseOptions(options);
  const { id, extension } = exporter.format;
  const beside = input === PIPE ? PIPE : `${input.slice(0, input.length - extname(input).length)}.${extension}`;
  const output = command.output ?? beside;
  if (json && output === PIPE)
    throw invalid('--json', 'and the file cannot both go to standard output; give -o a path');
  if (command.output === undefined && output === input)
    throw invalid('-o', `is missing, and ${basename(input)} would be written over itself`);
  if (output !== PIPE) assertWritable(output);

  const bytes = input === PIPE ? await readStream(deps.stdin) : await readInput(input);
  const source = { kind: 'markup', svg: new TextDecoder().decode(bytes) } as const;
  const encoded = await encodeDrawing({ source, format: id, options });
  if (output === PIPE) await writeStream(deps.stdout, encoded.bytes);
  else await writeWhole(output, encoded.bytes);
  const { warnings, size } = encoded;
  if (json) {
    const answer = { input, output, format: id, bytes: encoded.bytes.length, ...(size && { size }), warnings };
    await writeStream(deps.stdout, `${JSON.stringify(answer)}\n`);
  }
  if (quiet) return;
  const dimensions = size === undefined ? '' : `, ${rounded(size.width)} x ${rounded(size.height)} ${size.unit}`;
  const shown = output === PIPE ? 'standard output' : output;
  deps.stderr.write(`${oneLine(`${input} -> ${shown}: ${id}, ${encoded.bytes.length} bytes${dimensions}`)}\n`);
  for (const { message } of warnings) deps.stderr.write(`  ${oneLine(message)}\n`);
}

/** Says what can be done here: for people, or whole as one JSON value. */
export async function capabilitiesCommand(deps: ExportCommandDeps, json: boolean): Promise<void> {
  const { reportCapabilities } = await deps.exporting();
  const capabilities = await reportCapabilities();
  if (json) return writeStream(deps.stdout, `${JSON.stringify(capabilities)}\n`);
  const { inputFormats, exportFormats, presets, qualityTiers } = capabilities;
  const lines = [
    `Reads:    ${inputFormats.map(({ id }) => id).join(', ')}, and SVG`,
    'Writes:',
    ...exportFormats.map(
      ({ id, label, options, availability }) =>
        `  ${id.padEnd(6)} ${label}${availability.state === 'available' ? '' : ` (not here: ${availability.reason})`}: ${options.map((name) => `--${name.replaceAll('_', '-')}`).join(' ')}`,
    ),
    'Presets:',
    ...presets.map(({ id, meaning }) => `  ${id.padEnd(18)} ${meaning}`),
    'Quality tiers:',
    ...qualityTiers.map(({ id, meaning }) => `  ${id.padEnd(18)} ${meaning}`),
  ];
  return writeStream(deps.stdout, `${lines.join('\n')}\n`);
}
