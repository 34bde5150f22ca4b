import { describe, expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { control, forgetRequests, tokenCalls } from '../../support/simulator.ts';
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

test('another account connects through the authorization flow and sees its own data', async () => {
  const connectionId = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
  const answer = await gateway.proxyAs('google-drive', connectionId, '/drive/v3/about?fields=user');
  expect((await answer.json()).user.emailAddress).toBe('second.user@example.com');
});
