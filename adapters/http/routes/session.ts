import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountOf } from '#application/caller.js';
import type { Session } from '#application/ports/session-store.js';
import type { ManageOwnAccount } from '#application/use-cases/manage-own-account.js';
import type { SignedIn, SignIn } from '#application/use-cases/sign-in.js';
import type { Account } from '#domain/accounts/account.js';
import { ServiceError } from '#domain/errors.js';
import type { CallerRules } from '../caller-guards.js';
import { mayUseCookie } from '../own-page.js';
import { LinkAnswer, SessionAnswer, toAccountView, toTime } from '../schemas/account-answers.js';
import { LinkQuery, LinkRequest, SignInRequest } from '../schemas/account-requests.js';
import { sessionTokenOf, setSessionCookie } from '../session-cookie.js';
import '../callers.js';

export interface SessionRouteDeps {
  readonly signIn: SignIn;
  readonly ownAccount: ManageOwnAccount;
  readonly callers: CallerRules;
}

/** Answers with a cookie are not to be had from another page, nor twice. */
export const SECRET = { config: { answersSecret: true } } as const;

export const toSessionView = ({ id, userAgent, createdAtMs, expiresAtMs }: Session) => ({
  id,
  user_agent: userAgent,
  created_at: toTime(createdAtMs),
  expires_at: toTime(expiresAtMs),
});

/** Who asks, signing in and signing out: /api/v1/session. */
export function registerSession(app: FastifyInstance, { signIn, ownAccount, callers }: SessionRouteDeps): void {
  const { publicUrl, anonymous } = callers;
  const answer = async (
    as: 'nobody' | 'session' | 'owner_at_home' | 'key',
    account: Account | undefined,
    session: Session | null = null,
  ) => ({
    as,
    account: account ? toAccountView(account) : null,
    credits: account ? await ownAccount.credits(account.id) : null,
    session: session && toSessionView(session),
    anonymous_allowed: anonymous,
  });
  const browserOf = (request: FastifyRequest) => ({
    userAgent: request.headers['user-agent'] ?? '',
    sessionToken: sessionTokenOf(request, publicUrl),
  });
  const welcome = (request: FastifyRequest, reply: FastifyReply, { account, session, token }: SignedIn) => {
    setSessionCookie(request, reply, publicUrl, token);
    return answer('session', account, session);
  };
  /** A page of another site could sign somebody in as somebody else. */
  const requireOwnPage = async (request: FastifyRequest) => {
    if (request.headers.origin !== undefined && !mayUseCookie(request, callers))
      throw new ServiceError('FORBIDDEN', { problem: 'People sign in at a page of the service itself.' });
  };
  const signingIn = { onRequest: requireOwnPage, ...SECRET };
  const response = { 200: SessionAnswer };

  app.get('/api/v1/session', { schema: { response } }, async ({ caller }) => {
    if (caller.kind === 'anonymous') return answer('nobody', undefined);
    if (caller.kind === 'key') return answer('key', accountOf(caller));
    return answer(caller.session === null ? 'owner_at_home' : 'session', caller.account, caller.session);
  });
  app.post<{ Body: SignInRequest }>(
    '/api/v1/session',
    { ...signingIn, schema: { body: SignInRequest, response } },
    async (request, reply) => welcome(request, reply, await signIn.withPassword(request.body, browserOf(request))),
  );
  app.delete('/api/v1/session', { schema: { response } }, async (request, reply) => {
    const token = sessionTokenOf(request, publicUrl);
    if (token !== undefined) await signIn.out(token);
    setSessionCookie(request, reply, publicUrl, undefined);
    return answer('nobody', undefined);
  });
  app.get<{ Querystring: LinkQuery }>(
    '/api/v1/session/link',
    { schema: { querystring: LinkQuery, response: { 200: LinkAnswer } } },
    async ({ query }) => {
      const { purpose, email, expiresAtMs, needsPassword } = await signIn.describeLink(query.token);
      return { purpose, email, expires_at: toTime(expiresAtMs), needs_password: needsPassword };
    },
  );
  app.post<{ Body: LinkRequest }>(
    '/api/v1/session/link',
    { ...signingIn, schema: { body: LinkRequest, response } },
    async (request, reply) => welcome(request, reply, await signIn.withLink(request.body, browserOf(request))),
  );
}
