/**
 * `node sign-in.mjs <package.json of the installed packages> <address of /mcp> <client of a document> <given client> <redirect URI>`: the
 * official client meets a bare 401, finds the issuer, signs a user in and calls a tool; once for each way of being a client.
 */
import { createRequire } from 'node:module';

const [manifest, address, documentClient, givenClient, redirectUri] = process.argv.slice(2);
const require = createRequire(manifest);
const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');

for (const way of ['registration', 'document', 'given id']) {
  const kept = { information: way === 'given id' ? { client_id: givenClient } : undefined };
  const provider = {
    redirectUrl: redirectUri,
    ...(way === 'document' ? { clientMetadataUrl: documentClient } : {}),
    clientMetadata: {
      client_name: 'Opinion',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.information,
    saveClientInformation: (information) => {
      kept.information = information;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.url = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
  };
  const open = () => {
    const client = new Client({ name: 'opinion', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    return { client, transport: new StreamableHTTPClientTransport(new URL(address), { authProvider: provider }) };
  };
  const refused = open();
  const failure = await refused.client.connect(refused.transport).then(
    () => undefined,
    (error) => error,
  );
  if (kept.url === undefined) throw new Error(`${way}: no sign-in was asked for: ${failure}`);
  const back = new URL(await signIn(kept.url));
  await refused.transport.finishAuth(back.searchParams);
  const { client, transport } = open();
  await client.connect(transport);
  const { tools } = await client.listTools();
  const made = await client.callTool({
    name: 'drive_create_file',
    arguments: { name: way, kind: 'text', content: way },
  });
  const read = await client.callTool({
    name: 'drive_read_file_content',
    arguments: { file_id: made.structuredContent?.id },
  });
  console.log(
    JSON.stringify({
      way,
      client: kept.information?.client_id,
      resource: kept.url.searchParams.get('resource'),
      canDelete: tools.some(({ name }) => name === 'calendar_delete_event'),
      read: read.content.at(-1).text,
    }),
  );
  await client.close();
}

/** Answers the issuer's pages as a browser would. */
async function signIn(from) {
  const cookies = new Map();
  let url = from.href;
  let form;
  for (let step = 0; step < 12; step++) {
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    const text = await reply.text();
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      if (url.startsWith(redirectUri)) return url;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (prompt === undefined) throw new Error(`The issuer shows ${reply.status} ${text.slice(0, 500)}`);
    form = new URLSearchParams({ prompt, login: 'first-user', password: 'x' });
  }
  throw new Error('The issuer asked again and again.');
}
