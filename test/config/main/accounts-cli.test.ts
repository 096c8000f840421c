import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const CLI = fileURLToPath(import.meta.resolve('#config/main/cli.js'));

describe('the burin commands for accounts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-accounts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const burin = (argv: readonly string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
      const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BURIN_')));
      const child = spawn(process.execPath, [CLI, ...argv], { env: { ...inherited, BURIN_DATA_DIR: folder, ...env } });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.on('error', reject);
      child.on('close', (code) =>
        resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
      );
    });
  const answer = async (...argv: string[]) => {
    const { code, stdout, stderr } = await burin([...argv, '--json']);
    expect({ code, stderr }, argv.join(' ')).to.deep.equal({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, string> & readonly Record<string, unknown>[];
  };

  it('makes keys for scripts, lists and revokes them', async () => {
    const made = await answer('keys', 'create', '--plan', 'pro', '--name', 'script');
    expect(made.key).to.match(/^brn_live_[A-Za-z0-9_-]{51}$/);
    expect(made).to.include({ plan: 'pro', prefix: made.key!.slice(0, 17) });
    const listed = await answer('keys', 'list');
    expect(listed.length).to.equal(1);
    expect(listed[0]).to.include({
      prefix: made.prefix,
      name: 'script',
      plan: 'pro',
      last_used_at: null,
      revoked_at: null,
    });
    await answer('keys', 'revoke', made.prefix!);
    const { stdout } = await burin(['keys', 'list']);
    expect(stdout)
      .to.match(/^PREFIX +NAME +ACCOUNT/)
      .and.to.include('revoked');
    expect(stdout).to.not.include(made.key!.slice(17));
    expect(existsSync(join(folder, 'burin.sqlite'))).to.equal(true);
  });

  it('works for several processes that start at once on nothing', async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => burin(['keys', 'create', '--plan', 'free', '--json'])),
    );
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).to.deep.equal(runs.map(() => ({ code: 0, stderr: '' })));
    expect((await answer('keys', 'list')).length).to.equal(4);
    expect(await answer('migrate')).to.deep.equal({ migrated: [] });
  });

  it('invites, grants, resets and deletes accounts', async () => {
    const ada = await answer('accounts', 'create', 'Ada@example.org', '--plan', 'free');
    expect(ada).to.include({ email: 'ada@example.org', plan: 'free' });
    expect(ada.url).to.match(/^http:\/\/127\.0\.0\.1:3000\/dashboard\/sign-in\?token=[A-Za-z0-9_-]{43}$/);
    expect(await answer('credits', 'grant', 'ada@example.org', '500', '--reference', 'o1')).to.include({
      balance: 550,
    });
    expect(await answer('credits', 'grant', ada.account!, '500', '--reference', 'o1')).to.include({ balance: 550 });
    const reset = await burin(['accounts', 'reset', 'ada@example.org'], { BURIN_PUBLIC_URL: 'https://burin.example' });
    expect(reset.stdout).to.match(/^https:\/\/burin\.example\/dashboard\/sign-in\?token=/);
    expect(await answer('accounts', 'delete', 'ada@example.org')).to.deep.equal({ account: ada.account, files: 0 });
    const gone = await burin(['accounts', 'delete', 'ada@example.org']);
    expect(gone).to.include({ code: 3, stdout: '' });
    expect(gone.stderr).to.match(/^burin: The account "ada@example\.org" was not found[^\n]*\n$/);
  });

  it('copies the database, over nothing', async () => {
    await answer('keys', 'create', '--plan', 'free');
    const copy = join(folder, 'copy.sqlite');
    await answer('backup', copy);
    const { stdout } = await burin(['keys', 'list', '--json'], { BURIN_DATABASE_URL: copy });
    expect(JSON.parse(stdout)).to.have.length(1);
    expect(await burin(['backup', copy])).to.include({
      code: 2,
      stderr: `burin: file: ${copy} is there already; give another name\n`,
    });
  });

  it('refuses what it cannot understand in one line, and touches nothing', async () => {
    const bad: readonly [argv: string[], code: number, says: RegExp][] = [
      [['keys'], 2, /^burin: keys: needs one of create, list, revoke after it\n$/],
      [['keys', 'creat'], 2, /^burin: creat: unknown command; the nearest known one is create\n$/],
      [['keys', 'create', '--plam', 'pro'], 2, /^burin: --plam: unknown option; the nearest known one is --plan\n$/],
      [['keys', 'create', '--plan'], 2, /^burin: --plan: needs a value after it\n$/],
      [['keys', 'revoke'], 2, /^burin: key: is missing; see burin keys revoke --help\n$/],
      [['credits', 'grant', 'owner'], 2, /^burin: credits: is missing; see burin credits grant --help\n$/],
    ];
    for (const [argv, wanted, says] of bad) {
      const { code, stdout, stderr } = await burin(argv);
      expect({ code, stdout }, stderr).to.deep.equal({ code: wanted, stdout: '' });
      expect(stderr).to.match(says);
    }
    expect(existsSync(join(folder, 'burin.sqlite'))).to.equal(false);
    const plan = await burin(['keys', 'create', '--plan', 'gold']);
    expect(plan).to.include({ code: 2, stderr: 'burin: --plan: "gold" is no plan; there are free, pro\n' });
    const pack = await burin(['credits', 'grant', 'owner', '7']);
    expect(pack.stderr).to.equal('burin: credits: 7 is no pack; there are 500, 1500, 4000\n');
    const variable = await burin(['migrate'], { BURIN_DATABSE_URL: 'x' });
    expect(variable.stderr).to.match(/^burin: environment: BURIN_DATABSE_URL is no variable[^\n]*BURIN_DATABASE_URL/);
    writeFileSync(
      join(folder, 'broken'),
      'this is no database, and longer than a header of one hundred bytes would be, so much is sure.',
    );
    const broken = await burin(['migrate'], { BURIN_DATABASE_URL: join(folder, 'broken') });
    expect(broken.code).to.equal(1);
    expect(broken.stderr).to.match(/^burin: [^\n]+\n$/);
  });
});
