import { findConnection, findIntegration, unknownConnection } from '../../gateway/connections/find-connection.ts';
import type { ConnectionFilter } from '../../gateway/connections/ports.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { CONNECTION_LIST_MAX } from '../../gateway/core/limits.ts';
import { refreshNow } from '../../gateway/tokens/refresh-now.ts';
import { reachedConnection, reaches } from '../authenticate.ts';
import { deleteConnection } from '../connections/delete-connection.ts';
import { forecastsOf, grantSharing } from '../connections/describe-connection.ts';
import { countListed, listConnections, type ShownConnection } from '../connections/list-connections.ts';
import { readCredentials } from '../connections/read-credentials.ts';
import { ListPage } from '../list-page.ts';
import { bareRoute, type Caller, type Route } from '../route.ts';
import { deleteQuery, listQuery, readQuery } from '../schemas/connections.ts';
import type { Services } from '../services.ts';
import {
  connectionListItem,
  connectionOnTheWire,
  revocationOnTheWire,
  unconfirmedOnTheWire,
  usedConnectionListItem,
} from '../wire/connection.ts';

/** Connections: listed, read, deleted. */
export const connectionRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/connections',
    access: { right: 'read' },
    summary: 'Connections, newest first',
    query: listQuery,
    async handle({ caller, query }, services) {
      const { limit = CONNECTION_LIST_MAX, page = 0, cursor } = query;
      const integrationIds = reachable(caller, query.integrationId);
      if (integrationIds?.length === 0) return { status: 200, body: { connections: [], next_cursor: null } };
      const filter: ConnectionFilter = {
        ...(integrationIds === undefined ? {} : { integrationIds }),
        ...(query.status === undefined ? {} : { status: query.status }),
        ...(query.cause === undefined ? {} : { cause: query.cause }),
        ...(query.connectionId === undefined ? {} : { connectionId: query.connectionId }),
        ...(query.endUserId === undefined ? {} : { endUserId: query.endUserId }),
        ...(query.endUserOrganizationId === undefined ? {} : { organizationId: query.endUserOrganizationId }),
        ...(query.tags === undefined ? {} : { tags: query.tags }),
      };
      const { accountId } = caller;
      const { search, sort = '-created', include = [] } = query;
      const withLastUse = include.includes('last_used');
      let list = new ListPage();
      const newPage = () => {
        list = new ListPage();
        return (connection: ShownConnection) =>
          list.take(withLastUse ? usedConnectionListItem(connection) : connectionListItem(connection));
      };
      const request = { accountId, filter, search, sort, withLastUse, limit, page, cursor };
      const [nextCursor, counted] = await Promise.all([
        listConnections(services, request, newPage),
        include.includes('total') ? countListed(services, request) : undefined,
      ]);
      const total = include.includes('total')
        ? { total: counted?.total ?? null, total_is_complete: counted?.complete ?? false }
        : {};
      return { status: 200, body: { connections: list.items, next_cursor: nextCursor ?? null, ...total } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/connections/{connectionId}',
    access: { right: 'read' },
    summary: 'One connection: its state, scopes, account and what lies ahead of it',
    query: readQuery,
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const mayRead = caller.key?.canReadCredentials === true;
      if (query.refresh_token === true && !mayRead) {
        throw new GatewayError(
          'forbidden',
          'This secret key may not read credentials. An operator can make one that may in the dashboard.',
        );
      }
      const found = await findShown(services, ref);
      if ('grant' in found) {
        const integration = await findIntegration(services, ref);
        return { status: 200, body: unconfirmedOnTheWire(found, integration, services.refreshPolicy) };
      }
      const refreshed =
        query.force_refresh === true && found.connection.death === undefined
          ? await refreshNow(services.refresher, found.connection, found.integration, true, requestId)
          : { connection: found.connection };
      const known = { connection: refreshed.connection, integration: found.integration };
      const read = mayRead
        ? await readCredentials(services, known, {
            withRefreshToken: query.refresh_token === true,
            requestId,
            actor: caller.actor,
          })
        : { connection: known.connection, credentials: undefined };
      const sharing = await grantSharing(services, read.connection);
      const forecasts = forecastsOf(read.connection, known.integration, sharing);
      return {
        status: 200,
        body: connectionOnTheWire(read.connection, { sharing, forecasts, credentials: read.credentials }),
      };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: '/connections/{connectionId}',
    access: { right: 'full' },
    summary: 'Delete a connection; revoke=true also ends its grant at the provider, and refuses when others share it',
    query: deleteQuery,
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const report = await deleteConnection(services, ref, query.revoke ?? 'no', { requestId, actor: caller.actor });
      return { status: 200, body: { success: true, revocation: revocationOnTheWire(report) } };
    },
  }),
];

/** A connection, or what will be one once it is confirmed. */
async function findShown(services: Services, ref: ConnectionRef) {
  try {
    return await findConnection(services, ref);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'confirmation_required') throw error;
    const unconfirmed = await services.unconfirmed.read(ref);
    if (unconfirmed === undefined) throw unknownConnection();
    return unconfirmed;
  }
}

/** Integrations to list: what is asked for, as far as the key goes; undefined = all. */
function reachable(caller: Caller, asked: readonly string[] | undefined): readonly string[] | undefined {
  if (asked === undefined) return caller.integrationIds;
  return asked.filter((id) => reaches(caller, id));
}
