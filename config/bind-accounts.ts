import type { Container } from 'inversify';
import { sha256Digest } from '#adapters/identity/sha256-digest.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { observedCreditLedger } from '#application/observed.js';
import { createConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import { createGrantCredits } from '#application/use-cases/grant-credits.js';
import { createManageAccounts } from '#application/use-cases/manage-accounts.js';
import { createManageOwnAccount } from '#application/use-cases/manage-own-account.js';
import { createSignIn } from '#application/use-cases/sign-in.js';
import { observeBoth } from './bind-observation.js';
import {
  ARTIFACT_STORE,
  CLOCK,
  CONFIG,
  CONVERSION_QUEUE,
  CONVERT_FOR_CALLER,
  CONVERT_PICTURE,
  DASHBOARD,
  DATABASE,
  LOGGER,
  METRICS,
  RATE_LIMITER,
  STORES,
  TELEMETRY,
} from './tokens.js';

/** Accounts, keys and credits, in a database that is migrated when it is first asked for. */
export function bindAccounts(container: Container): void {
  container.bind(DATABASE).toResolvedValue(
    async ({ databaseUrl, database: limits }) => {
      const database = createDatabase(databaseUrl, limits);
      try {
        await migrate(database);
      } catch (error) {
        await database.close();
        throw error;
      }
      return database;
    },
    [CONFIG],
  );
  container.bind(STORES).toResolvedValue(
    (database, clock, telemetry, { ofLedger }) => {
      const stores = createKnexStores(database, clock);
      return { ...stores, credits: observedCreditLedger(stores.credits, observeBoth('ledger', telemetry, ofLedger)) };
    },
    [DATABASE, CLOCK, TELEMETRY, METRICS],
  );
  container.bind(DASHBOARD).toResolvedValue(
    (stores, artifacts, rateLimiter) => ({
      signIn: createSignIn({ ...stores, rateLimiter }),
      ownAccount: createManageOwnAccount(stores),
      accounts: createManageAccounts({ ...stores, removeFile: (basename) => artifacts.remove(basename) }),
      grantCredits: createGrantCredits(stores),
    }),
    [STORES, ARTIFACT_STORE, RATE_LIMITER],
  );
  container.bind(CONVERT_FOR_CALLER).toResolvedValue(
    (convertPicture, queue, { credits, retrace, usage, files }, artifacts, logger, { maxConcurrentPerKey }) =>
      createConvertForCaller({
        convertPicture,
        queue,
        credits,
        retrace,
        usage,
        files,
        artifacts,
        digest: sha256Digest,
        logger,
        maxConcurrentPerKey,
      }),
    [CONVERT_PICTURE, CONVERSION_QUEUE, STORES, ARTIFACT_STORE, LOGGER, CONFIG],
  );
}
