import { describe, expect, it } from 'vitest';
import { findConnection } from '../../../lambdas/gateway/connections/find-connection.ts';
import {
  confirmationHandle,
  type UnconfirmedGrant,
} from '../../../lambdas/gateway/connections/unconfirmed-grant.rules.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { endUnconfirmed } from '../../../lambdas/gateway/tokens/end-unconfirmed.ts';
import { answered, integratedGateway, type ManagementGateway, member } from './support/gateway.ts';
import { connectionRow } from './support/rows.ts';

const CREATED = '2026-03-01T11:50:00.000Z';

/** A gateway that holds grants which wait for their confirmation, each with its session, for the user u-1. */
async function gatewayWith(...connectionIds: readonly string[]) {
  return gatewayOf(connectionIds, false);
}

async function gatewayOf(connectionIds: readonly string[], isReconnect: boolean) {
  const gateway = integratedGateway();
  const { random, sessions, unconfirmed } = gateway.services;
  const waiting: { readonly handle: string; readonly grant: UnconfirmedGrant }[] = [];
  for (const connectionId of connectionIds) {
    const row = await connectionRow({ connectionId });
    const sessionHash = sha256Hex(`cs_${connectionId}`);
    const handle = confirmationHandle(sessionHash, new Uint8Array(32).fill(7));
    const ref = { accountId: 'default', integrationId: 'drive', connectionId };
    const endUser = { id: 'u-1', email: null, displayName: null, tags: null, organization: null };
    const confirmUntilEpochSec = gateway.clock.nowEpochSec() + 900;
    const asked = { sessionHash, endUser, tags: {}, allowAccountChange: false, confirmUntilEpochSec };
    const grant: UnconfirmedGrant = {
      ...asked,
      ref,
      isReconnect,
      grant: {
        ...row,
        encryptedAccessToken: row.encryptedAccessToken ?? '',
        encryptedRefreshToken: row.encryptedRefreshToken ?? '',
        providerAccount: { subject: 'the-account', email: 'first.user@example.com' },
        consentedAtEpochSec: gateway.clock.nowEpochSec(),
        testingAtConsent: false,
        language: 'ja',
      },
      numericId: 1,
      failureCount: 0,
    };
    const outcome = { integrationId: 'drive', connectionId, errorType: undefined, message: undefined };
    const facts = { subject: ref, sequence: 1, requestId: 'r' };
    const event = () => newEvent(gateway.clock, random, 'ConnectionConfirmationPending', facts);
    const session = {
      ...asked,
      accountId: 'default',
      allowedIntegrations: ['drive'],
      defaults: {},
      reconnect: undefined,
      reusable: isReconnect ? [{ integrationId: 'drive', connectionId }] : undefined,
      returnUrl: undefined,
      confirm: true,
      status: 'authorizing',
      outcome: undefined,
      browserHash: undefined,
      createdAtEpochSec: Date.parse(CREATED) / 1000,
      expiresAtEpochSec: gateway.clock.nowEpochSec() + 1800,
    } as const;
    await sessions.create(session, event());
    await unconfirmed.save(grant, { outcome, confirmationHash: sha256Hex(handle) }, event());
    gateway.events.forget();
    waiting.push({ handle, grant });
  }
  const [one] = waiting;
  if (one === undefined) throw new Error('None was to wait');
  return { gateway, waiting, ...one };
}

const confirm = (gateway: ManagementGateway, handle: string, endUserId = 'u-1') =>
  gateway.call('POST', '/connect/sessions/confirm', { body: { handle, end_user_id: endUserId } });

const types = (gateway: ManagementGateway) => gateway.events.all.map(({ eventType, cause }) => [eventType, cause]);

