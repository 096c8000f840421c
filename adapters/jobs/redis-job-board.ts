import type { Redis } from 'ioredis';
import type { JobBoard, JobNote } from '#application/ports/job-board.js';

export interface RedisJobBoardDeps {
  /** Its commands fail at once while Redis is away. */
  readonly client: Redis;
  /** Makes UPSTREAM_UNAVAILABLE of what a command rejects with while Redis is away. */
  readonly guard: <T>(work: Promise<T>) => Promise<T>;
  /** A connection of its own, for subscriptions. */
  readonly connect: (kind: 'subscribing') => Redis;
  /** Of every key in Redis. */
  readonly prefix: string;
}

/** A JobBoard for as many processes as share a Redis: a note is a key that expires, a change is published. */
export async function createRedisJobBoard(deps: RedisJobBoardDeps): Promise<JobBoard> {
  const { client, guard, connect, prefix } = deps;
  const keyOf = (id: string) => `${prefix}:job:${id}`;
  const cancels = `${prefix}:cancelled-jobs`;
  const watchers = new Map<string, Set<(note: JobNote) => void>>();
  const cancelled = new Set<(id: string) => void>();

  const subscriber = connect('subscribing');
  subscriber.on('message', (channel: string, message: string) => {
    if (channel === cancels) for (const callback of cancelled) callback(message);
    else for (const watcher of [...(watchers.get(channel) ?? [])]) watcher(JSON.parse(message) as JobNote);
  });
  await guard(subscriber.subscribe(cancels));

  const get = async (id: string): Promise<JobNote | undefined> => {
    const text = await guard(client.get(keyOf(id)));
    return text === null ? undefined : (JSON.parse(text) as JobNote);
  };

  return {
    get,
    async put(note, lifetimeMs) {
      const text = JSON.stringify(note);
      const key = keyOf(note.id);
      await guard(client.multi().set(key, text, 'PX', lifetimeMs).publish(key, text).exec());
    },
    watch(id, onChange) {
      const channel = keyOf(id);
      const all = watchers.get(channel) ?? new Set();
      watchers.set(channel, all.add(onChange));
      // What changed before anything was heard is read.
      subscriber
        .subscribe(channel)
        .then(() => get(id))
        .then((note) => {
          if (note !== undefined && all.has(onChange)) onChange(note);
        })
        .catch(() => {});
      return () => {
        if (!all.delete(onChange) || all.size > 0) return;
        watchers.delete(channel);
        subscriber.unsubscribe(channel).catch(() => {});
      };
    },
    async cancel(id) {
      await guard(client.publish(cancels, id));
    },
    onCancel(callback) {
      cancelled.add(callback);
    },
  };
}
