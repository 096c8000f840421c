import { ServiceError } from '#domain/errors.js';
import type { Choices } from './choices.js';

/** A door of the program that takes what others made. */
export interface Surface {
  /** A case that takes longer hangs. */
  readonly limitMs: number;
  /** Makes one case and puts it in. Resolves to what came of it, in a word or two; rejects where that must not be. */
  run(choices: Choices): Promise<string>;
  /** Rejects where something was not given back by the cases before; called now and then, and at the end. */
  checkLeaks(): Promise<void>;
  close(): Promise<void>;
}

/** How a refusal is counted. Throws what is none of the accepted ones. */
export function acceptedRefusal(error: unknown, accepted: readonly string[]): string {
  if (!(error instanceof ServiceError)) throw error;
  if (!accepted.includes(error.code)) throw new Error(`refused with ${error.code}`, { cause: error });
  if (error.message.length > 1000) throw new Error(`a message of ${error.message.length} characters`);
  return error.code;
}
