/** A gateway's life in short: what a data folder holds after it, and what of it later versions have to know. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnyGateway, anyGateway, type Checkout, type ConnectionName, READ_PATHS } from './any-gateway.ts';

/** What a version left behind in a data folder. */
export interface LivedData {
  readonly version: string;
  /** Commit whose code wrote it. */
  readonly commit: string;
  readonly recordedAt: string;
  readonly firstKey: string;
  /** Keys by what they may do. */
  readonly keys: Readonly<Record<'full' | 'read' | 'proxy', string>>;
  readonly alive: readonly (ConnectionName & { readonly path: string; readonly endUser: string })[];
  readonly dead: readonly (ConnectionName & { readonly path: string; readonly cause: string })[];
  readonly deleted: readonly ConnectionName[];
  /** Feeds with the number of their last batch; none where the version had none. */
  readonly feeds: readonly { readonly id: string; readonly integration: string; readonly lastSequence: number }[];
  readonly webhooks: readonly { readonly id: string; readonly secret: string }[];
  /** Calls of a day from `GET /usage`. */
  readonly usage: readonly { readonly day: string; readonly integration: string; readonly calls: number }[];
  /** Ids of what `GET /events` lists; of a version without it, of the events of connections that are there. */
  readonly events: readonly string[];
}

const DRIVE = 'google-drive';
const CALENDAR = 'google-calendar';
/** Account whose grants end. */
export const DEAD_ACCOUNT = 'viewer@workspace.example';
const FIRST_USER = 'first.user@example.com';

