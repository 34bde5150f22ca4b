import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { usedUpDayRefusal } from '../../../lambdas/gateway/calls/day-spent.ts';
import { type DayUse, readDayUse, storedDayUse, usedShare } from '../../../lambdas/gateway/calls/day-use.rules.ts';
import { dayUseReader, dayUseWriter } from '../../../lambdas/gateway/calls/day-use.store.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { callBooks, callerWith } from './book-support.ts';

const NOW_MS = Date.parse('2026-03-01T20:00:00Z');
const UNTIL_MS = Date.parse('2026-03-02T08:00:00Z');
const LIST = { method: 'GET', target: '/drive/v3/files' };

function dayOf(limit: DayUse['limit'], units: number, bytes = 0, cloudProject = '123'): DayUse {
  return {
    untilMs: UNTIL_MS,
    limit,
    projects: [
      {
        provider: 'google-drive',
        cloudProject,
        units: { share: units, most: 400 },
        bytesOut: { share: bytes, most: 900 },
      },
    ],
  };
}

describe('how full a day is', () => {
  it('PC-25: how full a day is is read as it was written, by its own account, until the day is over', async () => {
    const { table } = new MemoryTable();
    const clock = { ms: NOW_MS, nowMs: () => clock.ms };
    await dayUseWriter(table).write('acme', dayOf('stop', 0.3));
    const reader = dayUseReader(table, clock);
    expect(await reader.read('acme')).toEqual(dayOf('stop', 0.3));
    expect(await reader.read('other')).toBeUndefined();
    clock.ms = UNTIL_MS;
    expect(await reader.read('acme')).toBeUndefined();
  });

  it('PC-25: a share that is not reached is never said to be', () => {
    expect(usedShare(999_999, 1_000_000)).toEqual({ share: 0.99, most: 1_000_000 });
    expect(usedShare(1_000_000, 1_000_000)?.share).toBe(1);
    expect(usedShare(5, undefined)).toBeUndefined();
  });

  it('PC-25: what a later version wrote in another form stops nothing', () => {
    for (const use of [
      '',
      '{',
      'null',
      '[]',
      '{"untilMs":1e15}',
      '{"untilMs":1e15,"limit":"halve","projects":[]}',
      '{"untilMs":1e15,"limit":"stop","projects":[7]}',
    ]) {
      expect(readDayUse({ stopsUntilMs: UNTIL_MS, fullest: 1, use }, NOW_MS)).toBeUndefined();
    }
  });

  it('PC-25: refuses calls of the project and API whose units or bytes are used up, and only where the deployment stops', () => {
    const refused = (use: DayUse) => usedUpDayRefusal(use, 'google-drive', '123', NOW_MS)?.details.limit?.name;
    expect(refused(dayOf('stop', 1))).toBe('project.day.units');
    expect(refused(dayOf('stop', 0.5, 1.5))).toBe('project.day.bytes');
    expect(refused(dayOf('stop', 0.99, 0.99))).toBeUndefined();
    expect(refused(dayOf('warn', 1))).toBeUndefined();
    expect(refused(dayOf('stop', 1, 0, '124'))).toBeUndefined();
    expect(storedDayUse(dayOf('stop', 1)).stopsUntilMs).toBe(UNTIL_MS);
    expect(storedDayUse(dayOf('warn', 1)).stopsUntilMs).toBe(0);
  });
});

describe('a call on a day that is used up', () => {
  const asking = (use: DayUse | undefined, priority?: 'interactive' | 'background') => {
    const books = callBooks();
    const call = books.process().begin(gatewayRequest({}));
    const spent = use && { ...use, untilMs: books.clock.ms + 3_600_000 };
    const caller = { ...callerWith(), dayUse: spent && storedDayUse(spent) };
    call.isFrom(caller);
    return { asked: call.asks(caller, [LIST], priority), call };
  };

  it('PC-25: a call on a day that is used up is refused before anything is sent, with what is used up and until when', async () => {
    const { asked, call } = asking(dayOf('stop', 1));
    await expect(asked).rejects.toMatchObject({
      code: 'budget_spent',
      status: 403,
      applied: 'no',
      retryAfterSec: undefined,
      limit: { name: 'project.day.units', scope: 'project', most: 400, left: 0 },
      rate: { policy: 'project-day-units', resetSec: 3_600 },
    });
    expect(call.asked).toEqual([]);
  });

  it('PC-25: passes where the deployment only warns', async () => {
    await asking(dayOf('warn', 1)).asked;
    await asking(undefined).asked;
  });

  it('PC-21: says what it takes and how full minute and day are to a caller that names a priority, and to no other', async () => {
    const named = asking(dayOf('warn', 0.31, 0.02), 'interactive');
    await named.asked;
    expect(named.call.quotaStanding).toBe('google-drive;cost=100;minute=0.00;day=0.31');
    const background = asking(undefined, 'background');
    await background.asked;
    expect(background.call.quotaStanding).toBe('google-drive;cost=100;minute=0.00');
    const other = asking(dayOf('warn', 0.31));
    await other.asked;
    expect(other.call.quotaStanding).toBeUndefined();
  });
});
