import type { FastifyInstance, FastifyRequest } from 'fastify';
import { signInUrl } from '#application/sign-in-url.js';
import type { GrantCredits } from '#application/use-cases/grant-credits.js';
import type { AccountLink, ManageAccounts } from '#application/use-cases/manage-accounts.js';
import type { ManageOwnAccount } from '#application/use-cases/manage-own-account.js';
import { requireOwner } from '../people.js';
import {
  AccountLinkAnswer,
  AccountsAnswer,
  AccountView,
  GrantAnswer,
  RemovedAnswer,
  toAccountView,
  toTime,
} from '../schemas/account-answers.js';
import { AccountChangeRequest, GrantRequest, InviteRequest } from '../schemas/account-requests.js';
import { SECRET } from './session.js';

export interface AccountsRouteDeps {
  readonly accounts: ManageAccounts;
  readonly grantCredits: GrantCredits;
  readonly ownAccount: Pick<ManageOwnAccount, 'credits'>;
  readonly publicUrl: URL | null;
}

type Named = { Params: { id: string } };

/** Everybody's accounts, for the owner: /api/v1/accounts. */
export function registerAccounts(app: FastifyInstance, deps: AccountsRouteDeps): void {
  const { accounts, grantCredits, ownAccount, publicUrl } = deps;
  const linkBody = ({ account, token, expiresAtMs }: AccountLink, request: FastifyRequest) => ({
    account: toAccountView(account),
    link: signInUrl(publicUrl?.href ?? `${request.protocol}://${request.host}`, token),
    expires_at: toTime(expiresAtMs),
  });
  const forOwner = {
    onRequest: async (request: FastifyRequest) => {
      requireOwner(request);
    },
  };

  app.get('/api/v1/accounts', { ...forOwner, schema: { response: { 200: AccountsAnswer } } }, async () => ({
    accounts: await Promise.all(
      (await accounts.list()).map(async (account) => ({
        ...toAccountView(account),
        credits: await ownAccount.credits(account.id),
      })),
    ),
  }));
  app.post<{ Body: InviteRequest }>(
    '/api/v1/accounts',
    { ...forOwner, ...SECRET, schema: { body: InviteRequest, response: { 200: AccountLinkAnswer } } },
    async (request) => linkBody(await accounts.create(request.body), request),
  );
  app.patch<Named & { Body: AccountChangeRequest }>(
    '/api/v1/accounts/:id',
    { ...forOwner, schema: { body: AccountChangeRequest, response: { 200: AccountView } } },
    async ({ params, body }) => toAccountView(await accounts.change(params.id, body)),
  );
  app.delete<Named>(
    '/api/v1/accounts/:id',
    { ...forOwner, schema: { response: { 200: RemovedAnswer } } },
    async ({ params }) => {
      const { account, files } = await accounts.remove(params.id);
      return { account: toAccountView(account), files };
    },
  );
  app.post<Named>(
    '/api/v1/accounts/:id/reset',
    { ...forOwner, ...SECRET, schema: { response: { 200: AccountLinkAnswer } } },
    async (request) => linkBody(await accounts.reset(request.params.id), request),
  );
  app.post<Named & { Body: GrantRequest }>(
    '/api/v1/accounts/:id/credits',
    { ...forOwner, schema: { body: GrantRequest, response: { 200: GrantAnswer } } },
    async ({ params, body }) => {
      const { account, balance } = await grantCredits({ account: params.id, ...body });
      return { account: toAccountView(account), credits: balance };
    },
  );
}
