import type { FastifyRequest } from 'fastify';
import type { PersonCaller } from '#application/caller.js';
import { ServiceError } from '#domain/errors.js';
import './callers.js';

/** Who is at a page of the service. Throws UNAUTHORIZED for nobody, FORBIDDEN for a program with a key. */
export function requirePerson({ caller }: FastifyRequest): PersonCaller {
  if (caller.kind === 'person') return caller;
  if (caller.kind === 'key')
    throw new ServiceError('FORBIDDEN', { problem: 'Accounts are managed by people who sign in, not with a key.' });
  throw new ServiceError('UNAUTHORIZED', { problem: 'Sign in first.' });
}

/** As requirePerson; FORBIDDEN too for everybody but the owner. */
export function requireOwner(request: FastifyRequest): PersonCaller {
  const person = requirePerson(request);
  if (person.account.role !== 'owner')
    throw new ServiceError('FORBIDDEN', { problem: 'This is for the owner of the service.' });
  return person;
}
