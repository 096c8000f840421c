import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { prepareConversions } from './prepared-conversions.js';
import { createRawClient } from './raw-client.js';

export interface LoadAnswer {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status: number;
  /** The problem's code; empty where it was served. */
  readonly code: string;
  /** 0 where it was served. */
  readonly retryAfterMs: number;
}

export interface ConversionClients {
  /** One conversion of a picture that was not there before, by the key of this number (any number will do). */
  convert(key: number): Promise<LoadAnswer>;
  close(): void;
}

const CONNECTIONS = 400;
/** A request that is answered neither so nor so has failed. */
const GONE = { status: 0, code: 'NO_ANSWER', retryAfterMs: 0 } as const;
const STEP_MS = 5;
/** Of those that are refused, who comes again when it was told to. */
const COMES_AGAIN = 0.3;

/** Clients that cost their machine as little as they can: it is the service's machine too. */
export function conversionClients(
  url: string,
  keys: readonly string[],
  pictures: readonly Buffer[],
): ConversionClients {
  const client = createRawClient(url, CONNECTIONS);
  const requestOf = prepareConversions(url, pictures, { quality_tier: 'fast', output: 'svg' });
  let sent = 0;
  return {
    async convert(key) {
      const request = requestOf(++sent, keys[key % keys.length] as string);
      const atMs = performance.now();
      const answer = await client.send(request);
      const tookMs = performance.now() - atMs;
      const { status } = answer;
      if (status === 200) return { atMs, tookMs, status, code: '', retryAfterMs: 0 };
      if (status === 0) return { ...GONE, atMs, tookMs };
      const { code = '' } = JSON.parse(answer.body.toString()) as { readonly code?: string };
      return { atMs, tookMs, status, code, retryAfterMs: 1000 * Number(answer.header('retry-after') ?? 0) };
    },
    close: client.close,
  };
}

/** As many clients as `lanes`, each of which asks again as soon as it has its answer, until `forMs` have passed. */
export async function closedLoad(
  clients: ConversionClients,
  lanes: number,
  forMs: number,
): Promise<readonly LoadAnswer[]> {
  const endMs = performance.now() + forMs;
  const answers: LoadAnswer[] = [];
  const lane = async (key: number) => {
    while (performance.now() < endMs) answers.push(await clients.convert(key));
  };
  await Promise.all(Array.from({ length: lanes }, (_, key) => lane(key)));
  return answers;
}

/**
 * Conversions that begin `perSecond` times a second, whatever becomes of them, for `forMs`; some of the refused come again
 * when they were told to, in the place of new ones. `onAnswer` is told of each. Resolves when the last has begun, with what
 * waits until all are answered.
 */
export async function openLoad(
  clients: ConversionClients,
  perSecond: number,
  forMs: number,
  onAnswer: (answer: LoadAnswer) => void,
): Promise<{ readonly answered: Promise<unknown> }> {
  const random = createSeededRandom(23);
  const startMs = performance.now();
  const inFlight = new Set<Promise<void>>();
  const again: { readonly dueMs: number; readonly key: number }[] = [];
  const ask = (key: number) => {
    const asking = clients.convert(key).then((answer) => {
      inFlight.delete(asking);
      onAnswer(answer);
      if (answer.retryAfterMs > 0 && random() < COMES_AGAIN)
        again.push({ dueMs: performance.now() + answer.retryAfterMs, key });
    });
    inFlight.add(asking);
  };
  for (let begun = 0; performance.now() - startMs < forMs; await sleep(STEP_MS)) {
    for (const due = ((performance.now() - startMs) / 1000) * perSecond; begun < due; begun++) {
      const at = again.findIndex(({ dueMs }) => dueMs <= performance.now());
      ask(at < 0 ? Math.floor(random() * 1e6) : (again.splice(at, 1)[0]?.key as number));
    }
  }
  return { answered: Promise.all(inFlight) };
}
