import type { Tool, ToolDeps } from '../tool.js';

const NOTHING = { type: 'object', additionalProperties: false, properties: {} } as const;
const idsOf = (value: unknown): string =>
  Array.isArray(value) ? value.map((item: { readonly id?: unknown }) => String(item.id)).join(', ') : '';

/** What is asked of the backend and told as it is: usage, capabilities, status. */
export const createReportTools = ({ backend, folders }: ToolDeps): readonly Tool[] => [
  {
    name: 'get_usage',
    title: 'Plan and credits',
    description:
      'Plan, credits and the last 30 days of the API key; nothing is counted where the engine runs in this process.',
    readOnly: true,
    inputSchema: NOTHING,
    outputSchema: {
      type: 'object',
      required: ['place', 'usage'],
      properties: { place: { type: 'string' }, usage: { type: ['object', 'null'] } },
    },
    async call() {
      const usage = (await backend.usage()) as Readonly<Record<string, unknown>> | null;
      const text =
        usage === null
          ? `Nothing is counted: ${backend.place}.`
          : `Plan ${usage.plan}: ${usage.api_credits_balance} credits left, ${usage.api_credits_used_this_period} used in this period.`;
      return { text, structured: { place: backend.place, usage } };
    },
  },
  {
    name: 'get_capabilities',
    title: 'What can be done',
    description: 'Presets with what each changes, parameters, export formats with their options, tiers and limits.',
    readOnly: true,
    inputSchema: NOTHING,
    outputSchema: {
      type: 'object',
      required: ['presets', 'exportFormats', 'parameters'],
      properties: {
        presets: { type: 'array', items: { type: 'object' } },
        exportFormats: { type: 'array', items: { type: 'object' } },
        parameters: { type: 'object' },
      },
    },
    async call() {
      const structured = (await backend.capabilities()) as Readonly<Record<string, unknown>>;
      const { inputFormats, exportFormats, presets } = structured;
      const text = `Reads ${idsOf(inputFormats)}. Writes ${idsOf(exportFormats)}. Presets: ${idsOf(presets)}.`;
      return { text, structured };
    },
  },
  {
    name: 'get_status',
    title: 'Status',
    description: 'Whether work can be done, which version answers, and which folders are opened.',
    readOnly: true,
    inputSchema: NOTHING,
    outputSchema: {
      type: 'object',
      required: ['status', 'version', 'place', 'folders'],
      properties: {
        status: { type: 'string' },
        version: { type: 'string' },
        place: { type: 'string' },
        folders: { type: 'array', items: { type: 'string' } },
      },
    },
    async call() {
      const status = (await backend.status()) as Readonly<Record<string, unknown>>;
      const structured = { ...status, place: backend.place, folders: folders.folders };
      return { text: `${status.status}, version ${status.version}: ${backend.place}.`, structured };
    },
  },
];
