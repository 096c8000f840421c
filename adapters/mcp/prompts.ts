export const PROMPTS = [
  {
    name: 'trace_this_logo_well',
    title: 'Trace this logo well',
    description: 'Traces a logo, looks at the result, and tries again where that helps.',
    arguments: [
      { name: 'path', description: 'The picture, below an opened folder.', required: true },
      { name: 'colors', description: 'How many colors the logo has, if that is known.', required: false },
      { name: 'save_to', description: 'Where the SVG goes; beside the picture where left out.', required: false },
    ],
  },
] as const;

/** The messages of a prompt, or undefined where there is none of that name or an argument is missing. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>) {
  const prompt = PROMPTS.find((known) => known.name === name);
  if (prompt === undefined || prompt.arguments.some((argument) => argument.required && !given[argument.name]))
    return undefined;
  const { path, colors, save_to: saveTo = 'beside' } = given;
  const count = colors === undefined ? '' : ` and palette_count ${colors}`;
  const text = [
    `Trace the logo ${path} into a clean SVG.`,
    '',
    `1. Call vectorize_image with path "${path}", preset "logo"${count}, and save_to "${saveTo}".`,
    '2. Look at the answer. delta_e below 1 is as good as the eye can tell; above 3 something is wrong.',
    '   - More colors in the palette than the logo has: call again with palette_count, or fixed_palette with its own colors.',
    '   - Specks or far too many shapes: raise tiny_path_area (4, then 12), or artifact_cleanup to 3.',
    '   - Corners rounded or thin lines lost: line_fit_tolerance "super_fine" and details_level "high".',
    '   - The picture is small or a damaged JPEG: quality_tier "high_precision" with edge_recovery "auto".',
    '   - Only the logo without its background is wanted: background "remove".',
    '3. Call again at most three times, and keep the call with the lowest delta_e among those with few shapes.',
    '4. Say which file has the result, its shapes, nodes and delta_e, and what was changed and why.',
  ].join('\n');
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}
