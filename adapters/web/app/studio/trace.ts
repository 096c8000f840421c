import type { Capabilities } from '#application/use-cases/report-capabilities.js';
import type { VectorizedImage } from '#application/use-cases/vectorize-answer.js';
import { ask, askJson, isAbort, type Problem, ProblemError } from '../shared/api.js';

export type { Capabilities };

/** What a conversion answers, and what it cost. */
export interface Trace extends Omit<VectorizedImage, 'drawing'> {
  readonly downloadPathBasename: string;
  readonly downloadActualFilename: string;
  readonly convertedFileSize: number;
  /** Null where the service does not say. */
  readonly charge: { readonly charged: number; readonly remaining: number } | null;
}

/** Parameters that were chosen, as text: what the form, the address and the copied calls all carry. */
export type ChosenSettings = Readonly<Record<string, string>>;

export interface Progress {
  readonly stage: string;
  /** 0..1 */
  readonly fraction: number;
}

interface JobAnswer {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly position?: number;
  readonly stage?: string;
  readonly fraction: number;
  readonly links: { readonly self: string; readonly events: string };
  readonly result?: Omit<Trace, 'charge'>;
  readonly error?: Omit<Problem, 'status'>;
}

export const fetchCapabilities = (): Promise<Capabilities> => askJson<Capabilities>('/api/v1/capabilities');

/** The states of a job as they come, until its last. */
async function* eventsOf(job: JobAnswer, signal: AbortSignal): AsyncGenerator<JobAnswer> {
  const answer = await ask(job.links.events, { signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() as string;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as JobAnswer;
    }
  }
}

const numberIn = (headers: Headers, name: string): number | null => {
  const text = headers.get(name);
  return text === null || !/^\d+$/.test(text) ? null : Number(text);
};

function chargeOf({ headers }: Response): Trace['charge'] {
  const [charged, remaining] = [numberIn(headers, 'x-credits-charged'), numberIn(headers, 'x-credits-remaining')];
  return charged === null || remaining === null ? null : { charged, remaining };
}

/**
 * Has one picture traced, telling how far it is. When the signal aborts, the work is stopped on the server as well. Rejects
 * with ProblemError for a refusal, AbortError when aborted.
 */
export async function tracePicture(
  picture: Blob,
  fileName: string,
  settings: ChosenSettings,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Trace> {
  const form = new FormData();
  for (const [name, value] of Object.entries(settings)) form.append(name, value);
  form.append('imageFile', picture, fileName);
  const started = await askJson<JobAnswer>('/api/v1/convert', {
    method: 'POST',
    headers: { prefer: 'respond-async' },
    body: form,
  });
  try {
    // Only a job that is known can be stopped, so sending is not cut short.
    signal.throwIfAborted();
    let last = started;
    for await (const job of eventsOf(started, signal)) {
      last = job;
      onProgress({ stage: job.stage ?? job.state, fraction: job.fraction });
    }
    if (last.state === 'failed' && last.error) throw new ProblemError({ status: 422, ...last.error });
    const answer = await ask(started.links.self, { signal });
    const job = (await answer.json()) as JobAnswer;
    if (job.state === 'failed' && job.error) throw new ProblemError({ status: 422, ...job.error });
    if (job.result === undefined)
      throw new ProblemError({ status: 0, code: 'NO_RESULT', error: 'The work ended without a drawing; try again.' });
    return { ...job.result, charge: chargeOf(answer) };
  } catch (error) {
    // Nobody waits for it any more. Whether this reaches the service changes nothing here.
    if (isAbort(error)) void fetch(started.links.self, { method: 'DELETE', keepalive: true }).catch(() => {});
    throw error;
  }
}
