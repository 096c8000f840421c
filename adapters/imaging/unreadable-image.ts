import { ServiceError } from '#domain/errors.js';

/** The refusal of a file of the right kind that is broken; `problem` is a sentence that ends with a full stop. */
export const unreadableImage = (format: string, problem: string, cause?: unknown) =>
  new ServiceError('UNREADABLE_IMAGE', { format, problem }, cause === undefined ? {} : { cause });
