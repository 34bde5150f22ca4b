import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EventEntry,
  entryBytes,
  isRefusedForGood,
  nextRequest,
  readStreamRecord,
} from '../../../lambdas/events/stream-record.rules.ts';
import { eventToItem } from '../../../lambdas/gateway/events/event.store.ts';
import { eventRecord } from './support/records.ts';

const ITEM = eventToItem({
  eventId: '01J',
  eventType: 'ConnectionCreated',
  sequence: 3,
  occurredAt: '2026-11-20T10:00:00.123Z',
  subject: { accountId: 'default', integrationId: 'drive', connectionId: 'ada' },
  endUserId: 'user "1" \u2028',
  cause: 'imported',
  says: { reason: 'imported' },
  health: 'not_used_yet',
  remedy: undefined,
  requestId: 'r',
});

describe('a record of the stream', () => {
  it('becomes an entry with what the event says, each member a string and none of them empty', () => {
    const read = readStreamRecord(eventRecord('17', ITEM));
    expect(read).toMatchObject({
      sequenceNumber: '17',
      key: { pk: 'EVENT#default#drive#ada', sk: 'EVENT#01J' },
      order: 'EVENT#default#drive#ada',
      problem: undefined,
      entry: { source: 'integration-gateway', detailType: 'ConnectionCreated', time: '2026-11-20T10:00:00.123Z' },
    });
    expect(read?.entry?.detail).toBe(
      JSON.stringify({
        event_id: '01J',
        sequence: '3',
        time: '2026-11-20T10:00:00.123Z',
        account_id: 'default',
        integration_id: 'drive',
        connection_id: 'ada',
        end_user_id: 'user "1" \u2028',
        cause: 'imported',
        health: 'not_used_yet',
        reason: 'imported',
      }),
    );
  });

  it('a record of the stream of an item of an earlier version says what it said in `cause` under its own name', () => {
    const { health: _, feedId: __, reason: ___, ...older } = ITEM;
    const { entry } = readStreamRecord(eventRecord('1', older)) ?? {};
    const detail = JSON.parse(entry?.detail ?? '');
    expect(detail).toMatchObject({ event_id: '01J', reason: 'imported' });
    expect(Object.keys(detail)).not.toContain('health');
  });

  it('a record of the stream of a heartbeat has a source of its own, so that rules for events of the gateway do not match it', () => {
    const { entry } = readStreamRecord(eventRecord('1', { ...ITEM, eventType: 'Heartbeat' })) ?? {};
    expect(entry).toMatchObject({ source: 'integration-gateway.heartbeat', detailType: 'Heartbeat' });
  });

  it.each([
    ['an edit of an event', { ...eventRecord('1', ITEM), eventName: 'MODIFY' }],
    ['an expired event', { ...eventRecord('1', ITEM), eventName: 'REMOVE' }],
    ['a connection', eventRecord('1', { ...ITEM, type: 'connection' })],
    ['nothing at all', null],
  ])('a record of the stream is passed over where it is %s', (_what, record) => {
    expect(readStreamRecord(record)).toBeUndefined();
  });

  it.each([
    [{ eventId: '' }, 'the item has no eventId'],
    [{ eventType: 7, accountId: undefined }, 'the item has no accountId, eventType'],
    [{ occurredAt: 'soon' }, 'occurredAt is no time'],
    [{ occurredAt: undefined }, 'occurredAt is no time'],
  ])('a record of the stream with %j has no entry and says why', (changed, problem) => {
    expect(readStreamRecord(eventRecord('1', { ...ITEM, ...changed }))).toMatchObject({ entry: undefined, problem });
  });
});

describe('a request', () => {
  const waiting = (order: string, bytes = 100) => {
    const entry: EventEntry = { source: '', detailType: '', time: '', detail: 'x'.repeat(bytes - 14) };
    expect(entryBytes(entry)).toBe(bytes);
    return { order, entry };
  };

  it('holds ten entries at most, the oldest first, and one of each order', () => {
    const orders = ['a', 'b', 'a', 'c', ...'defghijklm'];
    const all = orders.map((order) => waiting(order));
    expect(nextRequest(all).map(({ order }) => order)).toEqual([...'abcdefghij']);
    expect(nextRequest(all)[0]).toBe(all[0]);
  });

  it('stays within 256 KB, and takes one that is larger alone', () => {
    const all = [waiting('a', 200_000), waiting('b', 100_000), waiting('c', 50_000)];
    expect(nextRequest(all).map(({ order }) => order)).toEqual(['a', 'c']);
    expect(nextRequest([waiting('a', 300_000), waiting('b', 20)]).map(({ order }) => order)).toEqual(['a']);
  });

  it('always takes the first, whatever stands behind it', () => {
    const any = fc.record({ order: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 14, max: 400_000 }) });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 30 }), (specs) => {
        const all = specs.map(({ order, bytes }) => waiting(order, bytes));
        const request = nextRequest(all);
        expect(request[0]).toBe(all[0]);
        expect(new Set(request.map(({ order }) => order)).size).toBe(request.length);
        for (const one of request) expect(all.find(({ order }) => order === one.order)).toBe(one);
      }),
    );
  });
});

it.each([
  ['MalformedDetail', true],
  ['ValidationException', true],
  ['ThrottlingException', false],
  ['InternalFailure', false],
  ['AccessDeniedException', false],
  ['ResourceNotFoundException', false],
  ['TimeoutError', false],
])('the code %s refuses an event for good: %s', (code, final) => {
  expect(isRefusedForGood(code)).toBe(final);
});
