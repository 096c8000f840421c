import type { Transaction } from '../create-database.js';

/** One step of the tables' history. Never changed once it was handed out: a later step corrects it. */
export interface Migration {
  /** Remembered in the database; sorts after those before it. */
  readonly name: string;
  up(trx: Transaction): Promise<void>;
}
