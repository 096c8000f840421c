#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runCli } from '#adapters/cli/program.js';
import type { VectorizeImage } from '#application/use-cases/vectorize-image.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// Whoever reads our output may stop reading: `burin trace … --json | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

let composed: Promise<VectorizeImage> | undefined;

process.exitCode = await runCli(process.argv.slice(2), {
  version,
  // Loaded when there is something to trace: help and refusals answer at once.
  vectorize: () => {
    composed ??= Promise.all([import('#config/compose.js'), import('#adapters/tracing/split-fitter.js')]).then(
      ([{ composeVectorizeImage }, { createSplitFitter }]) => composeVectorizeImage(createSplitFitter()),
    );
    return composed;
  },
  exporting: async () => (await import('#config/compose-exporting.js')).composeExporting(),
  administration: async () => {
    const { openAdministration } = await import('#config/administration.js');
    return openAdministration(process.env);
  },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
