import type { Stores } from '#adapters/persistence/stores.js';
import type { ArtifactRoom, ArtifactStore } from '#application/ports/artifact-store.js';
import type { ConversionQueue } from '#application/ports/conversion-queue.js';
import type { CreditHold } from '#application/ports/credit-ledger.js';
import type { IdempotencyState } from '#application/ports/idempotency-store.js';
import { ServiceError } from '#domain/errors.js';
import { createSeededRandom } from './seeded-random.js';

export interface Faults {
  /** While false, every call goes through as it is. */
  active: boolean;
  /** Faults that came about, by the call and what befell it, such as `settle after`. */
  readonly seen: Map<string, number>;
  /** The process that makes these calls has died: none of them is ever answered again, though one may still have had its effect. */
  kill(): void;
  /** Resolves when no call is on its way any more: what it was to bring about has come about, also where the process died meanwhile. */
  landed(): Promise<void>;
  /** Seeded: for all that is to be decided beside them. */
  readonly random: () => number;
}

type How = 'passes' | 'refused before' | 'lost after' | 'late' | 'twice';

/** Of a call, which of its faults it meets. */
interface Meeting {
  /** It may be done twice without harm, and sometimes is. */
  readonly repeatable?: boolean;
  /** Its effect may come about though its caller hears of a failure. */
  readonly losable?: boolean;
  /** Other calls are made within it, which land by themselves; it brings nothing about but them, and hangs where the process dies. */
  readonly nests?: boolean;
}

const FAULT_RATE = 0.12;
const MOST_TURNS = 12;

const never = <T>() => new Promise<T>(() => {});
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Ports that fail as databases, disks and networks do: refused before anything happened, broken off after the effect, late, done
 * twice; by a seed. What their contracts promise never to reject does not.
 */
export function createFaultyPorts(seed: number) {
  const random = createSeededRandom(seed);
  const seen = new Map<string, number>();
  let dead = false;
  const flying = new Set<Promise<unknown>>();
  const landed = async () => {
    while (flying.size > 0) await Promise.allSettled(flying);
  };
  const faults: Faults = { active: true, seen, random, kill: () => (dead = true), landed };

  const choose = ({ repeatable = false, losable = true }: Meeting): How => {
    if (!faults.active || random() >= FAULT_RATE) return 'passes';
    const hows: How[] = [
      'refused before',
      'late',
      'late',
      ...(losable ? (['lost after'] as const) : []),
      ...(repeatable ? (['twice'] as const) : []),
    ];
    return hows[Math.floor(random() * hows.length)] as How;
  };
  const away = () => new ServiceError('UPSTREAM_UNAVAILABLE', { what: 'The faulty port', retryAfterSeconds: 1 });

  const meet = async <T>(how: How, work: () => Promise<T>): Promise<T> => {
    if (how === 'late') for (let turns = Math.floor(random() * MOST_TURNS); turns >= 0; turns--) await turn();
    if (how === 'refused before') throw away();
    const answer = await work();
    if (how === 'twice') await work();
    if (how === 'lost after') throw away();
    return answer;
  };
  const call = async <T>(name: string, work: () => Promise<T>, meeting: Meeting = {}): Promise<T> => {
    if (dead) return never();
    const how = choose(meeting);
    if (how !== 'passes') seen.set(`${name} ${how}`, (seen.get(`${name} ${how}`) ?? 0) + 1);
    const answering = meet(how, work);
    if (!meeting.nests) flying.add(answering);
    const [outcome] = await Promise.allSettled([answering]);
    flying.delete(answering);
    if (dead) return never();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };

  const holdOf = (hold: CreditHold): CreditHold => ({
    ...hold,
    settle: () => call('settle', () => hold.settle(), { repeatable: true }),
    release: () => call('release', () => hold.release(), { repeatable: true }).catch(() => {}),
  });
  const workOf = (state: IdempotencyState): IdempotencyState =>
    state.state !== 'new'
      ? state
      : {
          ...state,
          renew: () => call('renew', () => state.renew(), { repeatable: true }),
          finish: (answer) => call('finish', () => state.finish(answer), { repeatable: true }),
          free: () => call('free', () => state.free(), { repeatable: true }).catch(() => {}),
        };
  const roomOf = (room: ArtifactRoom): ArtifactRoom => ({
    put: (artifact) => call('put', () => room.put(artifact)),
    release: () => room.release(),
  });

  return {
    faults,
    stores: (stores: Stores): Stores => ({
      ...stores,
      credits: {
        ...stores.credits,
        hold: async (...asked) => holdOf(await call('hold', () => stores.credits.hold(...asked))),
        balance: (id) => call('balance', () => stores.credits.balance(id)),
        expireHolds: () => call('expire', () => stores.credits.expireHolds(), { repeatable: true }),
      },
      idempotency: {
        begin: async (request) => workOf(await call('begin', () => stores.idempotency.begin(request))),
        sweep: () => call('sweep', () => stores.idempotency.sweep(), { repeatable: true }),
      },
      retrace: {
        isFree: (traced) => call('is free', () => stores.retrace.isFree(traced)),
        remember: (traced) => call('remember', () => stores.retrace.remember(traced), { repeatable: true }),
        sweep: () => call('sweep', () => stores.retrace.sweep(), { repeatable: true }),
      },
      usage: { ...stores.usage, record: (event) => call('record', () => stores.usage.record(event)) },
      files: { ...stores.files, add: (...asked) => call('add a file', () => stores.files.add(...asked)) },
    }),
    artifacts: (store: ArtifactStore): ArtifactStore => ({
      // Set aside in the memory of this process: there is nothing to get lost.
      reserve: async (bytes) => roomOf(await call('reserve', () => store.reserve(bytes), { losable: false })),
      put: (artifact) => call('put', () => store.put(artifact)),
      get: (basename, fileName) => call('get', () => store.get(basename, fileName)),
      companion: (basename) => call('companion', () => store.companion(basename)),
      remove: (basename) => call('remove', () => store.remove(basename), { repeatable: true }),
      sweep: () => call('sweep files', () => store.sweep(), { repeatable: true }),
    }),
    queue: (queue: ConversionQueue): ConversionQueue => ({
      ...queue,
      convert: (conversion, signal) => call('convert', () => queue.convert(conversion, signal), { nests: true }),
    }),
  };
}
