import { setPriority } from 'node:os';

/** Half way to the lowest: a busy machine still lets it work. */
const NICE = 5;

/**
 * Lets the rest of the service go first where there are too few cores: a refusal then takes milliseconds although every core traces.
 * On Linux a priority is the calling thread's own; elsewhere it would be that of the whole process, and nothing is done.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICE);
  } catch {
    // Where it is forbidden, everything has the same priority, as without us.
  }
}
