import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionRef, type GatewayClient, GatewayError } from '../../client/src/index.ts';
import { type ShownEvent, shownEvent } from './shown-event.ts';

/** Latest events that are read of each connection; older ones are not news. */
const PER_CONNECTION = 20;
/** Connections looked at in one round: each costs one request. */
const CONNECTIONS_MAX = 100;
const AT_A_TIME = 4;

/**
 * Events of connections, from their timelines, oldest first.
 *
 * @param only one connection; undefined looks at the newest of the account
 * @param intervalMs pause between rounds; undefined makes one
 */
export async function* pollTimelines(
  gateway: GatewayClient,
  only: { readonly integration: string; readonly connection: string } | undefined,
  intervalMs: number | undefined,
): AsyncGenerator<ShownEvent> {
  const known = new Map<string, ConnectionRef>();
  const seen = new Set<string>();
  for (;;) {
    for (const ref of await refsOf(gateway, only)) known.set(`${ref.providerConfigKey}\n${ref.connectionId}`, ref);
    // A connection that was deleted meanwhile still has a timeline, and its last event is news.
    const found = await timelines(gateway, [...known.values()], only !== undefined);
    const fresh = found.filter(({ eventId }) => !seen.has(eventId));
    for (const event of fresh.sort((a, b) => a.eventId.localeCompare(b.eventId))) {
      seen.add(event.eventId);
      yield event;
    }
    if (intervalMs === undefined) return;
    await delay(intervalMs);
  }
}

async function refsOf(
  gateway: GatewayClient,
  only: { readonly integration: string; readonly connection: string } | undefined,
): Promise<readonly ConnectionRef[]> {
  if (only !== undefined) return [{ providerConfigKey: only.integration, connectionId: only.connection }];
  return (await gateway.connections.list({ limit: CONNECTIONS_MAX })).connections;
}

async function timelines(
  gateway: GatewayClient,
  refs: readonly ConnectionRef[],
  mustExist: boolean,
): Promise<ShownEvent[]> {
  const events: ShownEvent[] = [];
  for (let at = 0; at < refs.length; at += AT_A_TIME) {
    const some = refs.slice(at, at + AT_A_TIME);
    const pages = await Promise.all(some.map((ref) => timeline(gateway, ref, mustExist)));
    events.push(...pages.flat());
  }
  return events;
}

async function timeline(gateway: GatewayClient, ref: ConnectionRef, mustExist: boolean): Promise<ShownEvent[]> {
  try {
    const { events } = await gateway.connections.events(ref, { limit: PER_CONNECTION });
    return events.map(({ eventId, time, type, cause, remedy, data }) =>
      shownEvent(type, {
        event_id: eventId,
        time,
        integration_id: ref.providerConfigKey,
        connection_id: ref.connectionId,
        ...(cause === undefined ? {} : { cause }),
        ...(remedy === undefined ? {} : { remedy }),
        ...data,
      }),
    );
  } catch (error) {
    // Deleted with its integration: no more events follow.
    if (!mustExist && error instanceof GatewayError && error.status === 404) return [];
    throw error;
  }
}
