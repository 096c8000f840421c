import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { CLI } from '#test/support/run-burin.js';

const run = promisify(execFile);
const INSPECTOR = join(PACKAGE_ROOT, 'node_modules/@modelcontextprotocol/inspector-cli/build/cli.js');

/** What the MCP Inspector's command line says to a method; it is pinned to a version that runs on Node 20. */
async function inspect(method: string) {
  const { stdout } = await run(
    process.execPath,
    [INSPECTOR, '--cli', process.execPath, CLI, 'mcp', '--method', method],
    { maxBuffer: 10_000_000 },
  );
  return JSON.parse(stdout);
}

describe('the MCP Inspector', () => {
  it('lists the six tools, with schemas that compile', async () => {
    const { tools } = await inspect('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).to.have.members([
      'vectorize_image',
      'vectorize_batch',
      'export_svg',
      'get_usage',
      'get_capabilities',
      'get_status',
    ]);
    for (const { name, inputSchema, outputSchema } of tools) {
      const ajv = new Ajv2020({ strict: false });
      expect(ajv.validateSchema(inputSchema), `${name} in`).to.equal(true);
      expect(ajv.validateSchema(outputSchema), `${name} out`).to.equal(true);
    }
  });

  it('lists the resources and the prompt', async () => {
    const { resources } = await inspect('resources/list');
    expect(resources.map(({ uri }: { uri: string }) => uri)).to.include('burin://presets');
    const { prompts } = await inspect('prompts/list');
    expect(prompts.map(({ name }: { name: string }) => name)).to.deep.equal(['trace_this_logo_well']);
  });
});
