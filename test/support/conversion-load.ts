import { randomUUID } from 'node:crypto';
import { convertForm, MULTIPART_TYPE } from './multipart.js';
import { discPng } from './png-files.js';

export interface LoadAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
}

export interface ConversionLoad {
  /** Every answer so far, refusals and all. */
  readonly answers: readonly LoadAnswer[];
  /** Conversions that were answered with 200, by their Idempotency-Keys. */
  readonly done: ReadonlySet<string>;
  /** Begins no more conversions; resolves when those that were begun are done. */
  finish(): Promise<void>;
}

/**
 * Clients of one service that never rest: each converts a picture, over and over, and asks again with the same Idempotency-Key
 * until it has its answer. `onRefusal` is called before it asks again.
 */
export async function startConversionLoad(
  urls: readonly string[],
  key: string,
  { lanes = 4, onRefusal = async () => {} }: { lanes?: number; onRefusal?: (answer: LoadAnswer) => Promise<void> } = {},
): Promise<ConversionLoad> {
  const answers: LoadAnswer[] = [];
  const done = new Set<string>();
  let finishing = false;
  const picture = await discPng(40);
  // Keys of another load are no keys of this one.
  const run = randomUUID();

  const ask = async (url: string, name: string): Promise<LoadAnswer> => {
    const headers = { 'content-type': MULTIPART_TYPE, 'x-api-key': key, 'idempotency-key': name };
    // What follows a PNG's end is not looked at: another picture each time, or all but the first would be free.
    const bytes = Buffer.concat([picture, Buffer.from(name)]);
    const body = new Uint8Array(convertForm(bytes, { quality_tier: 'fast' }, 'disc.png'));
    try {
      const answer = await fetch(`${url}/api/v1/convert`, { method: 'POST', headers, body });
      const { code } = (await answer.json()) as { code?: string };
      return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') };
    } catch {
      // The service itself has gone.
      return { status: 0, code: undefined, retryAfter: null };
    }
  };
  const lane = async (index: number) => {
    for (let i = 0; !finishing; i++) {
      const name = `${run}-${index}-${i}`;
      for (let tries = 0; ; tries++) {
        const answer = await ask(urls[(index + tries) % urls.length] as string, name);
        answers.push(answer);
        if (answer.status === 200) break;
        await onRefusal(answer);
      }
      done.add(name);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  running.catch(() => {});
  return {
    answers,
    done,
    async finish() {
      finishing = true;
      await running;
    },
  };
}
