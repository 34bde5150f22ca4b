import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import { reachedConnection, requireReach } from '../authenticate.ts';
import { forecastsOf, grantSharing } from '../connections/describe-connection.ts';
import { importConnection } from '../connections/import-connection.ts';
import { setMetadata, updateDescription } from '../connections/update-description.ts';
import { bodyRoute, type Method, type Route } from '../route.ts';
import { noQuery } from '../schemas/common.ts';
import {
  importBody,
  metadataBody,
  type UpdateConnectionBody,
  updateConnectionBody,
} from '../schemas/connection-changes.ts';
import { ofIntegration } from '../schemas/connections.ts';
import { connectionOnTheWire } from '../wire/connection.ts';
import { toEndUser } from '../wire/end-user.ts';

/** Connections: imported and described. */
export const connectionChangeRoutes: readonly Route[] = [
  bodyRoute({
    method: 'POST',
    pattern: '/connections',
    access: { right: 'full' },
    summary: 'Import a grant whose refresh token you have; the token is used once to prove it',
    query: noQuery,
    body: importBody,
    async handle({ caller, body, requestId }, services) {
      const integrationRef = { accountId: caller.accountId, integrationId: body.provider_config_key };
      requireReach(caller, integrationRef.integrationId);
      const { connection, integration } = await importConnection(services, integrationRef, {
        connectionId: body.connection_id,
        refreshToken: body.credentials.refresh_token,
        consentedAtEpochSec: epochSecOf(body.consented_at),
        accessTokenExpiresAtEpochSec: epochSecOf(body.credentials.expires_at),
        endUser: endUserOf(body),
        tags: body.tags ?? {},
        metadata: body.metadata ?? undefined,
        requestId,
        actor: caller.actor,
      });
      const sharing = await grantSharing(services, connection);
      const forecasts = forecastsOf(connection, integration, sharing);
      return { status: 201, body: connectionOnTheWire(connection, { sharing, forecasts, credentials: undefined }) };
    },
  }),
  bodyRoute({
    method: 'PATCH',
    pattern: '/connections/{connectionId}',
    access: { right: 'full' },
    summary: 'Change whom a connection belongs to, and its tags',
    query: ofIntegration,
    body: updateConnectionBody,
    async handle({ caller, params, query, body, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const change = { endUser: endUserOf(body), tags: body.tags };
      await updateDescription(services, ref, change, { requestId, actor: caller.actor });
      return { status: 200, body: { success: true } };
    },
  }),
  metadataRoute('POST', 'replace', 'Replace the metadata of one or more connections'),
  metadataRoute('PATCH', 'merge', 'Merge members into the metadata of one or more connections'),
];

function metadataRoute(method: Method, how: 'replace' | 'merge', summary: string): Route {
  return bodyRoute({
    method,
    pattern: '/connections/metadata',
    access: { right: 'full' },
    summary,
    query: noQuery,
    body: metadataBody,
    async handle({ caller, body, requestId }, services) {
      const { connection_id: connectionIds, provider_config_key: integrationId, metadata } = body;
      requireReach(caller, integrationId);
      const { accountId, actor } = caller;
      await setMetadata(services, { accountId, integrationId, connectionIds, how, metadata, requestId, actor });
      const [first] = connectionIds;
      const echo = { ...body, connection_id: connectionIds.length === 1 ? first : connectionIds };
      return { status: method === 'POST' ? 201 : 200, body: echo };
    },
  });
}

function epochSecOf(moment: string | null | undefined): number | undefined {
  return moment === undefined || moment === null ? undefined : Math.floor(Date.parse(moment) / 1000);
}

function endUserOf(body: Pick<UpdateConnectionBody, 'end_user' | 'organization'>): EndUser | undefined {
  return body.end_user === undefined ? undefined : toEndUser(body.end_user, body.organization ?? undefined);
}
