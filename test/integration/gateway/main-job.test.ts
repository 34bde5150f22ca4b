import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { walkConsent } from '../../../simulator/consent.ts';
import { connectAccount } from '../../support/connect.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { control, forgetRequests, requests, tokenCalls } from '../../support/simulator.ts';
import { changeConnection, readConnection } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway();

// The first, as long as no process has a token in its memory.
describe('a token that has expired', () => {
  test('TK-1, F01: 20 parallel calls cause exactly one refresh', async () => {
    const connectionId = gateway.connectionId('google-drive');
    const past = Math.floor(Date.now() / 1000) - 10;
    await changeConnection(gateway, 'google-drive', connectionId, { accessTokenExpiresAtEpochSec: past });
    await forgetRequests(gateway);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => gateway.proxy('google-drive', '/drive/v3/files?pageSize=1')),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await tokenCalls(gateway)).toHaveLength(1);
    const row = await readConnection(gateway, 'google-drive', connectionId);
    expect(row.accessTokenExpiresAtEpochSec).toBeGreaterThan(past + 3000);
    expect(row.refreshLease).toBeUndefined();
  });

  test('TK-6, F29: a token the API refuses is refreshed once and the call replayed', async () => {
    expect((await gateway.proxy('google-calendar', '/calendar/v3/calendars/primary')).status).toBe(200);
    await control(gateway, 'POST', '/tokens/expire', { kind: 'access' });
    await forgetRequests(gateway);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => gateway.proxy('google-calendar', '/calendar/v3/calendars/primary')),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await tokenCalls(gateway)).toHaveLength(1);
  });

  test('the scheduled sweep refreshes what is due, so that no caller waits', async () => {
    const connectionId = gateway.connectionId('google-drive');
    const now = Math.floor(Date.now() / 1000);
    await changeConnection(gateway, 'google-drive', connectionId, { refreshAt: now - 5 });
    await forgetRequests(gateway);
    expect(await gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 1, dead: 0, failed: 0, finished: true });
    expect(await tokenCalls(gateway)).toHaveLength(1);
    const row = await readConnection(gateway, 'google-drive', connectionId);
    expect(row.refreshAt).toBeGreaterThan(now);
    expect(await gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 0 });
    expect(await tokenCalls(gateway)).toHaveLength(1);
  });
});

describe('the main job', () => {
  test('Drive files come through the proxy of the seeded connection', async () => {
    const answer = await gateway.proxy('google-drive', '/drive/v3/files?pageSize=3');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gateway-error')).toBeNull();
    const json = await answer.json();
    expect(json.kind).toBe('drive#fileList');
    expect(json.files).toHaveLength(3);
  });

  test('calendars come through the proxy of the seeded connection', async () => {
    const answer = await gateway.proxy('google-calendar', '/calendar/v3/users/me/calendarList?maxResults=3');
    expect(answer.status).toBe(200);
    expect((await answer.json()).items).toHaveLength(3);
  });

  test('another account connects through the authorization flow and sees its own data', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
    const answer = await gateway.proxy('google-drive', '/drive/v3/about?fields=user', {
      headers: { 'connection-id': connectionId },
    });
    expect((await answer.json()).user.emailAddress).toBe('second.user@example.com');
  });

  test('PX-7, PX-9: the provider receives one Authorization of its own and nothing of the gateway', async () => {
    await forgetRequests(gateway);
    await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1', {
      headers: { cookie: 'a=b', 'x-forwarded-for': '203.0.113.9', 'x-custom': 'kept' },
    });
    const [request] = await requests(gateway, 'api');
    const names = request?.headers.map(([name]) => name.toLowerCase()) ?? [];
    expect(names.filter((name) => name === 'authorization')).toHaveLength(1);
    expect(names).toContain('x-custom');
    for (const name of ['provider-config-key', 'connection-id', 'cookie', 'x-forwarded-for', 'x-amzn-trace-id']) {
      expect(names).not.toContain(name);
    }
    expect(JSON.stringify(request)).not.toContain(gateway.gateway.secretKey);
  });

  test('I6: no token is found in anything the gateway has stored', async () => {
    const forms = [/ya29\.[\w-]{20,}/, /1\/\/0[\w-]{40,}/];
    const minted = await mintTokens(gateway);
    expect(minted.access_token).toMatch(forms[0] ?? /^$/);
    expect(minted.refresh_token).toMatch(forms[1] ?? /^$/);
    const stored = [
      ...filesOf(gateway.gateway.dataDir).filter(({ name }) => name !== 'simulator.json'),
      { name: 'rows of the table and its stream', text: dumpDatabase(gateway.gateway.dataDir) },
    ];
    expect(stored.at(-1)?.text).toContain('encryptedRefreshToken');
    for (const { name, text } of stored) {
      for (const form of forms) expect(form.test(text), `${name} holds a token`).toBe(false);
    }
  });
});

function filesOf(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'latin1') }));
}

/** Every column of every row: a value that spans two pages of the file is whole here. */
function dumpDatabase(folder: string): string {
  const database = new DatabaseSync(join(folder, 'dynamodb.sqlite'), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
  database.close();
  return rows.map((row) => Object.values(row).map(String).join('\n')).join('\n');
}

/** Tokens for the test itself, to know what the simulator's tokens look like. */
async function mintTokens({ gateway }: TestGateway): Promise<Record<string, string>> {
  const client = {
    clientId: '999-look.apps.googleusercontent.com',
    clientSecret: 'look',
    redirectUri: 'http://127.0.0.1/look',
  };
  gateway.simulator?.upsertClient({ ...client, redirectUris: [client.redirectUri] });
  const endpoints = gateway.simulator?.endpoints;
  const authorization = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    access_type: 'offline',
    prompt: 'consent',
    scope: 'openid https://www.googleapis.com/auth/drive.readonly',
  });
  const { location } = await walkConsent(`${endpoints?.authorization_endpoint}?${authorization}`);
  const answer = await fetch(endpoints?.token_endpoint ?? '', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(location).searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
  });
  return answer.json();
}
