import { expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { SearchWalk } from '../../../lambdas/gateway/connections/ports.ts';
import { SEARCH_CHECK_REST_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { AuditWalk } from '../../../lambdas/gateway/events/audit-walk.rules.ts';
import type { AuditUpkeep } from '../../../lambdas/gateway/events/ports.ts';
import { keepAuditComplete, keepSearchComplete } from '../../../lambdas/refresh/housekeeping.ts';
import { START_SEC } from './support/connection.ts';

/** One tick after a walk that was left so: what it continued with, and what it logged. */
async function tick(known: SearchWalk | undefined, goOn = async () => ({ added: 0, isEnd: true })) {
  const walked: unknown[][] = [];
  const logged: unknown[][] = [];
  const upkeep = {
    read: async () => known,
    goOn: (...args: unknown[]) => {
      walked.push(args);
      return goOn();
    },
  };
  const log = (...line: unknown[]) => void logged.push(line);
  const logger = { info: log, warn: log, error: log };
  await keepSearchComplete({ upkeep, clock: { nowMs: () => START_SEC * 1000 }, logger }, 'default', 'tick-1');
  return { walked, logged };
}

const walk = (changes: Partial<SearchWalk> = {}): SearchWalk => ({
  position: undefined,
  walkedAtEpochSec: START_SEC,
  lists: 'complete',
  isFolded: true,
  ...changes,
});
const underWay = walk({ position: 'p', lists: 'begun' });
const rested = walk({ walkedAtEpochSec: START_SEC - SEARCH_CHECK_REST_SEC });
const dated = walk({ walkedAtEpochSec: START_SEC + 1 });

test.each<[string, SearchWalk | undefined, SearchWalk | undefined]>([
  ['begins where there was none', undefined, undefined],
  ['goes on where it was left', underWay, underWay],
  ['begins again after one that put nothing into lists', walk({ position: 'p', lists: undefined }), undefined],
  [
    'begins again after one that folded letters otherwise, and still counts its lists as complete',
    walk({ position: 'p', isFolded: false }),
    walk({ isFolded: false }),
  ],
  ['begins again after a week', rested, rested],
  ['is not held up by one that a wrong clock dated', dated, dated],
])('the walk through the connections %s', async (_, known, from) => {
  expect(await tick(known)).toEqual({ walked: [['default', from, START_SEC]], logged: [] });
});

test.each([
  ['begins', 0],
  ['is over but for a second', SEARCH_CHECK_REST_SEC - 1],
])('a finished walk rests when its week %s', async (_, agoSec) => {
  expect((await tick(walk({ walkedAtEpochSec: START_SEC - agoSec }))).walked).toEqual([]);
});

test('what was missing is logged, and a failure fails nothing else', async () => {
  const { logged } = await tick(undefined, async () => ({ added: 3, isEnd: false }));
  expect(logged).toEqual([['connections added to the search index or to lists', { requestId: 'tick-1', count: 3 }]]);
  const away = new Error('throttled');
  expect((await tick(undefined, () => Promise.reject(away))).logged).toEqual([
    ['connections could not be added to the search index or to lists', { requestId: 'tick-1' }, away],
  ]);
});

/** One tick of the walk that lists events of an earlier version: what it continued with, and what it logged. */
async function auditTick(known: AuditWalk | undefined, goOn = async () => ({ added: 0 })) {
  const walked: unknown[][] = [];
  const logged: unknown[][] = [];
  const upkeep = fake<AuditUpkeep>({
    read: async () => known,
    goOn: (...args: unknown[]) => {
      walked.push(args);
      return goOn();
    },
  });
  const log =
    (level: string) =>
    (...line: unknown[]) =>
      void logged.push([level, ...line]);
  const logger = { info: log('info'), warn: log('warn'), error: log('error') };
  await keepAuditComplete({ upkeep, clock: { nowMs: () => START_SEC * 1000 }, logger }, 'default', 'tick-1');
  return { walked, logged };
}

const auditWalk = (phase: AuditWalk['phase']): AuditWalk => ({ phase, position: 'p', sinceMs: 0, found: 3 });

test.each<[string, AuditWalk | undefined]>([
  ['begins where there was none', undefined],
  ['goes on among the events of the account', auditWalk('account')],
  ['goes on among those of its connections', auditWalk('connections')],
])('the walk through events of an earlier version %s, and is silent where it finds none', async (_, known) => {
  expect(await auditTick(known)).toEqual({ walked: [['default', known, START_SEC * 1000]], logged: [] });
});

test('the walk through events of an earlier version is over once it has been everywhere', async () => {
  expect(await auditTick(auditWalk('complete'))).toEqual({ walked: [], logged: [] });
});

test('events that were missing are logged, and a failure fails nothing else', async () => {
  const added = ['info', 'events of an earlier version added to the audit trail', { requestId: 'tick-1', count: 1 }];
  expect((await auditTick(undefined, async () => ({ added: 1 }))).logged).toEqual([added]);
  const away = new Error('throttled');
  const message = 'events of an earlier version could not be added to the audit trail';
  expect((await auditTick(undefined, () => Promise.reject(away))).logged).toEqual([
    ['error', message, { requestId: 'tick-1' }, away],
  ]);
});
