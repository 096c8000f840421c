/** Where the process is in its life; what probes are told follows from it. */
export interface Lifecycle {
  state: 'starting' | 'running' | 'stopping';
}

export const createLifecycle = (): Lifecycle => ({ state: 'starting' });
