import { once } from 'node:events';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { failed, printed, runGateway, startGateway } from '../../support/command-line.ts';
import { connectAccount } from '../../support/connect.ts';
import { control, requests } from '../../support/simulator.ts';
import { changeItem, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway();

/** Digests of the tokens that the provider still honours. */
async function liveTokens(): Promise<string[]> {
  const state = await control(gateway, 'GET', '/state');
  const list = (name: 'refreshTokens' | 'accessTokens'): { live: boolean; account: string }[] =>
    typeof state === 'object' && state !== null && name in state ? Reflect.get(state, name) : [];
  return [...list('refreshTokens'), ...list('accessTokens')].filter(({ live }) => live).map(({ account }) => account);
}

async function connections(): Promise<number> {
  const { out } = await runGateway(gateway, ['--json', 'connections', 'list']);
  return JSON.parse(out).connections.length;
}

async function revocationCalls(): Promise<number> {
  return (await requests(gateway)).filter(({ target }) => target.startsWith('/revoke')).length;
}

/** Lets the schedule try what is pending, as if its time had come. */
async function letScheduleRevoke(): Promise<void> {
  const { Items = [] } = await tableClient(gateway).send(new ScanCommand({ TableName: gateway.gateway.tableName }));
  for (const { pk, sk } of Items.filter(({ type }) => type === 'revocation')) {
    await changeItem(gateway, { pk, sk }, { refreshAt: 1 });
  }
  await gateway.gateway.tick('refresh');
}

test('TK-13: a dry run names the connections that share a grant, and changes nothing', async () => {
  const calendar = gateway.connectionId('google-calendar');
  const { code, out } = await runGateway(gateway, ['revoke', '--integration', 'google-drive', '--dry-run']);
  expect(code).toBe(0);
  expect(out).toMatch(/Would delete 1 connections of google-drive and end 1 grants/);
  expect(out).toMatch(/These would also end[\s\S]*google-calendar/);
  expect(out).toContain(calendar);
  expect(await connections()).toBe(2);
  expect(await revocationCalls()).toBe(0);
});

test('revoke asks what is meant and whether it is meant', async () => {
  expect(await runGateway(gateway, ['revoke'])).toMatchObject(failed(2, /--integration/));
  expect(await runGateway(gateway, ['revoke', '--integration', 'none', '--yes'])).toMatchObject(
    failed(2, /no integration none/),
  );
  expect(await runGateway(gateway, ['revoke', '--all'])).toMatchObject(failed(2, /--yes/));
  expect(await connections()).toBe(2);
});

test('TK-13: what Google does not end while its revocation fails is counted, and ended by the schedule later', {
  tags: ['long'],
}, async () => {
  await control(gateway, 'POST', '/faults', { match: { pathPrefix: '/revoke' }, action: { status: 503 } });
  const failing = await runGateway(gateway, ['--json', 'revoke', '--all', '--yes', '--wait', '1']);
  expect(failing.code).toBe(5);
  expect(JSON.parse(failing.out)).toMatchObject({ deleted: 2, ended: 0, pending: 2 });
  expect(await connections()).toBe(0);
  expect((await liveTokens()).length).toBeGreaterThan(0);
  const still = await runGateway(gateway, ['revoke', '--all', '--yes', '--wait', '1']);
  expect(still).toMatchObject(printed(/Still to be ended there\t2/, 5));
  expect(still.err).toMatch(/retries automatically, next at 20/);

  await control(gateway, 'DELETE', '/faults');
  await letScheduleRevoke();
  const done = await runGateway(gateway, ['revoke', '--all', '--yes']);
  expect(done).toMatchObject(printed(/Still to be ended there\t0/));
  expect(await liveTokens()).toEqual([]);
});

test('TK-13: revoke --all, killed in the middle and run again, leaves every token dead at the provider', {
  tags: ['long'],
}, async () => {
  for (const account of ['second.user@example.com', 'editor@workspace.example', 'viewer@workspace.example']) {
    await connectAccount(gateway, 'google-drive', { account });
    await connectAccount(gateway, 'google-calendar', { account });
  }
  await control(gateway, 'POST', '/faults', { match: { pathPrefix: '/revoke' }, action: { delayMs: 400 } });
  const first = startGateway(gateway, ['revoke', '--all', '--yes', '--concurrency', '1']);
  await expect.poll(() => revocationCalls()).toBeGreaterThanOrEqual(2);
  first.child.kill('SIGKILL');
  await once(first.child, 'close');
  expect(await connections()).toBeGreaterThan(0);
  expect((await liveTokens()).length).toBeGreaterThan(0);

  await control(gateway, 'DELETE', '/faults');
  const again = await runGateway(gateway, ['--json', 'revoke', '--all', '--yes', '--wait', '1']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({ pending: 0, failed: [], stopped: false });
  expect(await connections()).toBe(0);
  expect(await liveTokens()).toEqual([]);
});
