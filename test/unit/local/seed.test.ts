import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../../dev/local/network.ts';
import { readSeeded, seed } from '../../../dev/local/seed.ts';
import { stillToSeed } from '../../../dev/local/seed-once.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A gateway that notes what it is asked and answers as the real one does. */
let server: Server;
let gatewayUrl: string;
let asked: string[];
let fails: string | undefined;
let seededFile: string;

beforeEach(async () => {
  seededFile = join(temporaryFolder(), 'seeded.json');
  asked = [];
  fails = undefined;
  server = createServer(async (request, response) => {
    const body = await text(request);
    const step = `${request.method} ${request.url?.split('?')[0]}`;
    asked.push(`${step} ${request.headers.authorization ?? request.headers.cookie} ${body}`);
    const data: Record<string, [number, unknown]> = {
      'POST /integrations/quickstart': [201, { data: {} }],
      'POST /connect/sessions': [201, { data: { token: 'session-token' } }],
      'POST /connect/authorizations': [200, { data: { authorization_url: 'http://google.test/auth' } }],
      'GET /oauth/callback': [200, {}],
      'GET /connect/session': [200, { data: { status: 'connected', connection_id: 'c1' } }],
    };
    const [status, answer] = step === fails ? [400, { error: { code: 'broken' } }] : (data[step] ?? [404, {}]);
    response
      .writeHead(status, { 'set-cookie': ['binding=b; Path=/; HttpOnly', 'other=o'] })
      .end(JSON.stringify(answer));
  });
  gatewayUrl = `http://127.0.0.1:${await listen(server, 0, 'test', '')}`;
});
afterEach(() => closeServer(server));

const run = (options: Partial<Parameters<typeof seed>[0]> = {}) =>
  seed(
    {
      ...options,
      gatewayUrl,
      secretKey: 'sk',
      walkConsent: async () => ({ location: `${gatewayUrl}/oauth/callback?code=1` }),
    },
    seededFile,
  );

describe('seeding', () => {
  it('walks the real flow for each provider and notes the connections', async () => {
    expect(await run()).toEqual([
      { integration_id: 'google-drive', connection_id: 'c1' },
      { integration_id: 'google-calendar', connection_id: 'c1' },
    ]);
    expect(asked.slice(0, 5)).toEqual([
      'POST /integrations/quickstart Bearer sk {"provider":"google-drive","unique_key":"google-drive"}',
      'POST /connect/sessions Bearer sk {"end_user":{"id":"first-user","email":"first.user@example.com"},"allowed_integrations":["google-drive"]}',
      'POST /connect/authorizations Bearer session-token {"provider_config_key":"google-drive"}',
      'GET /oauth/callback binding=b; other=o ',
      'GET /connect/session Bearer session-token ',
    ]);
    expect(readSeeded(seededFile)).toHaveLength(2);
  });

  it('connects only an integration that the app has now and had not before, and keeps the other connections', async () => {
    const known = ['drive', 'removed'].map((integration_id) => ({ integration_id, connection_id: 'c0' }));
    const targets = ['drive', 'added'].map((uniqueKey) => ({ provider: 'google-drive', uniqueKey }));
    const { kept, missing } = stillToSeed(known, targets);
    const connections = [known[0], { integration_id: 'added', connection_id: 'c1' }];
    expect(await run({ targets: missing, kept })).toEqual(connections);
    expect(readSeeded(seededFile)).toEqual(connections);
    expect(asked.filter((one) => one.startsWith('POST /integrations'))).toEqual([
      'POST /integrations/quickstart Bearer sk {"provider":"google-drive","unique_key":"added"}',
    ]);
  });

  it.each([
    ['POST /connect/sessions', 'Could not create a connect session: the gateway answered 400'],
    ['GET /oauth/callback', 'Could not finish the authorization'],
  ])('seeding that fails at %s says so and leaves no note', async (step, message) => {
    fails = step;
    await expect(run()).rejects.toThrow(message);
    expect(readSeeded(seededFile)).toBeUndefined();
  });
});
