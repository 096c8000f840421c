import { accounts } from './0001-accounts.js';
import type { Migration } from './migration.js';

/** Every step, in the order they are taken. */
export const migrations: readonly Migration[] = [accounts];
