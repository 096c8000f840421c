import { SETTING_NAMES } from '#domain/presets/settings-table.js';
import type { ChosenSettings } from './trace.js';

/** The settings that the address carries, as text; what they may be is for the service to say. Undefined where it carries none. */
export function readAddress(): ChosenSettings | undefined {
  const given = [...new URLSearchParams(location.search)].filter(([name]) =>
    (SETTING_NAMES as readonly string[]).includes(name),
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Puts the settings into the address, so that it can be handed on. */
export function writeAddress(settings: ChosenSettings): void {
  const search = new URLSearchParams(settings).toString();
  const address = search === '' ? location.pathname : `${location.pathname}?${search}`;
  if (address !== location.pathname + location.search) history.replaceState(null, '', address);
}
