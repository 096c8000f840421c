import type { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { settingsFrom } from '../random-settings.js';
import { acceptedRefusal, type Surface } from '../surface.js';

/** Parameters of a conversion, of every type and of none, through their check. */
export async function settingsSurface(): Promise<Surface> {
  return {
    limitMs: 1000,
    async run(choices) {
      const given = settingsFrom(choices);
      try {
        const parsed = parseSettings(given, choices.chance(0.3) ? 'tracing' : undefined);
        const again = parseSettings(parsed);
        if (JSON.stringify(again) !== JSON.stringify(parsed))
          throw new Error('what was accepted is read otherwise again');
        resolveSettings(parsed);
        return Object.keys(parsed).length === 0 ? 'none' : 'accepted';
      } catch (error) {
        const code = acceptedRefusal(error, ['INVALID_REQUEST']);
        if ((error as ServiceError).field === undefined)
          throw new Error('a refusal that names no field', { cause: error });
        return code;
      }
    },
    checkLeaks: async () => {
      if (Object.keys(Object.prototype).length > 0) throw new Error('every object has got a property');
    },
    close: async () => {},
  };
}
