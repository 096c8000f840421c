#!/usr/bin/env node
import type { CliDeps } from '#adapters/cli/program.js';
import type { VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { PACKAGE_VERSION } from '#config/package-version.js';

/** Everything that needs a package is imported when it is used: `burin doctor` runs where none is installed. */

// Whoever reads our output may stop reading: `burin trace … --json | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

let composed: Promise<VectorizeImage> | undefined;

const deps: CliDeps = {
  version: PACKAGE_VERSION,
  // Loaded when there is something to trace: help and refusals answer at once.
  vectorize: () => {
    composed ??= Promise.all([import('#config/compose.js'), import('#adapters/tracing/split-fitter.js')]).then(
      ([{ composeVectorizeImage }, { createSplitFitter }]) => composeVectorizeImage(createSplitFitter()),
    );
    return composed;
  },
  workers: async (count) => (await import('#config/compose-processes.js')).composeProcesses(count),
  exporting: async () => (await import('#config/compose-exporting.js')).composeExporting(),
  inspecting: async () => (await import('#config/compose-inspecting.js')).composeInspecting(),
  administration: async () => {
    const { openAdministration } = await import('#config/administration.js');
    return openAdministration(process.env);
  },
  serve: async ({ variables }) => (await import('#config/run-service.js')).runService({ ...process.env, ...variables }),
  mcp: async ({ allow }) => {
    const { runMcp } = await import('#config/run-mcp.js');
    const { env, stdin, stdout, stderr } = process;
    return runMcp({ allow, env, stdin, stdout, stderr });
  },
  openApi: async () => (await import('#config/compose-openapi.js')).composeOpenApi(),
  examine: async () => (await import('#config/doctor.js')).examine({ env: process.env }),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
};

/** The package that an import did not find. */
const missingPackage = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    ? /Cannot find package '([^']+)'/.exec((error as Error).message)?.[1]
    : undefined;

async function run(argv: readonly string[]): Promise<number> {
  try {
    const { runCli } = await import('#adapters/cli/program.js');
    return await runCli(argv, deps);
  } catch (error) {
    const name = missingPackage(error);
    if (name === undefined) throw error;
    if (argv[0] !== 'doctor') {
      process.stderr.write(`burin: the package ${name} is not installed; run npm ci (burin doctor says more)\n`);
      return 1;
    }
    const { doctorText } = await import('#adapters/cli/commands/doctor.js');
    const report = await deps.examine();
    process.stdout.write(`${argv.includes('--json') ? JSON.stringify(report) : doctorText(report)}\n`);
    return report.ok ? 0 : (await import('#adapters/cli/exit-codes.js')).EXIT_CODES.unavailable;
  }
}

process.exitCode = await run(process.argv.slice(2));
