import { invalid } from '#domain/errors.js';

/** The refusal of an address that another account has. */
export const emailTaken = (email: string) => invalid('email', `${email} belongs to another account; give another one`);
