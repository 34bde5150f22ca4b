import { describe, expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { ConnectionLists } from '../../../lambdas/gateway/connections/ports.ts';
import type { ConnectionRef, IntegrationRef } from '../../../lambdas/gateway/core/identifiers.ts';
import type { DelegatedDomain } from '../../../lambdas/gateway/tokens/delegation.rules.ts';
import { type AskDomainsDependencies, askDomains } from '../../../lambdas/refresh/ask-domains.ts';
import { connection, integration, START_SEC } from './support/connection.ts';

const UNTIL_MS = START_SEC * 1000 + 60_000;

function lost(domain: string, askedForConnectionId: string | undefined): DelegatedDomain {
  return {
    accountId: 'default',
    integrationId: 'drive',
    domain,
    status: 'lost',
    sinceEpochSec: START_SEC - 3600,
    probeAtEpochSec: START_SEC - 1,
    lookUntilEpochSec: START_SEC + 1,
    askedForConnectionId,
    organizationId: undefined,
    checkedAtEpochSec: undefined,
  };
}

function userOf(connectionId: string, email: string, changes: Partial<Connection> = {}): Connection {
  return connection({ connectionId, delegated: true, providerAccount: { subject: email, email }, ...changes });
}

/** What a tick does about domains, where these users are connected. */
function world(domains: readonly DelegatedDomain[], rows: readonly Connection[]) {
  const asked: string[] = [];
  const claimed: [string, number, string][] = [];
  const rested: string[] = [];
  const metrics: string[] = [];
  const logged: unknown[][] = [];
  const read: unknown[] = [];
  const refreshes: unknown[] = [];
  const looked: unknown[][] = [];
  const script = {
    hasIntegration: true,
    isFree: true,
    fails: '',
    nowMs: START_SEC * 1000,
    /** Connections that a page of an integration's list has. */
    pageSize: Number.POSITIVE_INFINITY,
  };
  const deps: AskDomainsDependencies = {
    delegatedDomains: fake({
      due: async () => domains,
      claimProbe: async ({ domain }: DelegatedDomain, next: number, connectionId: string) => {
        claimed.push([domain, next, connectionId]);
        return script.isFree;
      },
      rest: async ({ domain }: DelegatedDomain) => void rested.push(domain),
    }),
    connections: fake({
      read: async (ref: ConnectionRef) => rows.find(({ connectionId }) => connectionId === ref.connectionId),
    }),
    integrations: fake({
      get: async (ref: IntegrationRef) => {
        read.push(ref);
        return script.hasIntegration ? integration() : undefined;
      },
    }),
    lists: fake({
      page: async (...[accountId, filters, search, { after = '0', ...how }]: Parameters<ConnectionLists['page']>) => {
        looked.push([accountId, filters, search, after, how]);
        const end = Number(after) + script.pageSize;
        const refs = rows.slice(Number(after), end).map((row) => ({ ...row, position: row.connectionId }));
        return { refs, next: end < rows.length ? `${end}` : undefined };
      },
    }),
    refresher: fake({
      refresh: async ({ connectionId }: Connection, _: unknown, options: unknown) => {
        refreshes.push(options);
        if (connectionId === script.fails) throw new Error('no table');
        asked.push(connectionId);
        return { kind: 'gone' };
      },
    }),
    clock: { nowMs: () => script.nowMs },
    metrics: { count: (name) => void metrics.push(name) },
    logger: {
      info: () => {},
      warn: () => {},
      error: (message, fields, error) => void logged.push([message, fields, Object(error).message]),
    },
  };
  const run = () => askDomains(deps, UNTIL_MS, 'tick');
  return { deps, asked, claimed, rested, metrics, logged, read, refreshes, looked, script, run };
}

describe('domains that are due', () => {
  const EDITOR = userOf('editor', 'editor@one.example');
  const VIEWER = userOf('viewer', 'viewer@one.example');
  const OTHER = userOf('other', 'other@two.example');

  test('domains that are due are each asked for the user who was asked for last', async () => {
    const { run, asked, read, looked } = world(
      [lost('one.example', 'viewer'), lost('two.example', 'other')],
      [EDITOR, VIEWER, OTHER],
    );
    expect(await run()).toBe(2);
    expect(asked).toEqual(['viewer', 'other']);
    expect(read).toEqual(Array(2).fill({ accountId: 'default', integrationId: 'drive' }));
    expect(looked).toEqual([]);
  });

  test('SA-23: domains that are due are asked for in any case, without waiting for anybody, in the time that the tick has', async () => {
    const { run, refreshes, script } = world([lost('one.example', 'editor')], [EDITOR]);
    const said = { wait: false, force: true, requestId: 'tick' };
    await run();
    script.nowMs = UNTIL_MS - 5_000;
    await run();
    // What is begun has a second.
    script.nowMs = UNTIL_MS - 1;
    await run();
    expect(refreshes).toEqual([60_000, 5_000, 1_000].map((budgetMs) => ({ ...said, budgetMs })));
  });

  test('domains that are due have a user looked for among the newest of the integration, in five pages at most', async () => {
    const strangers = Array.from({ length: 6 }, (_, n) => userOf(`other-${n}`, `other-${n}@two.example`));
    const found = world([lost('one.example', undefined)], [...strangers.slice(0, 4), EDITOR, OTHER]);
    found.script.pageSize = 1;
    expect(await found.run()).toBe(1);
    expect(found.looked).toEqual(
      ['0', '1', '2', '3', '4'].map((after) => [
        'default',
        [{ kind: 'INTEGRATION', value: 'drive' }],
        undefined,
        after,
        { order: 'newest', count: 100 },
      ]),
    );
    const tooFar = world([lost('one.example', undefined)], [...strangers.slice(0, 5), EDITOR]);
    tooFar.script.pageSize = 1;
    expect([await tooFar.run(), tooFar.looked.length, tooFar.rested]).toEqual([0, 5, ['one.example']]);
  });

  test('domains that are due are asked for by anyone who takes their turn, which comes again in ten minutes', async () => {
    const { run, asked, claimed, script } = world([lost('one.example', 'editor')], [EDITOR]);
    script.isFree = false;
    expect([await run(), asked, claimed]).toEqual([0, [], [['one.example', START_SEC + 600, 'editor']]]);
  });

  test('SA-23: domains that are due and that work are asked for every hour', async () => {
    const { run, asked, claimed } = world([{ ...lost('one.example', 'editor'), status: 'granted' }], [EDITOR]);
    expect([await run(), asked, claimed]).toEqual([1, ['editor'], [['one.example', START_SEC + 3600, 'editor']]]);
  });

  test('SA-25: domains that are due and that work rest once nobody has called for a week', async () => {
    const quiet = { ...lost('one.example', 'editor'), status: 'granted' as const };
    const { run, asked, rested } = world([{ ...quiet, lookUntilEpochSec: START_SEC }], [EDITOR]);
    expect([await run(), asked, rested]).toEqual([0, [], ['one.example']]);
  });

  test.each<[string, Connection[]]>([
    ['deleted', [OTHER, EDITOR, userOf('viewer', '', { status: 'deleted', providerAccount: undefined })]],
    ['gone', [OTHER, EDITOR]],
    ['refused by themselves', [userOf('viewer', 'viewer@one.example', { status: 'reauthorization_required' }), EDITOR]],
  ])('domains that are due are asked for another user of the same domain where that one is %s', async (_, rows) => {
    const { run, asked } = world([lost('one.example', 'viewer')], rows);
    await run();
    expect(asked).toEqual(['editor']);
  });

  test('domains that are due rest where nobody of them is connected', async () => {
    const { run, asked, rested } = world([lost('one.example', undefined)], [OTHER]);
    expect(await run()).toBe(0);
    expect([asked, rested]).toEqual([[], ['one.example']]);
  });

  test('domains that are due rest where their integration is gone', async () => {
    const { run, rested, looked, script } = world([lost('one.example', 'editor')], [EDITOR]);
    script.hasIntegration = false;
    expect([await run(), rested, looked]).toEqual([0, ['one.example'], []]);
  });

  test('domains that are due do not hold each other up', async () => {
    const { run, asked, metrics, logged, script } = world(
      [lost('one.example', 'viewer'), lost('two.example', 'other')],
      [EDITOR, VIEWER, OTHER],
    );
    script.fails = 'viewer';
    expect(await run()).toBe(1);
    expect([asked, metrics]).toEqual([['other'], ['SweepItemFailed']]);
    expect(logged).toEqual([['a domain could not be asked for', { requestId: 'tick' }, 'no table']]);
  });

  test('domains that are due wait for the next tick where the time is up', async () => {
    const { run, asked, script } = world([lost('one.example', 'editor')], [EDITOR]);
    script.nowMs = UNTIL_MS;
    expect([await run(), asked]).toEqual([0, []]);
  });
});