/** Looks until there is something. @throws Error after a minute */
export async function arrival<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const endAt = Date.now() + 60_000; Date.now() < endAt; ) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not come.`);
}

/** An endpoint of webhooks that agrees to all, and what it was sent. */
export interface Endpoint extends AsyncDisposable {
  readonly address: string;
  readonly messages: readonly { readonly headers: Record<string, string>; readonly body: string }[];
}

/** Listens on a free port of loopback. */
export async function openEndpoint(): Promise<Endpoint> {
  const messages: { headers: Record<string, string>; body: string }[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    messages.push({ headers: Object.fromEntries(headers), body });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    messages,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Adds something to what a feed watches. @returns its id @throws Error for a refusal */
export async function addTo(gateway: AnyGateway, of: ConnectionName, name: string): Promise<string> {
  const [path, body] =
    of.integration === DRIVE
      ? ['/drive/v3/files', { name, mimeType: 'text/plain' }]
      : [
          '/calendar/v3/calendars/primary/events',
          { summary: name, start: { date: '2027-01-01' }, end: { date: '2027-01-02' } },
        ];
  const made = await gateway.proxy(of, path, body);
  if (made.status !== 200) throw new Error(`${path} answered ${made.status}: ${JSON.stringify(made.body)}`);
  return made.body.id;
}

/** Walks through a connect session as its end user. @returns the id of the connection @throws Error where none came of it */
export async function consent(of: {
  readonly gateway: AnyGateway;
  readonly walkConsent: Checkout['walkConsent'];
  readonly token: string;
  readonly integration: string;
  readonly account: string;
}): Promise<string> {
  const { gatewayUrl } = of.gateway.gateway;
  const authorization = `Bearer ${of.token}`;
  const started = await fetch(`${gatewayUrl}/connect/authorizations`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ provider_config_key: of.integration }),
  });
  const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { location } = await of.walkConsent((await started.json()).data.authorization_url, { account: of.account });
  await fetch(location, { headers: { cookie }, redirect: 'manual' });
  const { data } = await (await fetch(`${gatewayUrl}/connect/session`, { headers: { authorization } })).json();
  if (typeof data.connection_id !== 'string') throw new Error(`Nothing was connected: ${JSON.stringify(data)}`);
  return data.connection_id;
}

/** What the integrations ask for, so that a connection can change what its feed watches. */
const WRITING: Readonly<Record<string, readonly string[]>> = {
  [DRIVE]: ['https://www.googleapis.com/auth/drive'],
  [CALENDAR]: ['https://www.googleapis.com/auth/calendar'],
};

/**
 * Lives: integrations, connections of both providers, one that died and one that was deleted, keys, calls, and what else the version has
 * of feeds, webhooks, usage and the audit trail.
 *
 * @param about what the data will say of itself
 * @throws Error naming what the version refused
 */
export async function live(
  { walkConsent }: Checkout,
  running: AnyGateway['gateway'],
  about: Pick<LivedData, 'version' | 'commit'>,
): Promise<LivedData> {
  const gateway = anyGateway(running);
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await gateway.ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const has = async (path: string) => (await gateway.ask('GET', path)).status === 200;
  const connect = async (integration: string, account: string, endUser: string): Promise<string> => {
    const { data } = await must('POST', '/connect/sessions', {
      end_user: { id: endUser, email: account, display_name: endUser },
      allowed_integrations: [integration],
      tags: { team: 'north' },
    });
    return consent({ gateway, walkConsent, token: data.token, integration, account });
  };
  const key = async (right: string): Promise<string> =>
    (await must('POST', '/account/keys', { name: `Key that may ${right}`, right })).data.secret_key;

  const keys = { full: await key('full'), read: await key('read'), proxy: await key('proxy') };
  const alive: LivedData['alive'][number][] = [];
  const dead: LivedData['dead'][number][] = [];
  const deleted: ConnectionName[] = [];
  for (const integration of [DRIVE, CALENDAR]) {
    const path = READ_PATHS[integration] ?? '';
    await must('PATCH', `/integrations/${integration}`, { scopes: WRITING[integration] });
    const name = async (account: string, endUser: string) => ({
      integration,
      connection: await connect(integration, account, endUser),
      path,
      endUser,
    });
    alive.push(await name(FIRST_USER, 'first'), await name('editor@workspace.example', 'editor'));
    const gone = await name('second.user@example.com', 'gone');
    await must('DELETE', `/connections/${gone.connection}?provider_config_key=${integration}`);
    deleted.push({ integration, connection: gone.connection });
    const ended = await name(DEAD_ACCOUNT, 'ended');
    dead.push({ integration, connection: ended.connection, path, cause: '' });
  }
  for (const one of alive) {
    for (let call = 0; call < 3; call += 1) {
      const { status, body } = await gateway.proxy(one, one.path);
      if (status !== 200) throw new Error(`A call answered ${status}: ${JSON.stringify(body)}`);
    }
  }
  await gateway.control('POST', '/grants/kill', { account: DEAD_ACCOUNT, reason: 'user_revoked' });
  for (const [index, one] of dead.entries()) {
    const { status, body } = await gateway.proxy(one, one.path);
    if (status !== 424) throw new Error(`A call of an ended grant answered ${status}: ${JSON.stringify(body)}`);
    const { body: shown } = await gateway.ask(
      'GET',
      `/connections/${one.connection}?provider_config_key=${one.integration}`,
    );
    dead[index] = { ...one, cause: String((shown.data ?? shown).cause ?? shown.diagnosis?.cause) };
  }

  const endpoint = await openEndpoint();
  const webhooks: LivedData['webhooks'][number][] = [];
  if (await has('/webhooks')) {
    const { data } = await must('POST', '/webhooks', { url: `${endpoint.address}/events` });
    await must('POST', `/webhooks/${data.id}/enable`);
    webhooks.push({ id: data.id, secret: data.secret });
    await key('read');
    await running.tick('deliver');
    await arrival('an event at the webhook', async () =>
      endpoint.messages.find(({ body }) => body.includes('SecretKeyCreated')),
    );
  }
  const feeds: LivedData['feeds'][number][] = [];
  if (await has('/feeds')) {
    for (const [integration, resource] of [
      [DRIVE, 'drive'],
      [CALENDAR, 'calendar:primary'],
    ] as const) {
      const connection = alive.find((one) => one.integration === integration)?.connection ?? '';
      const { data } = await must('POST', '/feeds', {
        provider_config_key: integration,
        connection_id: connection,
        resource,
      });
      const id = await addTo(gateway, { integration, connection }, 'recorded');
      await must('POST', `/feeds/${data.id}/pull`);
      const lastSequence = await arrival('a batch of changes', async () => {
        const { data: batches } = await must('GET', `/feeds/${data.id}/changes?after=0`);
        return batches.find((one: { changes: { id: string }[] }) => one.changes.some((change) => change.id === id))
          ?.sequence;
      });
      feeds.push({ id: data.id, integration, lastSequence });
    }
  }
  await running.tick('refresh');
  await endpoint[Symbol.asyncDispose]();

  const usage: LivedData['usage'][number][] = [];
  if (await has('/usage')) {
    let minute = 0;
    const rows = await arrival('usage of both integrations', async () => {
      // Up to 0.2 a process reports its calls at a later call; from then on the roll-up counts them minute by minute.
      for (const one of alive) await gateway.proxy(one, one.path);
      minute += 1;
      const at = new Date(Date.now() + minute * 60_000).toISOString();
      await running.tick('roll-up', { at }).catch(() => undefined);
      const { data } = await must('GET', '/usage?by=integration');
      const found = data.rows.filter((row: { calls: number }) => row.calls > 0);
      return found.length >= 2 ? found : undefined;
    });
    for (const row of rows) usage.push({ day: row.day, integration: row.provider_config_key, calls: row.calls });
  }
  const events: string[] = [];
  if (await has('/events')) {
    const { data } = await must('GET', '/events?limit=100');
    for (const event of data) events.push(event.event_id ?? event.id);
  } else {
    // Those of a deleted connection lie under a key that nobody knows any more.
    const kept = new Set<unknown>([...alive, ...dead].map(({ connection }) => connection));
    for (const { detail } of running.events) {
      const { event_id, connection_id } = Object(detail);
      if (kept.has(connection_id)) events.push(event_id);
    }
  }
  return {
    ...about,
    recordedAt: new Date().toISOString(),
    firstKey: running.secretKey,
    ...{ keys, alive, dead, deleted, feeds, webhooks, usage, events },
  };
}
