import { hashSecret } from './secrets.js';

export const MAX_USER_AGENT_LENGTH = 200;

/** Follows from the cookie's token, so that nothing more is kept, and says nothing of it. */
export const csrfTokenOf = (token: string): string => hashSecret(`csrf:${token}`);
