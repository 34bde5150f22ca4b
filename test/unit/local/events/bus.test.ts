import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../dev/local/event-log.ts';
import { type EventEntry, type LifecycleEvent, openEventBus } from '../../../../dev/local/events/bus.ts';
import type { LocalRule } from '../../../../dev/local/template/events.ts';
import type { Json } from '../../../../dev/tools/json.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { lifecycleEvent } from '../fixtures/event.ts';

const ENTRY: EventEntry = {
  busName: 'lifecycle',
  source: 's',
  detailType: 'T',
  time: '2026-11-20T10:00:00.9Z',
  resources: [],
  detail: { a: 1 },
};

function open(rules: LocalRule[] = [], invoke: (arn: string, event: Json) => Promise<unknown> = async () => null) {
  const failures: string[] = [];
  const measured: string[] = [];
  const filePath = join(temporaryFolder(), 'events.jsonl');
  const bus = openEventBus({
    filePath,
    region: 'eu-west-1',
    buses: [{ name: 'lifecycle' }],
    rules,
    invoke,
    onFailure: (message) => failures.push(message),
    measure: ({ metricName, dimensions }) => measured.push(`${metricName} ${Object.values(dimensions).join(' ')}`),
  });
  return { bus, failures, filePath, measured };
}

describe('a bus', () => {
  it('appends each event to its file in order and shows who subscribed', async () => {
    const { bus, filePath } = open();
    const seen: LifecycleEvent[] = [];
    bus.subscribe((event) => seen.push(event));
    await Promise.all(['1', '2', '3'].map((detailType) => bus.publish({ ...ENTRY, detailType })));
    const written = readFileSync(filePath, 'utf8').trim().split('\n');
    const lines = written.map((line) => JSON.parse(line));
    expect(lines.map((event) => event['detail-type'])).toEqual(['1', '2', '3']);
    expect(lines).toEqual(seen);
    const told = { account: '000000000000', region: 'eu-west-1', time: '2026-11-20T10:00:00Z', detail: { a: 1 } };
    expect(lines[0]).toMatchObject({ version: '0', ...told });
  });

  it('refuses an unknown bus and a time that is no date', async () => {
    const { bus } = open();
    await expect(bus.publish({ ...ENTRY, busName: 'other' })).rejects.toThrow('There is no event bus other');
    await expect(bus.publish({ ...ENTRY, time: 'soon' })).rejects.toThrow('not a date');
  });

  it('invokes the functions of matching rules, and a failing one does not fail the event', async () => {
    const invoked: string[] = [];
    const rule = {
      logicalId: 'Match',
      name: 'match',
      arn: 'arn',
      busName: 'lifecycle',
      pattern: { 'detail-type': ['T'] },
    };
    const rules = [
      { ...rule, functionArns: ['fn-1', 'broken'] },
      { ...rule, pattern: { 'detail-type': ['U'] }, functionArns: ['fn-2'] },
      { ...rule, busName: 'default', functionArns: ['fn-3'] },
    ];
    const { bus, failures, measured } = open(rules, async (arn) => {
      invoked.push(arn);
      if (arn === 'broken') throw new Error('no');
    });
    await bus.publish(ENTRY);
    await new Promise((resolve) => setImmediate(resolve));
    expect(invoked).toEqual(['fn-1', 'broken']);
    expect(failures).toEqual(['Match: no']);
    expect(measured).toEqual(['Invocations lifecycle match', 'Invocations lifecycle match']);
  });

  it('takes PutEvents, entry by entry', async () => {
    const { bus } = open();
    const entry = (Detail: string) => ({ EventBusName: 'lifecycle', Source: 's', DetailType: 'T', Detail });
    const output = await bus.service.call('PutEvents', { Entries: [entry('{"a":1}'), entry('[]')] });
    const Entries = [{ EventId: expect.any(String) }, { ErrorCode: 'MalformedDetail' }];
    expect(output).toMatchObject({ FailedEntryCount: 1, Entries });
  });

  it.each([
    ['none', []],
    ['eleven', Array.from({ length: 11 }, () => '{}')],
    ['more bytes than a request may have', Array.from({ length: 3 }, () => JSON.stringify({ a: 'x'.repeat(90_000) }))],
  ])('refuses a request of %s entries whole, as EventBridge does', async (_how, details) => {
    const { bus } = open();
    const Entries = details.map((Detail) => ({ EventBusName: 'lifecycle', Source: 's', DetailType: 'T', Detail }));
    await expect(async () => bus.service.call('PutEvents', { Entries })).rejects.toMatchObject({
      type: 'ValidationException',
    });
  });

  it('answers an entry with the code that a test gives it', async () => {
    const { bus } = open();
    bus.switches.refuse = ({ detailType }) => (detailType === 'T' ? 'InternalFailure' : undefined);
    const entry = (DetailType: string) => ({ EventBusName: 'lifecycle', Source: 's', DetailType, Detail: '{}' });
    const { Entries } = Object(await bus.service.call('PutEvents', { Entries: [entry('T'), entry('U')] }));
    expect(Entries).toMatchObject([{ ErrorCode: 'InternalFailure' }, { EventId: expect.any(String) }]);
  });
});

describe('the event log', () => {
  const event = lifecycleEvent('Made');

  it('finds past events and waits for coming ones', async () => {
    const log = openEventLog();
    const waiting = log.waitFor((one) => one['detail-type'] === 'Made', 1000);
    log.add(lifecycleEvent('Other'));
    log.add(event);
    expect(await waiting).toBe(event);
    expect(await log.waitFor((one) => one.id === '1', 1000)).toBe(log.events[0]);
  });

  it('names what it saw when the event does not come', async () => {
    const log = openEventLog();
    log.add(event);
    await expect(log.waitFor(() => false, 5)).rejects.toThrow('No such event within 5 ms. Events seen: Made.');
  });
});
