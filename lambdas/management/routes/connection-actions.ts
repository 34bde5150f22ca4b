import { findConnection, unknownConnection } from '../../gateway/connections/find-connection.ts';
import { deadConnection } from '../../gateway/tokens/access-tokens.ts';
import { refreshNow } from '../../gateway/tokens/refresh-now.ts';
import { reachedConnection } from '../authenticate.ts';
import { checkConnection } from '../connections/check-connection.ts';
import { forecastsOf, grantSharing } from '../connections/describe-connection.ts';
import { ListPage } from '../list-page.ts';
import { bareRoute, type Route } from '../route.ts';
import { eventsQuery } from '../schemas/connection-changes.ts';
import { ofIntegration } from '../schemas/connections.ts';
import { checkOnTheWire } from '../wire/check.ts';
import { connectionOnTheWire } from '../wire/connection.ts';
import { eventOnTheWire } from '../wire/event.ts';

const EVENTS_DEFAULT = 50;

/** What one can have done with a connection, and what has happened to it. */
export const connectionActionRoutes: readonly Route[] = [
  bareRoute({
    method: 'POST',
    pattern: '/connections/{connectionId}/refresh',
    access: { right: 'full' },
    summary: 'Force one refresh now',
    query: ofIntegration,
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const { connection, integration } = await findConnection(services, ref);
      const outcome = await refreshNow(services.refresher, connection, integration, true, requestId);
      if (outcome.kind === 'dead') throw deadConnection(outcome.death);
      const sharing = await grantSharing(services, outcome.connection);
      const forecasts = forecastsOf(outcome.connection, integration, sharing);
      const data = connectionOnTheWire(outcome.connection, { sharing, forecasts, credentials: undefined });
      return { status: 200, body: data };
    },
  }),
  bareRoute({
    method: 'POST',
    pattern: '/connections/{connectionId}/check',
    access: { right: 'full' },
    summary: 'One harmless call to the provider: works, or says exactly why not',
    query: ofIntegration,
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const result = await checkConnection(services, ref, requestId);
      return { status: 200, body: { data: checkOnTheWire(result) } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/connections/{connectionId}/events',
    access: { right: 'read' },
    summary: 'The timeline of a connection, newest first; of a deleted one too',
    query: eventsQuery,
    async handle({ caller, params, query }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const limit = query.limit ?? EVENTS_DEFAULT;
      const { events, next } = await services.connections.events(ref, limit, query.before);
      if (events.length === 0 && next === undefined && query.before === undefined) throw unknownConnection();
      const page = new ListPage();
      const isCut = events.some((event) => !page.take(eventOnTheWire(event)));
      const last = isCut ? events[page.items.length - 1]?.eventId : next;
      return { status: 200, body: { events: page.items, next_before: last ?? null } };
    },
  }),
];
