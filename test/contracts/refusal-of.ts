import { ServiceError } from '#domain/errors.js';

/** The refusal that the work ends in. Anything else it throws is thrown on; it is an error where nothing is refused. */
export async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error;
  }
  throw new Error('it was not refused');
}
