import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiKey } from '#application/ports/key-ring.js';
import type { ManageOwnAccount } from '#application/use-cases/manage-own-account.js';
import type { ReportUsage } from '#application/use-cases/report-usage.js';
import { invalid } from '#domain/errors.js';
import { requirePerson } from '../people.js';
import {
  AccountAnswer,
  AccountErrorsAnswer,
  ChargesAnswer,
  EndedAnswer,
  KeysAnswer,
  KeyView,
  NewKeyAnswer,
  SessionsAnswer,
  toAccountView,
  toTime,
} from '../schemas/account-answers.js';
import { AccountRequest, KeyRequest, LimitQuery } from '../schemas/account-requests.js';
import { sessionTokenOf, setSessionCookie } from '../session-cookie.js';
import { SECRET, toSessionView } from './session.js';

export interface AccountRouteDeps {
  readonly ownAccount: ManageOwnAccount;
  readonly reportUsage: ReportUsage;
  readonly publicUrl: URL | null;
}

const timeOrNull = (ms: number | null) => (ms === null ? null : toTime(ms));
const toKeyView = ({ id, prefix, name, createdAtMs, lastUsedAtMs, revokedAtMs }: ApiKey) => ({
  id,
  prefix,
  name,
  created_at: toTime(createdAtMs),
  last_used_at: timeOrNull(lastUsedAtMs),
  revoked_at: timeOrNull(revokedAtMs),
});

const LIMIT = { most: 500, usual: 100 } as const;
function limitOf({ limit }: LimitQuery): number {
  const asked = limit === undefined ? LIMIT.usual : Number(limit);
  if (!Number.isInteger(asked) || asked < 1 || asked > LIMIT.most)
    throw invalid('limit', `must be a whole number from 1 to ${LIMIT.most}`);
  return asked;
}

/** One's own account, for whoever is signed in: /api/v1/account. */
export function registerAccount(app: FastifyInstance, deps: AccountRouteDeps): void {
  const { ownAccount, reportUsage, publicUrl } = deps;
  const describe = async (account: Parameters<ReportUsage>[0]) => {
    const { key_prefix: _, ...usage } = await reportUsage(account, '');
    return { account: toAccountView(account), has_password: await ownAccount.hasPassword(account.id), usage };
  };
  const idOf = (request: FastifyRequest) => requirePerson(request).account.id;
  type KeyRequestType = { Params: { id: string }; Body: KeyRequest };

  app.get('/api/v1/account', { schema: { response: { 200: AccountAnswer } } }, async (request) =>
    describe(requirePerson(request).account),
  );
  app.patch<{ Body: AccountRequest }>(
    '/api/v1/account',
    { schema: { body: AccountRequest, response: { 200: AccountAnswer } } },
    async (request) => {
      const { account } = requirePerson(request);
      const { current_password: currentPassword, ...changes } = request.body;
      return describe(
        await ownAccount.change(
          account,
          { ...changes, ...(currentPassword !== undefined && { currentPassword }) },
          sessionTokenOf(request, publicUrl),
        ),
      );
    },
  );
  app.get('/api/v1/account/keys', { schema: { response: { 200: KeysAnswer } } }, async (request) => ({
    keys: (await ownAccount.keys(idOf(request))).map(toKeyView),
  }));
  app.post<{ Body: KeyRequest }>(
    '/api/v1/account/keys',
    { ...SECRET, schema: { body: KeyRequest, response: { 200: NewKeyAnswer } } },
    async (request) => {
      const { key, secret } = await ownAccount.createKey(idOf(request), request.body.name);
      return { key: toKeyView(key), secret };
    },
  );
  app.patch<KeyRequestType>(
    '/api/v1/account/keys/:id',
    { schema: { body: KeyRequest, response: { 200: KeyView } } },
    async (request) => toKeyView(await ownAccount.renameKey(idOf(request), request.params.id, request.body.name)),
  );
  app.delete<{ Params: { id: string } }>(
    '/api/v1/account/keys/:id',
    { schema: { response: { 200: KeyView } } },
    async (request) => toKeyView(await ownAccount.revokeKey(idOf(request), request.params.id)),
  );
  app.get<{ Querystring: LimitQuery }>(
    '/api/v1/account/charges',
    { schema: { querystring: LimitQuery, response: { 200: ChargesAnswer } } },
    async (request) => ({
      charges: (await ownAccount.charges(idOf(request), limitOf(request.query))).map(({ holdId, atMs, ...entry }) => ({
        ...entry,
        hold_id: holdId,
        at: toTime(atMs),
      })),
    }),
  );
  app.get<{ Querystring: LimitQuery }>(
    '/api/v1/account/errors',
    { schema: { querystring: LimitQuery, response: { 200: AccountErrorsAnswer } } },
    async (request) => ({
      errors: (await ownAccount.errors(idOf(request), limitOf(request.query))).map(
        ({ requestId, code, message, operation, atMs }) => ({
          request_id: requestId,
          code,
          error: message,
          operation,
          at: toTime(atMs),
        }),
      ),
    }),
  );
  app.get('/api/v1/account/sessions', { schema: { response: { 200: SessionsAnswer } } }, async (request) => ({
    sessions: (await ownAccount.sessions(idOf(request))).map(toSessionView),
  }));
  app.delete('/api/v1/account/sessions', { schema: { response: { 200: EndedAnswer } } }, async (request, reply) => {
    const ended = await ownAccount.endSessions(idOf(request));
    setSessionCookie(request, reply, publicUrl, undefined);
    return { ended };
  });
}