describe('confirming who came back (CS-15)', () => {
  it('CS-15: reauthorizes the dead connection that a plain session came back to', async () => {
    const { gateway, handle } = await gatewayOf(['one'], true);
    await gateway.addConnection({
      connectionId: 'one',
      status: 'reauthorization_required',
      providerAccount: { subject: 'the-account', email: null },
    });
    const confirmed = await confirm(gateway, handle);
    expect(confirmed).toMatchObject({ status: 200, body: { data: { connection_id: 'one', is_reconnect: true } } });
    expect([...gateway.connections.values()]).toMatchObject([{ connectionId: 'one', status: 'active' }]);
  });

  it('CS-15: a connection that waits for confirmation is not refreshed, is in no list and returns no token', async () => {
    const { gateway, handle, grant } = await gatewayWith('one');
    const shown = () => gateway.call('GET', '/connections/one?provider_config_key=drive');
    const listed = async () => member((await gateway.call('GET', '/connections')).body, 'connections');
    const found = () => findConnection(gateway.services, grant.ref);
    await expect(found()).rejects.toMatchObject({ code: 'confirmation_required', status: 409 });
    for (const action of ['refresh', 'check']) {
      const path = `/connections/one/${action}?provider_config_key=drive`;
      expect(await gateway.call('POST', path)).toMatchObject({ status: 409, code: 'confirmation_required' });
    }
    expect(await listed()).toEqual([]);
    expect((await shown()).body).toMatchObject({ status: 'pending_confirmation', credentials: {} });
    await confirm(gateway, handle);
    expect(await found()).toMatchObject({ connection: { connectionId: 'one', status: 'active' } });
    expect(await listed()).toMatchObject([{ connection_id: 'one' }]);
  });

  it('CS-15: makes the grant a connection once, with its tokens as they were', async () => {
    const { gateway, handle, grant } = await gatewayWith('one');
    expect(await confirm(gateway, handle)).toMatchObject({ status: 200, body: { data: { connection_id: 'one' } } });
    const { encryptedRefreshToken } = grant.grant;
    expect([...gateway.connections.values()]).toMatchObject([
      { status: 'active', encryptedRefreshToken, language: 'ja' },
    ]);
    expect(gateway.unconfirmed.size).toBe(0);
    expect(types(gateway)).toEqual([['ConnectionCreated', undefined]]);
    expect((await confirm(gateway, handle)).status).toBe(409);
    expect(gateway.connections.size).toBe(1);
  });

  it('CS-15: confirming who came back by another user ends the grant at once and makes nothing', async () => {
    const { gateway, handle } = await gatewayWith('one');
    expect((await confirm(gateway, handle, 'u-2')).status).toBe(409);
    expect(gateway.connections.size).toBe(0);
    expect(gateway.tokenCalls).toEqual([{ kind: 'revoke', token: 'refresh-of-one' }]);
    expect(types(gateway)).toEqual([
      ['ConnectionNotConfirmed', 'other_end_user'],
      ['ConnectionGrantRevoked', 'revoked'],
    ]);
    expect((await confirm(gateway, handle)).status).toBe(404);
  });

  it('CS-15: counts for 15 minutes, and no text that is none of its handles counts', async () => {
    const { gateway, handle } = await gatewayWith('one');
    expect((await confirm(gateway, 'cf_nonsense')).status).toBe(400);
    const other = confirmationHandle(sha256Hex('cs_one'), new Uint8Array(32).fill(8));
    expect((await confirm(gateway, other)).status).toBe(404);
    gateway.clock.advanceSec(900);
    expect((await confirm(gateway, handle)).status).toBe(404);
    expect(gateway.connections.size).toBe(0);
    expect(gateway.tokenCalls).toEqual([]);
  });

  it('CS-15: ends the grant where the integration was removed meanwhile', async () => {
    const { gateway, handle } = await gatewayWith('one');
    gateway.integrations.clear();
    expect((await confirm(gateway, handle)).status).toBe(404);
    expect(types(gateway)[0]).toEqual(['ConnectionNotConfirmed', 'integration_gone']);
    expect(gateway.unconfirmed.size).toBe(0);
  });

  it('CS-15: a confirmation does nothing when its event cannot be written', async () => {
    const { gateway, handle } = await gatewayWith('one');
    gateway.events.failing = true;
    expect((await confirm(gateway, handle, 'u-2')).status).toBe(500);
    expect(gateway.tokenCalls).toEqual([]);
  });
});

describe('ending what nobody confirms (CS-15)', () => {
  const end = (gateway: ManagementGateway, grant: UnconfirmedGrant) =>
    endUnconfirmed(gateway.services, grant, 'not_confirmed_in_time', { requestId: 'r' });

  it('CS-15: leaves the provider’s grant while another of the account can still be confirmed, and revokes the last', async () => {
    const { gateway, waiting } = await gatewayWith('one', 'two');
    const ended = [];
    for (const { grant } of waiting) ended.push(await end(gateway, grant));
    const skipped = { status: 'skipped', reason: 'grant_is_shared', sharing: 1 };
    expect(ended).toMatchObject([skipped, { status: 'revoked' }]);
    expect(gateway.tokenCalls).toEqual([{ kind: 'revoke', token: 'refresh-of-two' }]);
  });

  it('CS-15: one whose time is over shields no other', async () => {
    const { gateway, waiting } = await gatewayWith('one', 'two');
    gateway.clock.advanceSec(900);
    for (const { grant } of waiting) await end(gateway, grant);
    expect(gateway.tokenCalls).toHaveLength(2);
  });

  it('CS-15: shows who was faster by saying nothing, and keeps pending what the provider does not take', async () => {
    const { gateway, grant } = await gatewayWith('one');
    gateway.tokenAnswers.revoke = answered(503, {});
    expect(await end(gateway, grant)).toMatchObject({ status: 'pending' });
    expect(gateway.pending.size).toBe(1);
    expect(await end(gateway, grant)).toBeUndefined();
  });

  it('CS-15: waits for a revocation of the same connection that is not done yet, and says so', async () => {
    const { gateway, grant } = await gatewayWith('one');
    const closed: unknown[][] = [];
    const { unconfirmed } = gateway.services;
    const services = {
      ...gateway.services,
      unconfirmed: {
        ...unconfirmed,
        end: async () => 'revocation_pending' as const,
        close: async (...told: unknown[]) => void closed.push(told),
      },
    };
    const report = await endUnconfirmed(services, grant, 'withdrawn', { requestId: 'r' });
    const retryAtEpochSec = gateway.clock.nowEpochSec() + 300;
    expect(report).toMatchObject({ status: 'pending', reason: 'another_revocation_pending', retryAtEpochSec });
    expect(closed).toEqual([[grant, retryAtEpochSec]]);
    expect(gateway.tokenCalls).toEqual([]);
  });

  it('CS-15: leaves the provider’s grant while a connection of the account lives by it', async () => {
    const { gateway, grant } = await gatewayWith('one');
    const { clientId, providerAccount } = grant.grant;
    await gateway.addConnection({ connectionId: 'alive', clientId, providerAccount });
    expect(await end(gateway, grant)).toMatchObject({ status: 'skipped', reason: 'grant_is_shared', sharing: 1 });
    expect(gateway.tokenCalls).toEqual([]);
  });

  it('CS-15: ends a grant that is for no user in particular', async () => {
    const { gateway, grant } = await gatewayWith('one');
    expect(await end(gateway, { ...grant, endUser: undefined })).toMatchObject({ status: 'revoked' });
  });
});
