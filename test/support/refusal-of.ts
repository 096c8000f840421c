import { ServiceError } from '#domain/errors.js';

/** The ServiceError that a promise rejects with. Throws where it resolves or rejects with anything else. */
export async function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
  let resolved: unknown;
  try {
    resolved = await promise;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`nothing was refused: ${JSON.stringify(resolved)}`);
}
