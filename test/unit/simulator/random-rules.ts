/** Rules of parts in any combination, the same in every run. */
export function randomRules(count: number): string[] {
  let state = 20_261_128;
  const below = (high: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1;
    return Math.floor(state / 64) % high;
  };
  const one = (list: readonly string[]) => list[below(list.length)] ?? '';
  const numbers = (low: number, high: number) =>
    [...new Set(Array.from({ length: 1 + below(3) }, () => low + below(high - low + 1) || 1))].join(',');
  return Array.from({ length: count }, () => {
    const parts = [`FREQ=${one(['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])}`];
    const add = (chance: number, part: () => string) => {
      if (below(chance) === 0) parts.push(part());
    };
    add(3, () => `INTERVAL=${1 + below([3, 500, 100_000][below(3)] ?? 1)}`);
    add(3, () => `BYMONTH=${numbers(1, 12)}`);
    add(3, () => `BYMONTHDAY=${numbers(-31, 31)}`);
    add(5, () => `BYDAY=${one(['MO', 'TU,TH', 'SU,MO,TU,WE,TH,FR,SA', '1MO', '-1FR'])}`);
    add(6, () => `BYYEARDAY=${numbers(1, 366)}`);
    add(6, () => `BYHOUR=${numbers(0, 23)}`);
    add(6, () => `BYMINUTE=${numbers(0, 59)}`);
    add(6, () => `BYSECOND=${numbers(0, 59)}`);
    add(8, () => `BYSETPOS=${one(['1', '-1', '366'])}`);
    add(3, () => `COUNT=${1 + below([5, 10_000, 1_000_000_000][below(3)] ?? 1)}`);
    return parts.join(';');
  });
}
