import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../dev/bench/day/seeded-random.ts';
import { type SampleRecords, sampleRecords } from '../../../dev/bench/sample.ts';
import { fake } from '../../../dev/support/fake.ts';
import { CallAdmission } from '../../../lambdas/gateway/calls/admission.ts';
import { callLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { encodeEntries, PAGE_LEVELS, PageFold, partsOf, startOf } from '../../../lambdas/gateway/calls/page.rules.ts';
import { CALL_LIMIT_DEFAULTS } from '../../../lambdas/gateway/core/contract.ts';
import {
  CONNECTION_PAGE_RETENTION_SEC,
  HOUR_PAGE_RETENTION_SEC,
  MINUTE_PAGE_RETENTION_SEC,
  USE_NOTE_INTERVAL_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { CallerDirectory } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import { formatSecretKey } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { FUNCTION_MEMORY_MB } from '../../../lib/function-memory.ts';
import {
  callerItemsRead,
  countedMillion,
  limitReports,
  millionCalls,
  notesOfUse,
  storedThings,
  total,
} from '../../../packages/cli/costs/cost-model.ts';
import { ASSUMPTIONS as A, PRICES as P } from '../../../packages/cli/costs/prices.ts';

const DAYS_A_MONTH = A.monthSec / 86_400;
const CALLS_A_DAY = Math.round(1e6 / DAYS_A_MONTH);
const MORNING_MS = Date.parse('2026-03-02T00:00:00Z');
/** Keys and names of an item's attributes alongside its entries. */
const ITEM_BYTES = 150;

/** What a day of calls asked for, counted one by one. */
interface Day {
  calls: number;
  billedSec: number;
  /** Items of callers read from the table. */
  callerItems: number;
  /** Reports of calls to the windows of limits. */
  reports: number;
  notes: number;
  logBytes: number;
  /** Write units of pages of minutes, hours and the day, and their bytes. */
  pageUnits: number;
  readonly pageBytes: Record<(typeof PAGE_LEVELS)[number], number>;
}

let records: SampleRecords;
beforeAll(async () => {
  records = await sampleRecords(MORNING_MS);
});

/**
 * A day of calls that come by chance, of so many connections by chance, through the gateway's own memory and limits. A process takes one
 * call at a time, and a call goes to the first that is free.
 */
async function dayOf(connections: number): Promise<Day> {
  const random = seededRandom(connections);
  const day: Day = {
    calls: 0,
    billedSec: 0,
    callerItems: 0,
    reports: 0,
    notes: 0,
    logBytes: 0,
    pageUnits: 0,
    pageBytes: { minute: 0, hour: 0, day: 0 },
  };
  let nowMs = MORNING_MS;
  const clock = { nowMs: () => nowMs };
  const windows = new Map<string, number>();
  const totals = {
    async add(subject: object, window: number, calls: number) {
      day.reports++;
      const id = JSON.stringify([subject, window]);
      windows.set(id, (windows.get(id) ?? 0) + calls);
      return windows.get(id) ?? 0;
    },
  };
  const store = {
    async load(query: Record<'keyHash' | 'integration' | 'connection', unknown> & { dayUseOf?: unknown }) {
      day.callerItems += Object.values(query).filter((one) => one !== undefined).length;
      const { connection: ref } = query;
      const dayUse = { stopsUntilMs: 0, fullest: 0.3, use: '' };
      return { ...records, connection: { ...records.connection, ...Object(ref) }, dayUse };
    },
    unconfirmed: async () => undefined,
  };
  const processes: { busyUntilMs: number; directory: CallerDirectory; admission: CallAdmission }[] = [];
  const freeProcess = () => {
    const free = processes.find(({ busyUntilMs }) => busyUntilMs <= nowMs);
    if (free !== undefined) return free;
    const nothing = fake<ConstructorParameters<typeof CallAdmission>[0]>({ totals, clock });
    const admission = new CallAdmission(nothing, CALL_LIMIT_DEFAULTS);
    const made = { busyUntilMs: 0, admission, directory: new CallerDirectory(store, clock, admission) };
    processes.push(made);
    return made;
  };
  const folds = new Map<string, { level: (typeof PAGE_LEVELS)[number]; fold: PageFold }>();
  const lastNoted = new Map<number, number>();
  const arrivals = Array.from({ length: CALLS_A_DAY }, () => random() * 86_400_000).toSorted((a, b) => a - b);
  for (const atMs of arrivals) {
    nowMs = MORNING_MS + Math.floor(atMs);
    const number = Math.floor(random() * connections);
    const connectionId = `3f0c2a8e-7b1d-4c5e-9f00-${String(number).padStart(12, '0')}`;
    const process = freeProcess();
    const { accountId, integrationId } = records.connection;
    const claim = { secretKey: formatSecretKey(accountId, 'k'.repeat(43)), integrationId, connectionId };
    const caller = await process.directory.resolve({ ...claim, sourceIp: '203.0.113.9' });
    await process.admission.pending();
    process.busyUntilMs = nowMs + A.callSec * 1000;
    day.calls++;
    day.billedSec += A.callSec;
    if (nowMs - (lastNoted.get(number) ?? Number.NEGATIVE_INFINITY) >= USE_NOTE_INTERVAL_SEC * 1000) {
      lastNoted.set(number, nowMs);
      day.notes++;
    }
    const sizes = { bytesIn: 0, bytesOut: A.callAnswerKb * 1024, totalMs: A.callSec * 1000, units: 5 };
    const who = { account: accountId, integration: integrationId, connection: caller.live.connection.connectionId };
    const how = { key: '0a1b2c3d4e5f', provider: 'google-drive', project: '123456789012', class: 'ok' } as const;
    const line = { ...who, ...how, ...sizes, status: 200, endedAtMs: nowMs, refreshed: 0 } as const;
    day.logBytes += callLine({ ...line, callId: '01KJ8V5Z8R9WZ2T4X6Y8A0B2C4' }).length + 26;
    for (const level of PAGE_LEVELS) {
      const id = `${level} ${startOf(level, nowMs)}`;
      const page = folds.get(id) ?? { level, fold: new PageFold() };
      folds.set(id, page);
      page.fold.addSums({ ...who, ...how, ...sizes, calls: 1, refreshed: 0, lastEndedAtMs: nowMs });
    }
  }
  for (const { level, fold } of folds.values()) {
    for (const { entries } of partsOf(fold.page(), level).parts) {
      const bytes = encodeEntries(entries).length + ITEM_BYTES;
      day.pageUnits += Math.ceil(bytes / 1024);
      day.pageBytes[level] += bytes;
    }
  }
  return day;
}

describe.each([1, 10_000])(
  'a simulated day of a million calls a month, of %i connections',
  { tags: ['long'] },
  (connections) => {
    let day: Day;
    beforeAll(async () => {
      day = await dayOf(connections);
    });
    /** Within a cent of a million calls, or 5 % of the figure. */
    const expectFigure = (figure: number | undefined, counted: number) => {
      expect(Math.abs((figure ?? Number.NaN) - counted)).toBeLessThanOrEqual(Math.max(0.01, 0.05 * counted));
    };

    test('reads the records of callers as often as docs/costs.md counts', () => {
      const counted = day.callerItems * DAYS_A_MONTH;
      expect(Math.abs(callerItemsRead(connections) / counted - 1)).toBeLessThan(0.1);
      expectFigure(millionCalls({ connections })['DynamoDB reads'], counted * A.callerItemReadUnits * P.readUnit);
    });

    test('reports calls to limits as often as docs/costs.md counts', () => {
      const counted = day.reports * DAYS_A_MONTH;
      expect(Math.abs(limitReports(connections) / counted - 1)).toBeLessThan(0.1);
      expectFigure(millionCalls({ connections })['DynamoDB writes, limits'], counted * P.writeUnit);
    });

    test('notes use as often as docs/costs.md counts', () => {
      expect(Math.abs(notesOfUse(connections) / (day.notes * DAYS_A_MONTH) - 1)).toBeLessThan(0.1);
    });

    test('leaves lines and pages that cost what docs/costs.md says', () => {
      const parts = countedMillion(connections);
      expectFigure(parts['Lines in the log'], (day.logBytes * DAYS_A_MONTH * P.logGb) / 1e9);
      expectFigure(parts['Questions to the log'], (A.lineReads * day.logBytes * DAYS_A_MONTH * P.insightsGb) / 1e9);
      const minutes = A.monthSec / 60;
      const pages = day.pageUnits * DAYS_A_MONTH * P.writeUnit;
      expectFigure(parts['Pages and progress'], pages + minutes * (P.writeUnit + A.rollUpReadUnits * P.readUnit));
    });

    test('leaves pages that take the room that docs/costs.md says while they are kept', () => {
      const stored = (words: string) =>
        storedThings(connections, 1).reduce(
          (sum, { what, gigabytes }) => sum + (what.includes(words) ? gigabytes * 1e9 : 0),
          0,
        );
      const { minute, hour, day: wholeDay } = day.pageBytes;
      const within = (figure: number, counted: number) => {
        expect(figure / counted).toBeGreaterThan(0.9);
        expect(figure / counted).toBeLessThan(1.15);
      };
      within(stored('calls, minutes'), minute * (MINUTE_PAGE_RETENTION_SEC / 86_400));
      within(stored('calls, hours'), hour * (HOUR_PAGE_RETENTION_SEC / 86_400));
      if (connections > 1) within(stored('connections of days'), wholeDay * (CONNECTION_PAGE_RETENTION_SEC / 86_400));
    });

    test('takes the time and the transfer that docs/costs.md counts', () => {
      const parts = millionCalls({ connections });
      const gbSec = day.billedSec * (FUNCTION_MEMORY_MB.proxy / 1024);
      const lambda = (day.calls * P.lambdaRequest + gbSec * P.lambdaGbSec) * DAYS_A_MONTH;
      expectFigure(parts['Lambda, requests and time'], lambda);
      const gigabytes = (kilobytes: number) => ((day.calls * kilobytes) / 1e6) * DAYS_A_MONTH;
      expectFigure(parts['Transfer out'], gigabytes(A.callAnswerKb + A.answerHeadKb) * P.transferGb);
      expectFigure(parts['Transfer to Google'], gigabytes(A.providerRequestKb) * P.transferGb);
      expectFigure(parts['Front door'], day.calls * DAYS_A_MONTH * P.doorRequest['rest-api']);
    });
  },
);

test('a million calls of 10,000 connections cost $6.74 by the REST API and $3.24 by the function URL, counting and traffic to Google included', () => {
  expect(total(millionCalls({ connections: 10_000 }))).toBeLessThanOrEqual(6.745);
  expect(total(millionCalls({ connections: 10_000, door: 'function-url' }))).toBeLessThanOrEqual(3.245);
});
