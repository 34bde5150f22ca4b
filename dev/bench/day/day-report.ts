import { total } from '../../../packages/cli/costs/cost-model.ts';
import { dollars } from '../../tools/costs.ts';
import { costOfDay, unitsOfDay } from './cost-of-day.ts';
import { type DayCounts, peakOf, sumOf } from './day-counts.ts';
import type { Mix } from './mixes.ts';
import { perMinute } from './slices.ts';

/** One simulated day. */
export interface SimulatedDay {
  readonly mix: Mix;
  /** Those that are consented on the day included. */
  readonly connections: number;
  readonly slices: number;
  readonly counts: DayCounts;
}

/** A day's figures by name, for tables and for JSON. */
export function figuresOf({ mix, connections, slices, counts }: SimulatedDay) {
  const { scheduled, onUse, failed } = counts;
  const refreshes = sumOf(scheduled) + sumOf(onUse);
  const peak = peakOf(scheduled, onUse, failed);
  const calls = peakOf(counts.calls);
  const parts = costOfDay(counts, connections, slices);
  return {
    mix: mix.name,
    connections,
    slices,
    refreshes,
    onUse: sumOf(onUse),
    averageMinute: perMinute(refreshes),
    peakMinute: peak.count,
    peakAt: clock(peak.minute),
    failedTokenCalls: sumOf(failed),
    calls: sumOf(counts.calls),
    callsPeakMinute: calls.count,
    callsPeakAt: clock(calls.minute),
    waitedInUse: counts.waitedInUse,
    waitedIdle: counts.waitedIdle,
    refused: sumOf(counts.refused),
    firstRefusedAt: clock(counts.refused.findIndex((calls) => calls > 0)),
    lastRefusedAt: clock(counts.refused.findLastIndex((calls) => calls > 0)),
    oldestDueSec: counts.oldestDueSec,
    lastBehindAt: clock(counts.lastBehindMinute),
    units: unitsOfDay(counts),
    dollars: parts,
    dollarsADay: total(parts),
  };
}

/** What each day asks of the provider and the schedule, and what callers see of it. */
export function loadTable(days: readonly SimulatedDay[]): string {
  return table(
    [
      'Day',
      'Refreshes',
      'Average a minute',
      'Peak minute',
      'Slices',
      'Oldest due',
      'Calls that waited: in use',
      'first in a day',
    ],
    days.map((day) => {
      const figures = figuresOf(day);
      return [
        day.mix.title,
        count(figures.refreshes),
        count(figures.averageMinute),
        `${count(figures.peakMinute)} at ${figures.peakAt}`,
        count(figures.slices),
        `${figures.oldestDueSec} s`,
        count(figures.waitedInUse),
        count(figures.waitedIdle),
      ];
    }),
  );
}

/** What each day asks of DynamoDB and costs. */
export function costTable(days: readonly SimulatedDay[]): string {
  const all = days.map((day) => figuresOf(day));
  const names = Object.keys(all[0]?.dollars ?? {});
  return table(
    ['Day', 'Write units', 'Read units', ...names, '**A day**'],
    all.map((figures, index) => [
      days[index]?.mix.title ?? '',
      count(figures.units.write),
      count(figures.units.read),
      ...names.map((name) => dollars(figures.dollars[name] ?? 0)),
      `**${dollars(figures.dollarsADay)}**`,
    ]),
  );
}

/** A sentence for each day on which something went wrong. */
export function troubles(days: readonly SimulatedDay[]): string[] {
  return days.flatMap((day) => {
    const { failedTokenCalls, refused, firstRefusedAt, lastRefusedAt, lastBehindAt, waitedInUse } = figuresOf(day);
    if (failedTokenCalls === 0 && lastBehindAt === 'never') return [];
    return [
      `${day.mix.title}: the schedule was last behind at ${lastBehindAt}; ${count(failedTokenCalls)} token calls failed, ` +
        `${count(refused)} calls found no token, the first at ${firstRefusedAt}, the last at ${lastRefusedAt}; ${count(waitedInUse)} calls waited for one.`,
    ];
  });
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(heading),
    `|---|${heading
      .slice(1)
      .map(() => '---:|')
      .join('')}`,
    ...rows.map(line),
  ].join('\n');
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

/** Time of the day; -1 stands for never. */
function clock(minute: number): string {
  if (minute < 0) return 'never';
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
