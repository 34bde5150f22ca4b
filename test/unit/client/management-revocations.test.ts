import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { GatewayClient } from '../../../client/src/index.ts';
import { managementCall } from './management-answers.ts';
import { json, type Stub, startStub } from './stub.ts';

let stub: Stub;
let client: GatewayClient;
beforeAll(async () => {
  stub = await startStub();
  client = stub.client();
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.arrived.length = 0;
});

const ON_THE_WIRE = {
  provider_config_key: 'drive',
  connection_id: 'c-1',
  requested_at: '2026-10-01T00:00:00.000Z',
  retry_at: '2026-10-01T00:00:30.000Z',
  failed_attempts: 2,
};

it('pending revocations are counted, and the oldest shown', async () => {
  stub.answer(json(200, { data: { pending: 7, complete: true, oldest: [ON_THE_WIRE] } }));
  expect(await client.revocations.pending({ integrationId: ['drive', 'calendar'], limit: 1 })).toEqual({
    pending: 7,
    complete: true,
    oldest: [
      {
        providerConfigKey: 'drive',
        connectionId: 'c-1',
        requestedAt: '2026-10-01T00:00:00.000Z',
        retryAt: '2026-10-01T00:00:30.000Z',
        failedAttempts: 2,
      },
    ],
  });
  expect(managementCall(stub)).toEqual(['GET', '/revocations?integrationId=drive%2Ccalendar&limit=1', undefined]);
});
