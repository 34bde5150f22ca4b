import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { costDetailsPage, costsPage } from '../../../dev/tools/costs.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { callLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { encodeEntries, PageFold } from '../../../lambdas/gateway/calls/page.rules.ts';
import { FUNCTION_MEMORY_MB } from '../../../lib/function-memory.ts';
import * as model from '../../../packages/cli/costs/cost-model.ts';
import { ASSUMPTIONS, PRICE_PAGES, PRICES } from '../../../packages/cli/costs/prices.ts';

const {
  connectionsMonth,
  countedMillion,
  idleCountMonth,
  idleMonth,
  millionCalls,
  millionEvents,
  millionRefreshes,
  thousandDownloads,
  total,
} = model;

/** Dollar figures of a text, as written. */
function figures(text: string): string[] {
  return [...text.matchAll(/\$(\d[\d,]*(?:\.\d+)?)/g)].map(([, figure]) => (figure ?? '').replaceAll(',', ''));
}

const TWENTY = { ok: 20, bytesOut: 204_800, totalMs: 3_280, refreshed: 1, units: 100 };

describe('the cost model', () => {
  it('adds parts up to what a million calls cost', () => {
    const parts = millionCalls({ memoryMb: 1024 });
    expect(parts['Front door']).toBeCloseTo(3.5);
    const { 'DynamoDB writes, limits': writes = 0, 'DynamoDB reads': reads = 0 } = parts;
    // 10.9 KB of the answer and 0.7 KB to Google, at $0.09 a GB.
    const transfer = 0.981 + 0.063;
    expect(total(parts)).toBeCloseTo(3.5 + 4.2 + writes + reads + total(countedMillion()) + transfer);
  });

  it('lets a million calls cost less with less memory, in Lambda’s time alone', () => {
    const [small, large] = [millionCalls({ memoryMb: 512 }), millionCalls({ memoryMb: 1024 })];
    expect(small['Lambda, requests and time']).toBeCloseTo(2.2);
    expect(large['Lambda, requests and time']).toBeCloseTo(4.2);
    expect(total(large) - total(small)).toBeCloseTo(2);
  });

  it('takes the price of the front door off a million calls that come by the function URL, and nothing else', () => {
    const [byRest, byUrl] = [millionCalls(), millionCalls({ door: 'function-url' })];
    expect(total(byRest) - total(byUrl)).toBeCloseTo(3.5);
    expect({ ...byUrl, 'Front door': 3.5 }).toEqual(byRest);
  });

  it('takes off by free tiers no more than there is', () => {
    const calls = millionCalls();
    expect(model.freeOfCalls()['Lambda, requests and time']).toBeLessThanOrEqual(
      calls['Lambda, requests and time'] ?? 0,
    );
    expect(total(model.freeOfCalls())).toBeLessThan(total(calls));
    expect(total(model.freeOfIdle())).toBeLessThan(total(idleMonth(false)));
    // 400,000 GB-seconds, beyond which time is paid for.
    const { 'Lambda, requests and time': large = 0 } = model.freeOfCalls(10_240);
    expect(large).toBeCloseTo(0.2 + 400_000 * PRICES.lambdaGbSec);
  });

  it('charges a key one dollar more after each of its first two rotations, and no more after that', () => {
    expect([0, 1, 2, 3, 9].map(model.keyMonth)).toEqual([1, 2, 3, 3, 3]);
  });

  it('counts a dollar for a million events on the bus, and for the function least where a hundred come together', () => {
    // A request each, 20 ms in 256 MB; ten requests of the bus for a hundred events.
    expect(model.forwarding(1) * 1e6).toBeCloseTo(0.267, 3);
    expect(model.forwarding(100) * 1e6).toBeCloseTo(0.0087, 4);
    expect(millionEvents()['Trigger and bus']).toBeCloseTo(1.267, 3);
  });

  it('charges streaming beyond 6 MB, the time it takes at 2 MB a second, and a request for each started 10 MB', () => {
    const [whole, slow] = [thousandDownloads(6), thousandDownloads(106)];
    expect(whole['Lambda, streaming beyond 6 MB']).toBe(0);
    expect(slow['Lambda, streaming beyond 6 MB']).toBeCloseTo(0.8);
    expect(slow['API Gateway']).toBeCloseTo(11 * 0.0035);
    const seconds = ((slow['Lambda, requests and time'] ?? 0) - (whole['Lambda, requests and time'] ?? 0)) / 1_000;
    expect(seconds / PRICES.lambdaGbSec / (FUNCTION_MEMORY_MB.proxy / 1024)).toBeCloseTo(50);
  });

  it('charges eight write units for a refresh', () => {
    expect(millionRefreshes()['DynamoDB writes']).toBeCloseTo(5);
  });

  it('grows with the connections in use, not with those that only exist', () => {
    const idle = total(connectionsMonth(100_000, 0).parts);
    const tenth = total(connectionsMonth(100_000, 0.1).parts);
    expect(tenth).toBeGreaterThan(5 * idle);
    expect(total(connectionsMonth(10_000_000, 0).parts)).toBeLessThan(110);
  });

  it('counts the rows of lists of a connection', () => {
    const { Storage: storage = 0, 'Rows of lists': written = 0 } = connectionsMonth(1_000_000, 0).parts;
    const { connectionKb, listedRows, listedRowKb } = ASSUMPTIONS;
    expect(storage).toBeCloseTo(
      (connectionKb + listedRows * listedRowKb) * (PRICES.tableGbMonth + PRICES.recoveryGbMonth),
    );
    // A twentieth is made, at 22 units, and a twentieth dies or lives again, at 4.
    expect(written).toBeCloseTo(0.05 * 1e6 * 26 * PRICES.writeUnit);
  });

  it('counts a million calls of 10,000 connections for 40 cents at most, and none for ten cents a month (BK-28)', () => {
    expect(total(countedMillion())).toBeLessThanOrEqual(0.4);
    expect(idleCountMonth()).toBeLessThanOrEqual(0.1);
  });

  it('counts a line and the entry of a page as large as they are', () => {
    const line = callLine({
      account: 'default',
      integration: 'google-drive',
      connection: '3f0c2a8e-7b1d-4c5e-9f00-a1b2c3d4e5f6',
      key: '0a1b2c3d4e5f',
      provider: 'google-drive',
      project: '123456789012',
      class: 'ok',
      status: 200,
      endedAtMs: 1_772_366_400_000,
      bytesIn: 0,
      bytesOut: 10_240,
      totalMs: 164,
      refreshed: 0,
      units: 5,
      callId: '01KJ8V5Z8R9WZ2T4X6Y8A0B2C4',
    });
    expect((line.length + 26) / 1000).toBeCloseTo(ASSUMPTIONS.callLogKb, 2);
    const fold = new PageFold();
    for (let at = 0; at < 1_000; at += 1) {
      const connection = `3f0c2a8e-7b1d-4c5e-9f00-${String(at).padStart(12, '0')}`;
      const ids = { account: 'default', integration: 'google-drive', connection, key: '0a1b2c3d4e5f' };
      const sums = { calls: 3, bytesIn: 0, bytesOut: 30_720, totalMs: 492, refreshed: 1, units: 15 };
      const provider = { provider: 'google-drive', project: '123456789012', class: 'ok' } as const;
      fold.addSums({ ...ids, ...provider, ...sums, lastEndedAtMs: 1_772_366_400_000 });
    }
    const { entries } = fold.page();
    const connections = entries.filter(({ kind }) => kind === 'connection');
    expect(encodeEntries(connections).length / 1_000 / 1_000).toBeLessThan(ASSUMPTIONS.pageEntryKb);
    // Of a minute: the sums of some twenty calls, and the names of an item's attributes.
    const few = entries.map((entry) => ({ ...entry, sums: { ...entry.sums, ...TWENTY } }));
    const others = few.filter(({ kind }) => kind !== 'connection');
    expect((encodeEntries(others).length + 200) / 1_000).toBeLessThan(ASSUMPTIONS.pageHeadKb);
  });

  it('counts the two lines that Lambda writes about an invocation, of each tick and of both functions of an event', () => {
    const time = '2026-03-01T12:00:00.000Z';
    const requestId = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';
    const metrics = { durationMs: 101.234, billedDurationMs: 102, memorySizeMB: 256, maxMemoryUsedMB: 104 };
    const lines = [
      { time, type: 'platform.start', record: { requestId, version: '$LATEST' } },
      { time, type: 'platform.report', record: { requestId, metrics, status: 'success' } },
    ].map((line) => JSON.stringify(line).length + 26);
    expect(lines.reduce((sum, bytes) => sum + bytes) / 1_000).toBeCloseTo(ASSUMPTIONS.platformLogKb, 1);
    expect(model.platformLines(1e6)).toBeCloseTo(0.2);
    expect(millionEvents().Logs).toBeCloseTo(0.4);
    // Three ticks a minute, and some heartbeats.
    const { 'Logs of ticks and heartbeats': idle = 0 } = idleMonth(false);
    expect(idle).toBeGreaterThan(3 * 43_776 * 0.2e-6);
    expect(idle).toBeLessThan(0.05);
  });

  it('counts refreshes of 10,000 users who call each day several times as dear as their million calls', () => {
    const refreshes = model.refreshesOfCallers(10_000);
    expect(refreshes).toBeCloseTo(connectionsMonth(10_000, 1).parts.Refreshes ?? 0, 6);
    expect(refreshes / total(millionCalls())).toBeGreaterThan(7);
  });

  it('takes a million calls behind CloudFront into its free tier as a whole', () => {
    const { 'Requests of CloudFront': requests, 'Transfer of CloudFront': transfer } = model.freeOfDistribution();
    expect(requests).toBeCloseTo(1);
    expect(transfer).toBeCloseTo(10.9 * 0.085);
  });

  it('takes a divisor of 64 as the number of slices, and never more', () => {
    for (const share of [0, 0.05, 0.1, 0.3, 1]) expect(64 % connectionsMonth(10_000_000, share).slices).toBe(0);
  });
});

