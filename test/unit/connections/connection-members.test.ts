import { describe, expect, expectTypeOf, it } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import type { Feed } from '../../../lambdas/features/feeds/feed.rules.ts';
import { feedFromItem } from '../../../lambdas/features/feeds/feed.store.ts';
import type { ConnectSession } from '../../../lambdas/gateway/authorization/connect-session.rules.ts';
import { sessionFromItem } from '../../../lambdas/gateway/authorization/session.store.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { releaseLease, takeLease } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionFromItem, connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import {
  attributesOf,
  CONNECTION_MEMBERS,
  type MemberRule,
  type MemberRules,
} from '../../../lambdas/gateway/connections/connection-members.rules.ts';
import { tombstone } from '../../../lambdas/gateway/connections/connection-write.rules.ts';
import type { Whole } from '../../../lambdas/gateway/core/whole.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { integrationFromItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import type { SecretKeyRecord } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { secretKeyFromItem } from '../../../lambdas/gateway/keys/secret-key.store.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { connectionItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connection } from '../support/connection.ts';

const RULES: readonly (readonly [string, MemberRule<unknown>])[] = Object.entries(CONNECTION_MEMBERS);
const DELETED = { sequence: 9, occurredAt: '2027-02-01T00:00:00.000Z' };
/** A connection with a value in every member that goes when it is deleted. */
const FULL = connection({
  death: {
    status: 'reauthorization_required',
    cause: 'unknown',
    certain: false,
    likelyCauses: [],
    remedy: '',
    providerError: 'invalid_grant',
    since: '2027-01-15T00:00:00.000Z',
  },
  encryptedAccessToken: 'enc:access',
  encryptedRefreshToken: 'enc:refresh',
  tokenPrints: 'a.b',
  providerAccount: { subject: '1', email: 'first.user@example.com' },
  language: 'de',
  refreshLease: { owner: 'o', epoch: 2, expiresAtEpochSec: 3 },
  attemptId: 'attempt',
  attemptHash: 'hash',
  lostHash: 'lost',
  refreshRefusal: { error: 'e', sinceEpochSec: 1, count: 1, tokenEpoch: 1 },
  callFault: { status: 403, reason: 'domainPolicy', sinceEpochSec: 1 },
  expiryWarnings: 1,
  limitWarned: true,
  endUser: { id: 'u', email: null, displayName: 'First User', tags: null, organization: null },
  tags: { plan: 'pro' },
  metadata: { note: 'secret' },
  budget: { day: { calls: 1 } },
});

describe('the members of a connection', () => {
  it('CR-11: a member without a rule, or with half of one, does not compile', () => {
    type WithNew = Connection & { readonly color?: string | undefined };
    expectTypeOf(CONNECTION_MEMBERS).toExtend<MemberRules<Connection>>();
    expectTypeOf(CONNECTION_MEMBERS).not.toExtend<MemberRules<WithNew>>();
    type Rules = typeof CONNECTION_MEMBERS;
    type Both = { readonly writtenBy: readonly []; readonly deletion: 'goes' };
    expectTypeOf<Rules & { readonly color: Both }>().toExtend<MemberRules<WithNew>>();
    expectTypeOf<Rules & { readonly color: Pick<Both, 'writtenBy'> }>().not.toExtend<MemberRules<WithNew>>();
    expectTypeOf<Rules & { readonly color: Pick<Both, 'deletion'> }>().not.toExtend<MemberRules<WithNew>>();
    // What a connection always has cannot go.
    expectTypeOf<Both>().not.toExtend<MemberRule<string>>();
  });

  it('CR-11: a reader of rows that forgets an optional member does not compile', () => {
    type Row = { readonly id: string; readonly note?: string | undefined };
    expectTypeOf<{ readonly id: string }>().not.toExtend<Whole<Row>>();
    expectTypeOf<{ readonly id: string; readonly note: undefined }>().toExtend<Whole<Row>>();
    expectTypeOf<Whole<Row>>().toExtend<Row>();
    const readers = { integrationFromItem, secretKeyFromItem, sessionFromItem, feedFromItem };
    expectTypeOf(readers.integrationFromItem).returns.toEqualTypeOf<Whole<Integration>>();
    expectTypeOf(readers.secretKeyFromItem).returns.toEqualTypeOf<Whole<SecretKeyRecord>>();
    expectTypeOf(readers.sessionFromItem).returns.toEqualTypeOf<Whole<ConnectSession>>();
    expectTypeOf(readers.feedFromItem).returns.toEqualTypeOf<Whole<Feed>>();
  });

  it('CR-11: a deleted connection keeps exactly the members that stay', () => {
    const remains = tombstone(FULL, DELETED, true);
    for (const [member, { deletion }] of RULES) {
      const [before, after] = [FULL, remains].map((row): unknown => Reflect.get(row, member));
      if (deletion === 'goes') expect([member, before === undefined, after]).toEqual([member, false, undefined]);
      if (deletion === 'stays') expect([member, after]).toEqual([member, before]);
    }
    const set = { status: 'deleted', tags: {}, revocationRequested: true, epoch: FULL.epoch + 1, sequence: 9 };
    expect(remains).toMatchObject({ ...set, updatedAt: DELETED.occurredAt });
  });

  it('CR-11: no attribute of a deleted row holds what goes', () => {
    const item = connectionToItem(tombstone(FULL, DELETED, false));
    for (const [member, { deletion, storedAs = [member] }] of RULES) {
      if (deletion === 'goes') for (const name of storedAs) expect([name, item[name]]).toEqual([name, undefined]);
    }
    expect(JSON.stringify(item)).not.toMatch(/enc:|First User|secret|pro"|first\.user/);
  });

  it('CR-11: every member comes back from the attributes that it is stored in', () => {
    const item = connectionToItem(FULL);
    expect(connectionFromItem(item)).toEqual(FULL);
    for (const [member, { storedAs = [member] }] of RULES) {
      for (const name of storedAs) expect(Object.hasOwn(item, name), `${member} in ${name}`).toBe(true);
    }
  });

  it('CR-11: taking and releasing a lease write what is declared of them, and nothing else', async () => {
    const memory = new MemoryTable();
    const known = connection({ encryptedRefreshToken: 'enc:refresh', attemptHash: 'open', forcedRefreshAtEpochSec: 1 });
    memory.put(connectionToItem(known));
    const row = () => ({ ...memory.get(connectionItemKey(known)) });
    const changed = (before: Item, after: Item) =>
      [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      );
    const first = row();
    const request = { owner: 'o', attemptId: 'a', attemptHash: 'h', nowEpochSec: 10, expiresAtEpochSec: 40 };
    const taken = await takeLease(memory.table, known, { ...request, evenIfDead: false, afterRefusal: true });
    const leased = row();
    expect(changed(first, leased).sort()).toEqual([...attributesOf('leased')].sort());
    if (!taken.taken) throw new Error('The lease was not taken');
    const refusal = { error: 'e', sinceEpochSec: 1, count: 1, tokenEpoch: known.tokenEpoch };
    const next = { retryAtEpochSec: 99, failureCount: 3, answered: true, refusal };
    await releaseLease(memory.table, known, taken.lease, next);
    expect(changed(leased, row()).sort()).toEqual([...attributesOf('released')].sort());
  });

  it('CR-11: a description writes all that describes a connection', () => {
    const written = ['sequence', 'endUser', 'endUserId', 'tags', 'metadata', 'budget', 'updatedAt'];
    expect(attributesOf('described')).toEqual(written);
  });
});
