import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { reachedIntegration, reaches } from '../authenticate.ts';
import { createIntegration, type NewIntegration } from '../integrations/create-integration.ts';
import { pageOf, type WholeList } from '../list-page.ts';
import { bareRoute, bodyRoute, type Route, type RouteCall } from '../route.ts';
import { cursorQuery, noQuery } from '../schemas/common.ts';
import {
  type CreateIntegrationBody,
  createIntegrationBody,
  integrationQuery,
  type QuickstartBody,
  quickstartBody,
} from '../schemas/integrations.ts';
import type { Services } from '../services.ts';
import { integrationOnTheWire } from '../wire/integration.ts';

/** Integrations: made, listed, shown. */
export const integrationRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/integrations',
    access: { right: 'read', session: true },
    summary: 'All integrations, newest first',
    query: cursorQuery,
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const all = await services.integrations.list(accountId);
      const list: WholeList<Integration> = {
        accountId,
        name: 'integrationListCursor',
        items: all.filter(({ integrationId }) => reaches(caller, integrationId)),
        positionOf: ({ createdAt, integrationId }) => `${createdAt}#${integrationId}`,
        onTheWire: (integration) => integrationOnTheWire(integration, services.providerOf(integration.provider)),
      };
      return { status: 200, body: await pageOf(services, list, query.cursor) };
    },
  }),
  bodyRoute({
    method: 'POST',
    pattern: '/integrations',
    access: { right: 'full', account: true },
    summary: 'Create an integration with your own OAuth client, or with the operator’s test credentials',
    query: noQuery,
    body: createIntegrationBody,
    handle: (call, services) => create(newIntegration(call, services), services),
  }),
  bodyRoute({
    method: 'POST',
    pattern: '/integrations/quickstart',
    access: { right: 'full', account: true },
    summary: 'Create an integration on the operator’s test credentials',
    query: noQuery,
    body: quickstartBody,
    handle: (call, services) =>
      create(newIntegration({ ...call, body: { ...call.body, credentials_source: 'test' } }, services), services),
  }),
  bareRoute({
    method: 'GET',
    pattern: '/integrations/{integrationId}',
    access: { right: 'read', session: true },
    summary: 'One integration',
    query: integrationQuery,
    async handle({ caller, params, query }, services) {
      const ref = reachedIntegration(caller, params);
      if (caller.session !== undefined && query.include !== undefined) {
        throw new GatewayError('forbidden', 'A connect session sees an integration without further parts.');
      }
      const integration = await findIntegration(services, ref);
      const data = integrationOnTheWire(integration, services.providerOf(integration.provider), query.include);
      return { status: 200, body: { data } };
    },
  }),
];

type CreateBody = CreateIntegrationBody | (QuickstartBody & { readonly credentials_source: 'test' });

function newIntegration(call: RouteCall<unknown, CreateBody>, services: Services): NewIntegration {
  const { caller, body } = call;
  const credentials = 'credentials' in body ? body.credentials : undefined;
  const listed = credentials?.scopes ?? undefined;
  const fromCredentials = listed !== undefined && listed.length > 0;
  return {
    accountId: caller.accountId,
    integrationId: body.unique_key,
    provider: services.providerOf(body.provider),
    displayName: body.display_name,
    credentialsSource: body.credentials_source ?? 'own',
    client:
      credentials === undefined
        ? undefined
        : { clientId: credentials.client_id, clientSecret: credentials.client_secret },
    scopes: fromCredentials ? listed : body.scopes,
    scopesPath: fromCredentials ? 'credentials.scopes' : 'scopes',
    publishingStatus: body.publishing_status,
    audience: body.audience,
    mode: body.mode,
    includeGrantedScopes: body.include_granted_scopes,
    hostedDomain: body.hosted_domain,
    requestId: call.requestId,
    actor: caller.actor,
  };
}

async function create(wanted: NewIntegration, services: Services) {
  const integration = await createIntegration(services, wanted);
  return { status: 200, body: { data: integrationOnTheWire(integration, wanted.provider) } };
}
