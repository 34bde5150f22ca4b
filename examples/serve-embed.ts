/**
 * Serves `embed.html` and plays the backend behind it. The gateway has to list the page's origin, so start both as
 *
 *     npm start -- --allow-origin http://localhost:4000
 *     npx node examples/serve-embed.ts [port [data folder of the gateway]]
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const BROWSER_MODULE = join(import.meta.dirname, '..', 'packages', 'client', 'src', 'browser');
const DEFAULT_PORT = 4000;

/** The gateway to connect through, and the key that only this server knows. */
export interface EmbedSettings {
  readonly gatewayUrl: string;
  readonly secretKey: string;
}

/** A server for the page, its script and the two calls of a backend; not yet listening. */
export function embedServer(settings: EmbedSettings): Server {
  return createServer((request, response) => {
    const reply = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    const answerWith = (work: Promise<object>): void => {
      work.then(
        (body) => reply(200, 'application/json', JSON.stringify(body)),
        (error: Error) => reply(502, 'application/json', JSON.stringify({ error: error.message })),
      );
    };
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = url.pathname;
    const source = /^\/browser\/([a-z-]+\.ts)$/.exec(path)?.[1];
    if (path === '/') {
      reply(200, 'text/html; charset=utf-8', readFileSync(join(import.meta.dirname, 'embed.html'), 'utf8'));
    } else if (source !== undefined) {
      // Browsers do not read types; a build of the client library would serve dist/browser instead.
      reply(200, 'text/javascript', stripTypeScriptTypes(readFileSync(join(BROWSER_MODULE, source), 'utf8')));
    } else if (path === '/settings') {
      reply(200, 'application/json', JSON.stringify({ base_url: settings.gatewayUrl }));
    } else if (path === '/session' && request.method === 'POST') {
      answerWith(makeSession(settings, url.searchParams.get('for')).then((token) => ({ token })));
    } else if (path === '/confirm' && request.method === 'POST') {
      answerWith(confirm(settings, url.searchParams.get('handle')));
    } else {
      reply(404, 'text/plain', 'There is nothing here.');
    }
  });
}

/** The user who is signed in to this app; a real one knows it from its own session. */
const SIGNED_IN = { id: 'example-user', display_name: 'Example User' };

/** What a session is made for, by the button that asks for it. */
const SESSIONS: Readonly<Record<string, object>> = {
  connect: {},
  confirm: { confirm: true },
  pick: { pick: { multiple: true }, allowed_integrations: ['google-drive'] },
};

/** What your backend does for a signed-in user: one call with the secret key. */
async function makeSession(settings: EmbedSettings, purpose: string | null): Promise<string> {
  const more = SESSIONS[purpose ?? 'connect'] ?? {};
  const data = await ask(settings, '/connect/sessions', { end_user: SIGNED_IN, ...more });
  return data.token ?? '';
}

/** Confirms what the browser brought back, for the person who is signed in here, never for a name that the browser sends. */
async function confirm(settings: EmbedSettings, handle: string | null): Promise<object> {
  const body = { handle: handle ?? '', end_user_id: SIGNED_IN.id };
  const { connection_id, provider_config_key } = await ask(settings, '/connect/sessions/confirm', body);
  return { status: 'confirmed', connection_id, provider_config_key };
}

async function ask(
  { gatewayUrl, secretKey }: EmbedSettings,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const answer = await fetch(gatewayUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (answer.ok) return json.data;
  const problems = (json.error?.errors ?? []).map((one: { message: string }) => one.message).join('; ');
  throw new Error(`The gateway said: ${json.error?.message ?? answer.status} ${problems}`.trim());
}

if (import.meta.main) {
  const [port = DEFAULT_PORT, dataDir = join(import.meta.dirname, '..', '.gateway')] = process.argv.slice(2);
  const server = embedServer(settingsOf(dataDir));
  server.on('error', (error) => fail(`${error.message}. Name another port: npx node examples/serve-embed.ts 4001`));
  server.listen(Number(port), 'localhost', () => console.log(`Open http://localhost:${port}`));
}

/** Where the gateway of a data folder runs, and its key. */
function settingsOf(dataDir: string): EmbedSettings {
  try {
    const local = JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8'));
    return { gatewayUrl: local.gateway_url, secretKey: local.secret_key };
  } catch {
    return fail(`No gateway has been started with the data folder ${dataDir}. Run npm start first.`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