describe('what is written about prices', () => {
  it('names the page of each price', () => {
    const page = costDetailsPage();
    expect(PRICE_PAGES.length).toBeGreaterThan(5);
    for (const title of PRICE_PAGES) expect(page).toContain(`- *${title}*`);
  });

  it.each([
    ['README.md', /^## Deploy it$(.*?)^## /ms],
    ['docs/deploy.md', /^# Deploying.*?$(.*?)^## /ms],
    ['docs/faq.md', /^(\*\*What does it cost.*?)$/m],
  ])('agrees in %s with the computed figures, rounded as it rounds', (page, part) => {
    const prices = part.exec(readFileSync(join(PROJECT_ROOT, page), 'utf8'))?.[1] ?? '';
    const { 'KMS key, first year': key = 0, Secrets: secrets = 0, 'Refresh tick': tick = 0 } = idleMonth(true);
    const known = [
      key + secrets + tick,
      ...[
        idleMonth(true),
        idleMonth(false),
        millionCalls(),
        millionCalls({ door: 'function-url' }),
        millionRefreshes(),
      ].flatMap((parts) => [total(parts), ...Object.values(parts)]),
      ...figures(costsPage()).map(Number),
    ];
    const written = figures(prices);
    expect(written.length).toBeGreaterThan(1);
    for (const figure of written) {
      const decimals = figure.split('.')[1]?.length ?? 0;
      expect(known.map((amount) => amount.toFixed(decimals))).toContain(figure);
    }
  });
});
