import { expect } from 'vitest';
import { jsonRequest } from '../../support/gateway.ts';
import { quietNowMs } from '../../support/quiet-time.ts';
import { control, tokenCalls } from '../../support/simulator.ts';
import { type FaultWorld, nowSec, SHORT_LEASE_SEC, statusesOf, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { forceRefresh } from './grants.ts';

const API = { origin: 'api' };
const CLIENT_ID = '123456789012-rotated.apps.googleusercontent.com';

/** What the provider and the OAuth client do over time. */
export const providerRows: readonly FaultRow[] = [
  {
    id: 'F23',
    claim: 'a client secret changed at the provider and here costs at most one refused call',
    runs: 'matrix',
    async run(world) {
      const integrationId = 'own-client';
      await upsertClient(world, 'secret-before');
      const credentials = { type: 'OAUTH2', client_id: CLIENT_ID, client_secret: 'secret-before' };
      const integration = { unique_key: integrationId, provider: 'google-drive', credentials };
      const created = await world.gateway.call('/integrations', jsonRequest('POST', integration));
      expect(created.status, await created.text()).toBeLessThan(300);
      const subject = await world.connect({ integrationId });
      expect((await subject.call()).status).toBe(200);
      await upsertClient(world, 'secret-after');
      const change = { credentials: { ...credentials, client_secret: 'secret-after' } };
      const changed = await world.gateway.call(`/integrations/${integrationId}`, jsonRequest('PATCH', change));
      expect(changed.status, await changed.text()).toBe(200);
      // The first call has refreshed; a refused token is not refreshed again within the cool-down.
      await subject.set({ lastRefreshedAtEpochSec: nowSec() - 60 });
      await control(world.gateway, 'POST', '/tokens/expire', { kind: 'access', clientId: CLIENT_ID });
      await control(world.gateway, 'DELETE', '/requests');
      const answer = await subject.call();
      expect(answer.status, await answer.text()).toBe(200);
      expect((await tokenCalls(world.gateway)).length).toBeLessThanOrEqual(2);
    },
  },
  {
    id: 'F30',
    claim: 'a storm of 401 on one connection causes at most one refresh per cool-down',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      await world.provider(API, { apiError: { code: 401, reason: 'authError' } });
      expect(await statusesOf(40, () => subject.call())).toEqual(new Set([401]));
      expect((await tokenCalls(world.gateway)).length).toBeLessThanOrEqual(1);
    },
  },
  {
    id: 'F70',
    claim: 'the oldest of more than 100 tokens ends with the limit as its likeliest cause; the others live',
    runs: 'matrix',
    async run(world) {
      const account = 'editor@workspace.example';
      const oldest = await world.connect({ account });
      const others = await world.connectMany(100, { account, expired: false });
      // All are alike: the latest stands for them.
      for (const other of others.slice(0, -1)) world.subjects.delete(other);
      const answer = await oldest.call();
      expect(answer.status).toBe(424);
      expect((await answer.json()).error.connection).toMatchObject({ cause: 'refresh_token_limit', certain: false });
      expect((await oldest.call()).status).toBe(424);
      expect(await tokenCalls(world.gateway), 'no loop').toHaveLength(1);
    },
  },
  {
    id: 'F71',
    claim: 'a revocation while calls are in flight shows within one refresh',
    runs: 'matrix',
    async run(world) {
      const account = 'viewer@workspace.example';
      const subject = await world.connect({ account, expired: false });
      await world.provider(API, { delayMs: 400 }, { times: 1 });
      const inFlight = subject.call();
      await control(world.gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
      expect([200, 424]).toContain((await inFlight).status);
      expect((await subject.call()).status).toBe(424);
      expect(await subject.row()).toMatchObject({ status: 'reauthorization_required' });
    },
  },
  {
    id: 'F90',
    claim: 'a process that dies in mid-request costs its one caller the answer and nobody else',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      await world.provider(API, { delayMs: 800 }, { times: 1 });
      const victim = subject.call();
      await world.signalBusy('proxy', 'SIGKILL');
      expect((await victim).status).toBe(502);
      expect(await statusesOf(10, () => subject.call())).toEqual(new Set([200]));
    },
  },
  {
    id: 'F12-frozen',
    claim:
      'a process frozen in its token call holds others no longer than one lease, and finds their tokens when it wakes',
    runs: 'matrix',
    // The frozen holder loses its lease, and who takes the next one asks again.
    spareTokenCalls: 1,
    async run(world) {
      const subject = await world.connect();
      await world.provider({ origin: 'token' }, { delayMs: 600 }, { times: 1 });
      const first = subject.call();
      await until('the token call is on its way', async () => (await tokenCalls(world.gateway)).length === 1);
      const pid = await world.signalBusy('proxy', 'SIGSTOP');
      const startedMs = quietNowMs();
      expect((await subject.call()).status).toBe(200);
      expect(quietNowMs() - startedMs).toBeLessThan((SHORT_LEASE_SEC + 2) * 1000);
      process.kill(pid, 'SIGCONT');
      expect((await first).status).toBe(200);
      expect((await forceRefresh(world, subject)).status).toBe(200);
    },
  },
];

function upsertClient(world: FaultWorld, clientSecret: string): Promise<unknown> {
  return control(world.gateway, 'POST', '/clients', {
    clientId: CLIENT_ID,
    clientSecret,
    redirectUris: [`${world.gateway.gateway.gatewayUrl}/oauth/callback`],
  });
}
