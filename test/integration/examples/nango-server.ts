import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, LOOPBACK, listen } from '../../../dev/local/network.ts';

const KEY = 'nango-secret-key';
const PAGE_MAX = 2;

/** A connection as Nango's API returns it. */
export type NangoConnection = Readonly<Record<string, unknown>> & {
  readonly connection_id: string;
  readonly provider_config_key: string;
};

/**
 * Stands in for Nango's API as far as a move needs it: `GET /connections` in pages, `GET /connections/{id}`, which returns the refresh
 * token only on request and refuses dead grants with 400, and `POST /connections`. Every third request is refused with 429.
 */
export async function startNango(connections: readonly NangoConnection[], dead: ReadonlySet<string>) {
  const imported: unknown[] = [];
  let asked = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const reply = (status: number, answer: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        .end(JSON.stringify(answer));
    if (request.headers.authorization !== `Bearer ${KEY}`) return reply(401, { error: { code: 'unknown_account' } });
    if (++asked % 3 === 0) return reply(429, { error: { code: 'too_many_request' } });
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://nango');
    if (request.method === 'POST' && pathname === '/connections') {
      const made = JSON.parse(body);
      const whole = made.provider_config_key && made.credentials?.type === 'OAUTH2' && made.credentials.access_token;
      if (!whole) return reply(400, { error: { code: 'invalid_body' } });
      imported.push(made);
      return reply(201, made);
    }
    if (pathname === '/connections') {
      const page = Number(searchParams.get('page') ?? 0);
      const limit = Math.min(PAGE_MAX, Number(searchParams.get('limit') ?? PAGE_MAX));
      const items = connections.slice(page * limit, (page + 1) * limit);
      return reply(200, { connections: items.map(({ credentials: _, ...item }) => item) });
    }
    const id = decodeURIComponent(pathname.slice('/connections/'.length));
    const key = searchParams.get('provider_config_key');
    const found = connections.find((one) => one.connection_id === id && one.provider_config_key === key);
    if (found === undefined) return reply(404, { error: { code: 'not_found' } });
    if (dead.has(id)) return reply(400, { error: { code: 'server_error', message: 'invalid_grant' } });
    if (searchParams.get('refresh_token') === 'true') return reply(200, found);
    const { refresh_token: _, ...credentials } = Object(found.credentials);
    return reply(200, { ...found, credentials });
  });
  const port = await listen(server, 0, 'Nango', 'start again');
  return {
    environment: { NANGO_HOST: `http://${LOOPBACK}:${port}`, NANGO_SECRET_KEY: KEY },
    /** Bodies of `POST /connections`. */
    imported,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
