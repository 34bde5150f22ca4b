import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../local/event-log.ts';
import { type EventEntry, type LifecycleEvent, openEventBus } from '../../../../local/events/bus.ts';
import type { Json } from '../../../../local/json.ts';
import type { LocalRule } from '../../../../local/template/events.ts';
import { lifecycleEvent } from '../fixtures/event.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-bus-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
  const bus = openEventBus({
    filePath: join(folder, 'events.jsonl'),
    region: 'eu-west-1',
    buses: [{ name: 'lifecycle', arn: 'arn' }],
    rules,
    invoke,
    onFailure: (message) => failures.push(message),
  });
  return { bus, failures };
}

describe('a bus', () => {
  it('appends each event to its file in order and tells who subscribed', async () => {
    const { bus } = open();
    const seen: LifecycleEvent[] = [];
    bus.subscribe((event) => seen.push(event));
    await Promise.all(['1', '2', '3'].map((detailType) => bus.publish({ ...ENTRY, detailType })));
    const lines = readFileSync(join(folder, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((event) => event['detail-type'])).toEqual(['1', '2', '3']);
    expect(lines).toEqual(seen);
    expect(lines[0]).toMatchObject({
      version: '0',
      account: '000000000000',
      region: 'eu-west-1',
      time: '2026-11-20T10:00:00Z',
      detail: { a: 1 },
    });
  });

  it('refuses an unknown bus and a time that is no date', async () => {
    const { bus } = open();
    await expect(bus.publish({ ...ENTRY, busName: 'other' })).rejects.toThrow('There is no event bus other');
    await expect(bus.publish({ ...ENTRY, time: 'soon' })).rejects.toThrow('not a date');
  });

  it('invokes the functions of matching rules, and a failing one does not fail the event', async () => {
    const invoked: string[] = [];
    const rule = (logicalId: string, busName: string, pattern: LocalRule['pattern'], ...functionArns: string[]) => ({
      logicalId,
      arn: `arn:${logicalId}`,
      busName,
      pattern,
      functionArns,
    });
    const rules = [
      rule('Match', 'lifecycle', { 'detail-type': ['T'] }, 'fn-1', 'broken'),
      rule('Other', 'lifecycle', { 'detail-type': ['U'] }, 'fn-2'),
      rule('Elsewhere', 'default', { source: ['s'] }, 'fn-3'),
    ];
    const { bus, failures } = open(rules, async (arn) => {
      invoked.push(arn);
      if (arn === 'broken') throw new Error('no');
    });
    await bus.publish(ENTRY);
    await new Promise((resolve) => setImmediate(resolve));
    expect(invoked).toEqual(['fn-1', 'broken']);
    expect(failures).toEqual(['Match: no']);
  });

  it('takes PutEvents, entry by entry', async () => {
    const { bus } = open();
    const output = await bus.service.call('PutEvents', {
      Entries: [
        { EventBusName: 'lifecycle', Source: 's', DetailType: 'T', Detail: '{"a":1}' },
        { EventBusName: 'lifecycle', Source: 's', DetailType: 'T', Detail: '[]' },
      ],
    });
    expect(output).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ EventId: expect.any(String) }, { ErrorCode: 'MalformedDetail' }],
    });
  });
});

describe('the event log', () => {
  const event: LifecycleEvent = lifecycleEvent('Made');

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
