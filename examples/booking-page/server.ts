/**
 * A page where visitors book half an hour in its owner's Google Calendar. docs/tutorial-booking-page.md explains it.
 *
 *     npx node examples/booking-page/server.ts [port]
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
// In a project of your own: '@integration-gateway/client'.
import { GatewayClient, GatewayError, ProviderError } from '../../packages/client/src/index.ts';

const INTEGRATION = 'google-calendar';
const OWNER = 'booking-page-owner';
const SLOT_MS = 30 * 60_000;
const OPENING_HOUR_UTC = 9;
const SLOTS_PER_DAY = 16;
const BODY_CHARACTERS = 2_000;

/** What the owner has to do before anybody can book. */
class Closed extends Error {}

/** The page of one owner; not yet listening. */
export function bookingServer(gateway: GatewayClient): Server {
  return createServer((request, response) => {
    const reply = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><meta charset="utf-8"><title>Book a meeting</title>${body}`);
    };
    answer(gateway, request).then(
      ([status, body]) => reply(status, body),
      (error: unknown) => {
        // What to do is for the owner, who reads the log. Visitors only see that the page is closed.
        console.error(error instanceof Error ? error.message : error);
        reply(error instanceof Closed ? 503 : 502, '<p>Booking is closed at the moment. Please come back later.</p>');
      },
    );
  });
}

async function answer(gateway: GatewayClient, request: IncomingMessage): Promise<[status: number, body: string]> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (request.method === 'GET' && pathname === '/') return showSlots(gateway, searchParams.get('day') ?? tomorrow());
  if (request.method === 'POST' && pathname === '/book') {
    const form = new URLSearchParams((await text(request)).slice(0, BODY_CHARACTERS));
    return book(gateway, form.get('start') ?? '', form.get('email') ?? '');
  }
  return [404, '<p>There is no such page.</p>'];
}

async function showSlots(gateway: GatewayClient, day: string): Promise<[number, string]> {
  if (Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return [400, '<p>Name a day as 2027-03-01.</p>'];
  const buttons = (await freeSlots(gateway, day)).map(
    (start) => `<button name="start" value="${start}">${start.slice(11, 16)} UTC</button>`,
  );
  const field = '<label>Your email address <input name="email" type="email" required></label>';
  return [200, `<h1>${day}</h1><form method="post" action="/book">${field} ${buttons.join(' ')}</form>`];
}

/** Starts of the day's half hours in which the owner has nothing, as ISO 8601 times. */
async function freeSlots(gateway: GatewayClient, day: string): Promise<string[]> {
  const openMs = Date.parse(`${day}T00:00:00Z`) + OPENING_HOUR_UTC * 3_600_000;
  const starts = Array.from({ length: SLOTS_PER_DAY }, (_, slot) => openMs + slot * SLOT_MS);
  const connection = await ownersConnection(gateway);
  const { data } = await orClosed(gateway, connection, () =>
    gateway.post<{ calendars: { primary: { busy: { start: string; end: string }[] } } }>({
      ...connection,
      endpoint: '/calendar/v3/freeBusy',
      data: {
        timeMin: isoTime(openMs),
        timeMax: isoTime(openMs + SLOTS_PER_DAY * SLOT_MS),
        items: [{ id: 'primary' }],
      },
    }),
  );
  const { busy } = data.calendars.primary;
  const isFree = (startMs: number) =>
    busy.every(({ start, end }) => startMs + SLOT_MS <= Date.parse(start) || startMs >= Date.parse(end));
  return starts.filter(isFree).map(isoTime);
}

async function book(gateway: GatewayClient, start: string, email: string): Promise<[number, string]> {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(email)) return [400, '<p>That is not an email address.</p>'];
  if (Number.isNaN(Date.parse(start))) return [400, '<p>That is not a time.</p>'];
  const taken: [number, string] = [409, '<p>That time is taken. <a href="/">Choose another one</a>.</p>'];
  if (!(await freeSlots(gateway, start.slice(0, 10))).includes(start)) return taken;
  const connection = await ownersConnection(gateway);
  const startMs = Date.parse(start);
  try {
    await orClosed(gateway, connection, () =>
      gateway.post({
        ...connection,
        endpoint: '/calendar/v3/calendars/primary/events',
        params: { sendUpdates: 'all' },
        data: {
          // Two visitors may see the same free time. Google accepts an id only once, so the second one gets 409.
          id: `slot${startMs}`,
          summary: `Meeting with ${email}`,
          start: { dateTime: isoTime(startMs) },
          end: { dateTime: isoTime(startMs + SLOT_MS) },
          attendees: [{ email }],
        },
      }),
    );
  } catch (error) {
    if (error instanceof ProviderError && error.status === 409) return taken;
    throw error;
  }
  return [201, `<p>Booked: ${start.slice(0, 10)}, ${start.slice(11, 16)} UTC. You will get an invitation.</p>`];
}

/** The owner's connection, found by the app's own id of the owner. */
async function ownersConnection(gateway: GatewayClient) {
  const { connections } = await gateway.connections.list({ endUserId: OWNER, integrationId: INTEGRATION });
  const [found] = connections;
  if (found !== undefined) return { providerConfigKey: INTEGRATION, connectionId: found.connectionId };
  const { connectLink } = await gateway.connectSessions.create({
    endUser: { id: OWNER },
    allowedIntegrations: [INTEGRATION],
  });
  throw new Closed(`Connect your calendar: ${connectLink}`);
}

/** Makes a call; where the grant has ended, the page is closed until the owner connects again. */
async function orClosed<T>(
  gateway: GatewayClient,
  connection: { readonly providerConfigKey: string; readonly connectionId: string },
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'reauthorization_required')) throw error;
    const { connectLink } = await gateway.connectSessions.reconnect(connection);
    throw new Closed(`${error.connection?.remedy ?? error.message} ${connectLink}`);
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function tomorrow(): string {
  return isoTime(Date.now() + 86_400_000).slice(0, 10);
}

if (import.meta.main) {
  const port = Number(process.argv[2] ?? 4003);
  bookingServer(new GatewayClient()).listen(port, 'localhost', () => console.log(`Open http://localhost:${port}`));
}
