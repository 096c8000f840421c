import type { Command } from 'commander';
import { ACCOUNT_PLAN_IDS, CREDIT_PACKS } from '#domain/credits/plans.js';
import type { AccountCommand, AccountCommandsDeps } from './commands/accounts.js';
import { writeStream } from './files.js';

type Commands = typeof import('./commands/accounts.js');

const ACCOUNT = '<account>';
const ACCOUNT_MEANING = 'an account, by id, e-mail address, or owner';
const PLAN_OPTION = ['--plan <plan>', ACCOUNT_PLAN_IDS.join(' or ')] as const;

/** Adds the commands that keep a service's accounts: keys, credits, accounts, migrate, backup. They load nothing before they run. */
export function addAccountCommands(program: Command, { administration, stdout }: AccountCommandsDeps): void {
  const runs = (choose: (commands: Commands) => AccountCommand) =>
    async function (this: Command): Promise<void> {
      const command = choose(await import('./commands/accounts.js'));
      const opened = await administration();
      try {
        const options = this.opts();
        const { text, json } = await command(opened, this.args, options);
        await writeStream(stdout, `${options.json === true ? JSON.stringify(json) : text}\n`);
      } finally {
        await opened.close();
      }
    };
  const add = (parent: Command, name: string, description: string, choose: (commands: Commands) => AccountCommand) =>
    parent.command(name).description(description).option('--json', 'answer as one JSON value').action(runs(choose));
  const group = (name: string, description: string) => program.command(name).description(description);

  const keys = group('keys', 'API keys of the service.');
  add(keys, 'create', 'Make a key and print it, once.', ({ createKey }) => createKey)
    .option(...PLAN_OPTION)
    .option('--account <account>', `${ACCOUNT_MEANING}; left out: a new account with --plan, else the owner`)
    .option('--name <name>', 'to tell it from others');
  add(keys, 'list', 'List keys by what they begin with.', ({ listKeys }) => listKeys).option(
    '--account <account>',
    ACCOUNT_MEANING,
  );
  add(keys, 'revoke', 'Make a key worthless.', ({ revokeKey }) => revokeKey).argument('<key>', 'its prefix or id');

  add(group('credits', 'Credits of accounts.'), 'grant', 'Add a pack of credits.', ({ grantCredits }) => grantCredits)
    .argument(ACCOUNT, ACCOUNT_MEANING)
    .argument('<credits>', CREDIT_PACKS.join(', '))
    .option('--reference <reference>', 'a name of your own; granted twice, it counts once');

  const accounts = group('accounts', 'Accounts of the service.');
  add(accounts, 'create', 'Make an account and print its invitation.', ({ createAccount }) => createAccount)
    .argument('<email>')
    .option(...PLAN_OPTION);
  add(
    accounts,
    'reset',
    'Sign it out everywhere and print a new sign-in link.',
    ({ resetAccount }) => resetAccount,
  ).argument(ACCOUNT, ACCOUNT_MEANING);
  add(
    accounts,
    'delete',
    'Remove it with its files, keys and sessions.',
    ({ deleteAccount }) => deleteAccount,
  ).argument(ACCOUNT, ACCOUNT_MEANING);

  add(program, 'migrate', 'Bring the database up to date.', ({ migrateDatabase }) => migrateDatabase).option(
    '--to <url>',
    'then copy all of it to an empty database: postgres://user@host/database',
  );
  add(
    program,
    'backup',
    'Copy the SQLite database while it is in use.',
    ({ backupDatabase }) => backupDatabase,
  ).argument('<file>', 'where the copy goes; nothing may be there');
}
