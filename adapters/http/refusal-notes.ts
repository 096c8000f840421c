import type { FastifyBaseLogger } from 'fastify';
import type { UsageMeter } from '#application/ports/usage-meter.js';
import type { ProblemBody } from './problem.js';

/** What is noted of requests that are refused by the hundred: every one is counted, and some are told of. */
export interface RefusalNotes {
  add(accountId: string, refusal: ProblemBody): void;
  /** Writes down what has come together; never rejects. */
  flush(): Promise<void>;
}

export interface RefusalNotesDeps {
  readonly usage: Pick<UsageMeter, 'record' | 'recordError'>;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  /** Such as `POST /api/v1/convert`. */
  readonly operation: string;
  /** How long refusals come together. */
  readonly everyMs?: number;
}

const EVERY_MS = 1000;

interface OfAccount {
  times: number;
  /** The last of each code. */
  readonly latest: Map<string, ProblemBody>;
}

/**
 * One line in the log, one row of usage for an account and one error for an account and code, for all that are refused within a
 * second: more would cost the service more than the refusals themselves.
 */
export function createRefusalNotes({ usage, logger, operation, everyMs = EVERY_MS }: RefusalNotesDeps): RefusalNotes {
  let accounts = new Map<string, OfAccount>();
  let byCode = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const [told, counted] = [accounts, byCode];
    [accounts, byCode] = [new Map(), new Map()];
    if (counted.size === 0) return;
    logger.warn(
      { refused: Object.fromEntries(counted), accounts: told.size, operation },
      'requests were refused early',
    );
    try {
      await Promise.all(
        [...told].flatMap(([accountId, { times, latest }]) => [
          usage.record({ accountId, kind: 'failure', credits: 0, times }),
          ...[...latest].map(([code, { error: message, request_id: requestId }]) =>
            usage.recordError({ accountId, requestId, code, message, operation }),
          ),
        ]),
      );
    } catch (err) {
      logger.warn({ err }, 'usage could not be noted');
    }
  };

  return {
    add(accountId, refusal) {
      const { code } = refusal;
      byCode.set(code, (byCode.get(code) ?? 0) + 1);
      const account = accounts.get(accountId) ?? { times: 0, latest: new Map<string, ProblemBody>() };
      account.times++;
      account.latest.set(code, refusal);
      accounts.set(accountId, account);
      timer ??= setTimeout(() => void flush(), everyMs).unref();
    },
    flush,
  };
}
