import { expandPreset, presets } from '#domain/presets/catalogue.js';
import type { McpBackend } from './backend.js';

export const RESOURCES = [
  {
    uri: 'burin://presets',
    name: 'presets',
    title: 'Presets',
    description: 'Every preset: for what it is, and which parameters it sets.',
    mimeType: 'application/json',
  },
  {
    uri: 'burin://capabilities',
    name: 'capabilities',
    title: 'Capabilities',
    description: 'Formats, options, presets, parameters, tiers and limits as they stand.',
    mimeType: 'application/json',
  },
] as const;

/** The text of a resource, or undefined where there is none of that address. */
export async function readResource(uri: string, backend: McpBackend): Promise<string | undefined> {
  if (uri === 'burin://capabilities') return JSON.stringify(await backend.capabilities());
  if (uri !== 'burin://presets') return undefined;
  return JSON.stringify(presets.map(({ id, label, meaning }) => ({ id, label, meaning, settings: expandPreset(id) })));
}
