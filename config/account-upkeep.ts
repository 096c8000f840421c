import type { Stores } from '#adapters/persistence/stores.js';
import type { Logger } from '#application/ports/logger.js';
import { signInUrl } from '#application/sign-in-url.js';
import { createStartFirst } from '#application/use-cases/first-start.js';
import { createReapExpired } from '#application/use-cases/reap-expired.js';

const REAP_EVERY_MS = 60_000;

export interface Reaper {
  /** Ends the timer, and resolves when what it had begun has ended. */
  stop(): Promise<void>;
}

/** Gives forgotten credits back and removes what has expired: now, and every minute. */
export async function startReaper({ credits, ...stores }: Stores, logger: Logger): Promise<Reaper> {
  const { idempotency, retrace, usage, sessions, links, files } = stores;
  const reapExpired = createReapExpired({ credits, stores: { idempotency, retrace, usage, sessions, links, files } });
  let running = Promise.resolve();
  const reap = async () => {
    try {
      const { holds } = await reapExpired();
      if (holds > 0) logger.warn({ holds }, 'credits of conversions that never ended were given back');
    } catch (err) {
      logger.error({ err }, 'what has expired could not be removed');
    }
  };
  const next = () => {
    running = running.then(reap);
    return running;
  };
  await next();
  const timer = setInterval(() => void next(), REAP_EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}

/** A disc on white, 24 x 24, so that the first conversion needs no file. */
const FIRST_PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAYAQMAAADaua+7AAAABlBMVEUdTtj///8esvnGAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAANElEQVQI12P4//8/Axw3/mf4x1DP8IfBnuEHgzzDBwZ+MH7AwI4Vw+RBakF6QHpBZiCZCQCKjSfxuy1cJwAAAABJRU5ErkJggg==';

/** What the owner is told at the first start. */
export const firstStartText = (url: string, token: string, apiKey: string): string => `
Burin is ready, and this is its first start. What follows is shown once.

  Sign in:  ${signInUrl(url, token)}
  API key:  ${apiKey}

Try it:

echo ${FIRST_PICTURE} | base64 -d | curl -sS -H 'X-API-Key: ${apiKey}' -F 'imageFile=@-;filename=first.png' -F output=svg -o first.svg ${new URL('/api/v1/convert', url).href}

`;

/** Makes the owner at the very first start, and prints, to nobody but who started it, how to get in. */
export async function welcomeOwner(stores: Stores, url: string, print: (text: string) => void): Promise<void> {
  const first = await createStartFirst(stores)();
  if (first !== undefined) print(firstStartText(url, first.signInToken, first.apiKey));
}
