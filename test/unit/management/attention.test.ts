import { describe, expect, it } from 'vitest';
import { type Feed, newProgress } from '../../../lambdas/features/feeds/feed.rules.ts';
import { feedToItem } from '../../../lambdas/features/feeds/feed.store.ts';
import { parseFeedResource } from '../../../lambdas/features/feeds/feed-resource.rules.ts';
import { webhookItemKey } from '../../../lambdas/features/webhooks/keys.store.ts';
import type { Webhook } from '../../../lambdas/features/webhooks/webhook.rules.ts';
import { thresholdReporter } from '../../../lambdas/gateway/calls/report-threshold.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { newItemWriter } from '../../../lambdas/gateway/events/event.store.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { delegation } from '../refresh/support/delegation.ts';
import { COUNTED_AT, count, TODAY } from './support/count.ts';
import { type ManagementGateway, managementGateway, member, secretKey } from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const iso = (epochSec: number) => new Date(epochSec * 1000).toISOString();

async function overviewOf(gateway: ManagementGateway, key?: string): Promise<unknown> {
  const reply = await gateway.call('GET', '/overview', key === undefined ? {} : { key });
  expect(reply.status).toBe(200);
  return member(reply.body, 'data');
}

async function attentionOf(gateway: ManagementGateway, key?: string): Promise<readonly unknown[]> {
  const attention = member(await overviewOf(gateway, key), 'attention');
  if (!Array.isArray(attention)) throw new Error('There is no list');
  return attention;
}

function dead(cause: typeof DEATH.cause, sinceEpochSec: number) {
  return { status: 'reauthorization_required', death: { ...DEATH, cause, since: iso(sinceEpochSec) } } as const;
}

const FAULT = { error: 'invalid_client', sinceEpochSec: COUNTED_AT - 7200, retryAtEpochSec: COUNTED_AT };

function addWebhook(gateway: ManagementGateway, fields: Partial<Webhook>): void {
  const webhook: Webhook = {
    accountId: 'default',
    webhookId: 'wh_1',
    url: 'https://hooks.example.com/gateway',
    description: undefined,
    types: undefined,
    integrationIds: undefined,
    status: 'enabled',
    disabledBecause: undefined,
    disabledAtEpochSec: undefined,
    enabledAtEpochSec: COUNTED_AT - 7200,
    encryptedSecret: 'secret',
    encryptedPreviousSecret: undefined,
    previousSecretUntilEpochSec: undefined,
    lastSuccessAtEpochSec: undefined,
    failuresInARow: 0,
    restUntilEpochSec: undefined,
    version: 1,
    createdAt: iso(COUNTED_AT - 7200),
    updatedAt: iso(COUNTED_AT - 7200),
    ...fields,
  };
  gateway.memory.put({ ...webhookItemKey('default', webhook.webhookId), type: 'webhook', ...webhook });
}

function addFeed(gateway: ManagementGateway, name: string, progress: Partial<Feed>): void {
  const resource = parseFeedResource('drive');
  if (resource === undefined) throw new Error('No resource');
  const feed: Feed = {
    ...newProgress(COUNTED_AT),
    delivery: 'bus',
    safetyIntervalSec: 6 * 3600,
    pollIntervalSec: 300,
    meaning: false,
    seen: false,
    reminders: [],
    accountId: 'default',
    feedId: `01JN8Z4H9V6Q3W2X1Y0ZABCDE${name}`,
    connection: { accountId: 'default', integrationId: 'drive', connectionId: 'c-1' },
    endUserId: undefined,
    resource,
    epoch: 0,
    lease: undefined,
    createdAt: iso(COUNTED_AT),
    ...progress,
  };
  gateway.memory.put(feedToItem(feed));
}

/** Reports a share of a day as calls do. */
async function reportShare(
  gateway: ManagementGateway,
  type: 'BudgetReached' | 'QuotaReached',
  subject: Parameters<typeof newEvent>[3]['subject'],
  says: Record<string, string>,
): Promise<void> {
  const { clock, random } = gateway.services;
  const event = newEvent(clock, random, type, { subject, sequence: 0, says, requestId: 'r' });
  const mark = { accountId: 'default', what: JSON.stringify([subject, says]), day: TODAY, percent: 80 } as const;
  await thresholdReporter(newItemWriter(gateway.memory.table)).report(
    { ...mark, goneAfterEpochSec: COUNTED_AT * 2 },
    event,
  );
}

