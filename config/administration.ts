import type { AccountAdministration } from '#adapters/cli/commands/accounts.js';
import { systemClock } from '#adapters/clock/system-clock.js';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { migrate } from '#adapters/persistence/migrate.js';
import { moveDatabase } from '#adapters/persistence/move-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { removeStoredArtifact } from '#adapters/storage/filesystem-artifact-store.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import { signInUrl } from '#application/sign-in-url.js';
import { createGrantCredits } from '#application/use-cases/grant-credits.js';
import { createManageAccounts } from '#application/use-cases/manage-accounts.js';
import { createManageKeys } from '#application/use-cases/manage-keys.js';
import { invalid } from '#domain/errors.js';
import { type Config, ConfigError, loadConfig } from './env.js';
import { openArtifactStore } from './open-artifact-store.js';

function readConfig(env: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) throw invalid('environment', error.message);
    throw error;
  }
}

/** Opens and migrates the accounts of the service that this environment describes, beside the service itself where it runs. */
export async function openAdministration(env: NodeJS.ProcessEnv): Promise<AccountAdministration> {
  const { databaseUrl, database: limits, storage, http } = readConfig(env);
  const database = createDatabase(databaseUrl, limits);
  try {
    const migrated = await migrate(database);
    const stores = createKnexStores(database, systemClock);
    const { target } = storage;
    let bucket: Promise<ArtifactStore> | undefined;
    return {
      keys: createManageKeys(stores),
      accounts: createManageAccounts({
        ...stores,
        // What is in another process's memory expires there.
        removeFile: async (basename) => {
          if (target.kind === 'file') await removeStoredArtifact(target.folder, basename);
          if (target.kind === 's3') {
            bucket ??= openArtifactStore(storage, systemClock, randomIdSource);
            await (await bucket).remove(basename);
          }
        },
      }),
      grantCredits: createGrantCredits(stores),
      migrated,
      async moveTo(url) {
        const target = createDatabase(url, limits);
        try {
          return await moveDatabase(database, target);
        } finally {
          await target.close();
        }
      },
      backup: (path) => database.copyTo(path),
      linkUrl: (token) => signInUrl(http.publicUrl?.href ?? `http://${http.host}:${http.port}`, token),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
