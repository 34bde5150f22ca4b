import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { reachedIntegration } from '../authenticate.ts';
import { deleteIntegration } from '../integrations/delete-integration.ts';
import {
  deleteIntegrationQuery,
  integrationOnTheWire,
  type UpdateIntegrationBody,
  updateIntegrationBody,
} from '../integrations/integration-routes.ts';
import { reportReadiness } from '../integrations/report-readiness.ts';
import { type IntegrationChange, updateIntegration } from '../integrations/update-integration.ts';
import { bareRoute, bodyRoute, type Route, type RouteCall } from '../route.ts';
import { noQuery } from '../schemas/common.ts';
import { readinessOnTheWire } from '../wire/readiness.ts';

/** Integrations: changed, deleted, and what they need to go live. */
export const integrationChangeRoutes: readonly Route[] = [
  bodyRoute({
    method: 'PATCH',
    pattern: '/integrations/{integrationId}',
    access: { right: 'full', account: true },
    summary: 'Change an integration; a new client_secret under the same client_id is a rotation without downtime',
    query: noQuery,
    body: updateIntegrationBody,
    async handle(call, services) {
      const ref = reachedIntegration(call.caller, call.params);
      const { integration, warnings } = await updateIntegration(services, ref, changeOf(call));
      const data = integrationOnTheWire(integration, services.providerOf(integration.provider));
      return { status: 200, body: { data, warnings } };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: '/integrations/{integrationId}',
    access: { right: 'full', account: true },
    summary: 'Delete an integration with all its connections; many take several calls',
    query: deleteIntegrationQuery,
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedIntegration(caller, params);
      const request = { requestId, actor: caller.actor };
      const deleted = await deleteIntegration(services, ref, query.revoke ?? 'no', request);
      return { status: 200, body: { success: true, deleted_connections: deleted } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/integrations/{integrationId}/readiness',
    access: { right: 'read' },
    summary: 'Scopes by review class, publishing status, and what going live still needs',
    query: noQuery,
    async handle({ caller, params }, services) {
      const integration = await findIntegration(services, reachedIntegration(caller, params));
      const provider = services.providerOf(integration.provider);
      const report = reportReadiness(integration, provider, `${services.baseUrl}/oauth/callback`);
      return { status: 200, body: { data: readinessOnTheWire(report) } };
    },
  }),
];

function changeOf({ body, caller, requestId }: RouteCall<unknown, UpdateIntegrationBody>): IntegrationChange {
  const { credentials } = body;
  const listed = credentials?.scopes ?? undefined;
  const fromCredentials = listed !== undefined && listed.length > 0;
  const namesClient = credentials?.client_id !== undefined || credentials?.client_secret !== undefined;
  return {
    integrationId: body.unique_key,
    displayName: body.display_name,
    credentialsSource: body.credentials_source,
    client: namesClient ? { clientId: credentials?.client_id, clientSecret: credentials?.client_secret } : undefined,
    scopes: fromCredentials ? listed : body.scopes,
    scopesPath: fromCredentials ? 'credentials.scopes' : 'scopes',
    publishingStatus: body.publishing_status,
    audience: body.audience,
    mode: body.mode,
    includeGrantedScopes: body.include_granted_scopes,
    hostedDomain: body.hosted_domain,
    requestId,
    actor: caller.actor,
  };
}