describe('what needs attention', () => {
  it('reports budgets and quotas of the day from 80 % on, the last share of each, and of none whose day is over', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ budget: { day: { units: 1000 }, whenSpent: 'warn' } });
    count(gateway);
    const account = { accountId: 'default' };
    const drive = { ...account, integrationId: 'drive' };
    const tomorrow = iso(COUNTED_AT + 24 * 3600);
    const budget = { budget: 'integration.day.units', most: '1000', when_spent: 'warn', resets_at: tomorrow };
    await reportShare(gateway, 'BudgetReached', drive, { ...budget, percent: '50', used: '500' });
    expect(await attentionOf(gateway)).toEqual([]);
    await reportShare(gateway, 'BudgetReached', drive, { ...budget, percent: '100', used: '1001' });
    await reportShare(gateway, 'BudgetReached', drive, { ...budget, percent: '80', used: '801' });
    const over = { percent: '100', used: '9', resets_at: iso(COUNTED_AT - 1) };
    await reportShare(gateway, 'BudgetReached', drive, { ...budget, ...over, budget: 'integration.day.calls' });
    const spent = { budget: 'connection.day.calls', percent: '100', used: '2', most: '2', when_spent: 'stop' };
    for (const connectionId of ['a', 'b']) {
      await reportShare(gateway, 'BudgetReached', { ...drive, connectionId }, { ...spent, resets_at: tomorrow });
    }
    const quota = {
      provider: 'google-drive',
      cloud_project: '1234',
      quota: 'units',
      percent: '80',
      used: '8',
      most: '10',
    };
    await reportShare(gateway, 'QuotaReached', account, { ...quota, resets_at: tomorrow });
    const limits = { v: 1, mode: 'observe', day: { bytes: 10 } } as const;
    gateway.addKey(secretKey('export'), { name: 'Nightly export', right: 'proxy', limits });
    const ofKey = {
      key_id: sha256Hex(secretKey('export')).slice(0, 12),
      percent: '80',
      used: '8',
      most: '10',
      when_spent: 'observe',
    };
    await reportShare(gateway, 'BudgetReached', account, { ...ofKey, budget: 'key.day.bytes', resets_at: tomorrow });
    const rows = await attentionOf(gateway);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({
      kind: 'budget',
      severity: 'error',
      title: '2 connections of Google Drive have used all of their budget of the day: calls',
      explanation: 'Calls that no longer fit are refused until the day is over.',
      count: 2,
      provider_config_key: 'drive',
      reason: 'connection.day.calls',
      id: null,
    });
    for (const row of [
      {
        title: 'Google Drive has used all of the budget of the day: units of Google’s quotas',
        explanation: expect.stringMatching(/^1,001 of 1,000 .*Calls continue/),
      },
      { title: expect.stringMatching(/^Cloud project 1234 has used 80 % /), id: '1234', reason: 'quota.units' },
      { title: expect.stringMatching(/^The secret key Nightly export has used 80 %/), id: ofKey.key_id },
    ]) {
      expect(rows.slice(1)).toContainEqual(expect.objectContaining({ kind: 'budget', severity: 'warning', ...row }));
    }
    gateway.addIntegration({ budget: { day: { units: 5000 }, whenSpent: 'warn' } });
    expect(await attentionOf(gateway)).toHaveLength(3);
  });

  it('reports no budget beyond what a key reaches', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ budget: { day: { units: 1 }, whenSpent: 'stop' } });
    const limited = gateway.addKey(secretKey('limited'), { right: 'read', integrationIds: ['other'] });
    const says = { budget: 'integration.day.units', percent: '100', used: '1', most: '1', when_spent: 'stop' };
    const subject = { accountId: 'default', integrationId: 'drive' };
    await reportShare(gateway, 'BudgetReached', subject, { ...says, resets_at: iso(COUNTED_AT + 24 * 3600) });
    expect(await attentionOf(gateway)).toHaveLength(1);
    expect(await attentionOf(gateway, limited)).toEqual([]);
  });

  it('what needs attention is nothing where everything works', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({});
    await gateway.addConnection({ connectionId: 'a' });
    count(gateway);
    expect(await attentionOf(gateway)).toEqual([]);
  });

  it('shows twelve deaths of an app in Testing as one row, with the steps in their order and a warning of the next deaths', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ publishingStatus: 'testing', audience: 'external' });
    for (let i = 0; i < 12; i++) {
      await gateway.addConnection({ connectionId: `c${i}`, ...dead('testing_mode_expired', COUNTED_AT - 600 + i) });
    }
    count(gateway);
    expect(await attentionOf(gateway)).toEqual([
      expect.objectContaining({
        kind: 'incident',
        severity: 'error',
        title: '12 connections of Google Drive need a new authorization',
        explanation: expect.stringMatching(/^Probably: The app is External and in Testing/),
        who: 'developer',
        steps: [expect.stringMatching(/^Publish the app/), 'Create 12 reconnect links and send each to its user.'],
        warning: expect.stringContaining('still in Testing'),
        since: iso(COUNTED_AT - 600),
        until: iso(COUNTED_AT - 589),
        count: 12,
        total: 12,
        provider_config_key: 'drive',
        state: 'dead',
        reason: 'testing_mode_expired',
      }),
    ]);
    gateway.addIntegration({ publishingStatus: 'production' });
    expect(await attentionOf(gateway)).toMatchObject([
      { warning: null, steps: [/published/, /12/].map((text) => expect.stringMatching(text)) },
    ]);
  });

  it('sends no reconnect link to users of a service account, and says who can bring each one back', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ delegation: delegation() });
    await gateway.addConnection({
      connectionId: 'c1',
      delegated: true,
      ...dead('account_unavailable', COUNTED_AT - 600),
    });
    count(gateway);
    expect(await attentionOf(gateway)).toMatchObject([
      {
        who: 'workspace_admin',
        explanation: expect.stringContaining('deleted or suspended in their domain'),
        steps: [expect.stringContaining('have the administrator restore the user')],
      },
    ]);
  });

  it('the list drops connections that came back since the count', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ publishingStatus: 'production' });
    for (const connectionId of ['a', 'b', 'c']) {
      await gateway.addConnection({ connectionId, ...dead('user_revoked', COUNTED_AT - 600) });
    }
    count(gateway);
    const back = (mended: number) => {
      gateway.changes[0] = { day: TODAY, integrationId: 'drive', counts: { 'mended.user_revoked': mended } };
    };
    back(1);
    expect(await attentionOf(gateway)).toMatchObject([{ count: 2, total: 2 }]);
    back(3);
    expect(await attentionOf(gateway)).toEqual([]);
  });

  it('says of failing calls and of tokens that are not renewed who can fix them, each connection once', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ publishingStatus: 'production' });
    const callFault = { status: 403, reason: 'domainPolicy', sinceEpochSec: COUNTED_AT - 60 };
    const told = { count: 3, tokenEpoch: 1, toldAtEpochSec: COUNTED_AT };
    const refreshRefusal = { error: 'unauthorized_client', sinceEpochSec: COUNTED_AT - 90, ...told };
    await gateway.addConnection({ connectionId: 'a', callFault });
    await gateway.addConnection({ connectionId: 'b', callFault, refreshRefusal });
    await gateway.addConnection({ connectionId: 'c' });
    count(gateway);
    const overview = await overviewOf(gateway);
    expect(member(overview, 'health')).toEqual({
      working: 1,
      failing: 1,
      refused_by_provider: 1,
      client_refused: 0,
      dead: 0,
    });
    expect(member(overview, 'attention')).toMatchObject([
      { state: 'failing', reason: 'domainPolicy', who: 'workspace_admin', count: 1, since: iso(COUNTED_AT - 60) },
      { state: 'refused_by_provider', reason: 'unauthorized_client', who: 'developer', count: 1 },
    ]);
  });

  it('counts no connection of a refused client as working, and names the client before everything else', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ clientFault: FAULT });
    gateway.addIntegration({ integrationId: 'calendar', displayName: 'Calendar', publishingStatus: 'production' });
    for (const connectionId of ['a', 'b']) await gateway.addConnection({ connectionId });
    await gateway.addConnection({ connectionId: 'c', integrationId: 'calendar' });
    await gateway.addConnection({ connectionId: 'd', integrationId: 'calendar', ...dead('user_revoked', COUNTED_AT) });
    count(gateway);
    gateway.changes.push({ day: TODAY, integrationId: 'calendar', counts: { 'died.user_revoked': 1 } });
    count(gateway);
    expect(await overviewOf(gateway)).toMatchObject({
      statuses: { active: 3, reauthorization_required: 1 },
      health: { working: 1, failing: 0, refused_by_provider: 0, client_refused: 2, dead: 1 },
      by_integration: [
        { unique_key: 'calendar', display_name: 'Calendar', working: 1, client_refused: 0, dead: 1, week: { died: 1 } },
        { unique_key: 'drive', working: 0, client_refused: 2, dead: 0, week: { died: 0 } },
      ],
      attention: [
        { kind: 'client', count: 2, provider_config_key: 'drive', reason: 'invalid_client' },
        { kind: 'incident', count: 1, provider_config_key: 'calendar' },
      ],
    });
  });

  it('what needs attention has webhooks that fail or were disabled for it, with the words for their owner, and none that somebody disabled', async () => {
    const gateway = managementGateway();
    const failing = { failuresInARow: 7, lastSuccessAtEpochSec: COUNTED_AT - 3600 };
    const disabled = { status: 'disabled', disabledAtEpochSec: COUNTED_AT - 60 } as const;
    addWebhook(gateway, { webhookId: 'wh_1', ...failing });
    addWebhook(gateway, { webhookId: 'wh_2', ...disabled, disabledBecause: 'gone' });
    addWebhook(gateway, { webhookId: 'wh_3', ...disabled, disabledBecause: 'requested' });
    addWebhook(gateway, { webhookId: 'wh_4' });
    expect(await attentionOf(gateway)).toMatchObject([
      { kind: 'webhook', id: 'wh_2', title: 'The webhook to hooks.example.com is disabled: it answered 410 Gone' },
      {
        kind: 'webhook',
        id: 'wh_1',
        title: expect.stringContaining('7 attempts in a row'),
        since: iso(COUNTED_AT - 3600),
      },
    ]);
  });

  it('what needs attention has feeds that Google refuses or that nobody pulls, by integration and reason, and none that waits or whose connection is dead', async () => {
    const gateway = managementGateway();
    const now = gateway.clock.nowEpochSec();
    const refused = { state: 'failing', reason: 'resource_refused', refusedSinceEpochSec: now - 90_000 } as const;
    addFeed(gateway, 'A', refused);
    addFeed(gateway, 'B', { ...refused, refusedSinceEpochSec: now - 95_000 });
    addFeed(gateway, 'C', { state: 'watching', pullAtEpochSec: now - 2 * 3600, watchAtEpochSec: now - 2 * 3600 });
    addFeed(gateway, 'D', { state: 'polling', pullAtEpochSec: now - 60, watchAtEpochSec: now - 60 });
    addFeed(gateway, 'E', { state: 'paused', pullAtEpochSec: 0, watchAtEpochSec: 0 });
    const rows = [
      { kind: 'feed', title: '1 feed is behind', reason: 'overdue', since: iso(now - 2 * 3600) },
      { kind: 'feed', title: '2 feeds fail', count: 2, reason: 'resource_refused', since: iso(now - 95_000), id: null },
    ];
    expect(await attentionOf(gateway)).toMatchObject(rows);
  });

  it('what needs attention has keys that nobody uses for callers that may change the account, and for no others', async () => {
    const gateway = managementGateway();
    const made = { createdAt: '2025-10-01T00:00:00.000Z', lastUsedAtEpochSec: COUNTED_AT - 100 * 86_400 };
    gateway.addKey(secretKey('forgotten'), { ...made, name: 'Forgotten' });
    gateway.addKey(secretKey('revoked'), { ...made, revokedAt: '2026-01-01T00:00:00.000Z' });
    const limited = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    const read = gateway.addKey(secretKey('read'), { right: 'read' });
    expect(await attentionOf(gateway)).toMatchObject([
      {
        kind: 'key',
        severity: 'warning',
        title: expect.stringContaining('Forgotten'),
        since: iso(made.lastUsedAtEpochSec),
      },
    ]);
    for (const key of [limited, read]) expect(await attentionOf(gateway, key)).toEqual([]);
  });

  it('what needs attention of other integrations is not for a key that is limited to some', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ publishingStatus: 'production' });
    gateway.addIntegration({ integrationId: 'calendar', clientFault: FAULT });
    await gateway.addConnection({ connectionId: 'a', ...dead('user_revoked', COUNTED_AT) });
    await gateway.addConnection({ connectionId: 'b', integrationId: 'calendar' });
    count(gateway);
    const limited = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    expect(await attentionOf(gateway, limited)).toMatchObject([{ kind: 'incident', provider_config_key: 'drive' }]);
    expect(await attentionOf(gateway)).toHaveLength(2);
  });
});
