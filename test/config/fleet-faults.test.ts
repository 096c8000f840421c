import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { priceOfConversion } from '#domain/credits/price.js';
import { type Fleet, startFleet } from '#test/support/fleet.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { noisePng } from '#test/support/png-files.js';
import { until } from '#test/support/until.js';

interface Answer {
  readonly status: number;
  readonly charged: number;
  readonly retryAfter: number;
  readonly code: string | undefined;
}

const title = 'a fleet with load on it';

if (missingForRedis !== undefined) it(`${title} (${missingForRedis})`);
else
  describe(title, function () {
    this.timeout(90_000);
    let redis: OwnRedis;
    let fleet: Fleet;
    let database: Database;
    let accountId: string;
    let pictures = 0;

    before(async () => {
      redis = await startRedis();
      fleet = await startFleet({
        apis: 2,
        workers: 2,
        redisUrl: redis.url,
        env: { BURIN_CONCURRENT_PER_KEY: '50', BURIN_RATE_PER_KEY: '100000' },
      });
      database = createDatabase(fleet.databaseUrl);
      const stores = createKnexStores(database, systemClock);
      accountId = (await stores.accounts.owner())!.id;
      await stores.credits.grant(accountId, 10_000);
    });
    after(async () => {
      await database?.close();
      await fleet?.remove();
      await redis?.remove();
    });

    const ledger = () => createKnexStores(database, systemClock).credits;
    const entriesOf = async (kind: string) =>
      (await ledger().entries(accountId)).filter((entry) => entry.kind === kind);
    /** A picture that was never seen before, so that it costs something. */
    const convert = async (url: string, size: number, tier: string): Promise<Answer> => {
      const response = await fetch(`${url}/api/v1/convert`, {
        method: 'POST',
        headers: { 'content-type': MULTIPART_TYPE, 'x-api-key': fleet.key },
        body: new Uint8Array(convertForm(await noisePng(size, ++pictures), { quality_tier: tier })),
      });
      const body = (await response.json()) as { code?: string };
      return {
        status: response.status,
        charged: Number(response.headers.get('x-credits-charged') ?? 0),
        retryAfter: Number(response.headers.get('retry-after') ?? 0),
        code: body.code,
      };
    };
    /** Takes seconds. */
    const long = (url: string) => convert(url, 200, 'balanced_crisp');
    const short = (url: string) => convert(url, 60, 'fast');
    /** Converts one picture after the other until it is told to stop, and tells what was answered. */
    const load = (url: string) => {
      const answers: Answer[] = [];
      let over = false;
      const running = (async () => {
        while (!over) answers.push(await short(url));
      })();
      return {
        answers,
        async stop() {
          over = true;
          await running;
          return answers;
        },
      };
    };
    const isBusy = async (url: string) =>
      /burin_pool_workers\{pool="tracing",state="busy"\} [1-9]/.test(await (await fetch(`${url}/metrics`)).text());
    /** Whether the turn of a long one has come. */
    const isHeld = async () => {
      const held = (await database.knex('credit_holds')) as { monthly: number; pack: number }[];
      return held.some(({ monthly, pack }) => monthly + pack === priceOfConversion('balanced_crisp'));
    };
    /** Every credit is accounted for, nothing is held in Redis, and no job is left. */
    const expectWhole = async (charged: number) => {
      await until(async () => (await fleet.leftovers()).length === 0);
      const entries = await ledger().entries(accountId);
      const balance = await ledger().balance(accountId);
      expect(sumEntries(entries)).to.deep.equal(balance);
      expect(balance.used).to.equal(charged);
      const ended = entries.filter(({ kind }) => ['settle', 'release', 'expire'].includes(kind));
      expect(ended.map(({ holdId }) => holdId)).to.have.members((await entriesOf('hold')).map(({ holdId }) => holdId));
    };
    let charged = 0;
    const count = (answers: readonly Answer[]) => {
      for (const answer of answers) charged += answer.charged;
    };

    it('does again, once, what a worker was at that is killed, and charges it once', async () => {
      const [url] = fleet.urls as [string];
      const background = load(url);
      const [victim] = fleet.workers as [(typeof fleet.workers)[number]];
      const victimUrl = await victim.ready;
      const answers = [long(url), long(url), long(url)];
      await until(() => isBusy(victimUrl));
      // Only what it was at when it died counts; the short ones of the background may be it as well.
      victim.child.kill('SIGKILL');
      const killedAtMs = performance.now();
      await victim.exited;
      const [, other] = fleet.workers as typeof fleet.workers;
      const begunAgain = () => (other?.lines ?? []).filter(({ msg }) => /is begun again/.test(msg)).length;
      await until(() => begunAgain() > 0);
      expect(performance.now() - killedAtMs).to.be.below(10_000);
      const all = await Promise.all(answers);
      expect(all.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      const others = await background.stop();
      expect(others.every(({ status }) => status === 200)).to.equal(true);
      expect(begunAgain()).to.equal(1);
      count([...all, ...others]);
      expect(await entriesOf('settle')).to.have.length(all.length + others.length);
      await expectWhole(charged);
      await fleet.startWorker();
    });

    it('drops what a killed API process was asked for, and gives its credits back in time', async () => {
      const [dying, living] = fleet.urls as [string, string];
      const [victim] = fleet.apis as [(typeof fleet.apis)[number]];
      const background = load(living);
      const cutOff = long(dying).then(
        () => false,
        () => true,
      );
      await until(isHeld);
      victim.child.kill('SIGKILL');
      await victim.exited;
      expect(await cutOff).to.equal(true);
      const others = await background.stop();
      expect(others.every(({ status }) => status === 200)).to.equal(true);
      count(others);
      // Nobody has it any more, neither as a lease nor as a job.
      await until(async () => (await fleet.leftovers()).length === 0);
      // What it held comes back when its time is over, from whoever looks next.
      expect(await database.knex('credit_holds')).to.have.length(1);
      await database.knex('credit_holds').update({ expires_at_ms: Date.now() - 1 });
      fleet.urls[0] = await fleet.startApi();
      fleet.urls.pop();
      expect(await entriesOf('expire')).to.have.length(1);
      await expectWhole(charged);
    });

    it('says that Redis is away, at once and with a time to come again, and is whole when it is back', async () => {
      const urls = [fleet.urls[0], await fleet.apis[1]?.ready] as string[];
      const backgrounds = urls.map((url) => load(url));
      const caught = long(urls[0] as string);
      await until(isHeld);
      await redis.stop();
      const stoppedAtMs = performance.now();
      const isRefusal = ({ status, retryAfter }: Answer) => (status === 502 || status === 503) && retryAfter > 0;
      // What was under way is given up as well.
      const lost = await caught;
      expect(lost).to.include({ charged: 0, code: 'UPSTREAM_UNAVAILABLE' });
      expect(isRefusal(lost)).to.equal(true);
      for (const url of urls) {
        const askedAtMs = performance.now();
        const refused = await short(url);
        expect(refused).to.include({ status: 502, code: 'UPSTREAM_UNAVAILABLE' });
        expect(performance.now() - askedAtMs).to.be.below(2500);
        const health = await fetch(`${url}/health`);
        expect(health.status).to.equal(503);
        expect((await health.json()) as object).to.have.nested.property('checks.redis', 'failing');
        expect((await fetch(`${url}/livez`)).status).to.equal(200);
      }
      await until(() => performance.now() - stoppedAtMs >= 10_000);
      await redis.start();
      const since = backgrounds.map(({ answers }) => answers.length);
      await until(() =>
        backgrounds.every(({ answers }, i) => answers.slice(since[i]).some(({ status }) => status === 200)),
      );
      const all = (await Promise.all(backgrounds.map(({ stop }) => stop()))).flat();
      for (const answer of all)
        expect(answer.status === 200 || isRefusal(answer), JSON.stringify(answer)).to.equal(true);
      count(all);
      await expectWhole(charged);
      for (const url of urls) expect((await fetch(`${url}/health`)).status).to.equal(200);
    });

    it('stops in order, even while Redis is away', async () => {
      await redis.stop();
      const alive = [...fleet.apis, ...fleet.workers].filter(({ child }) => child.exitCode === null && !child.killed);
      expect(alive).to.have.length(4);
      for (const { child } of alive) child.kill('SIGTERM');
      expect(await Promise.all(alive.map(({ exited }) => exited))).to.deep.equal([0, 0, 0, 0]);
    });
  });
