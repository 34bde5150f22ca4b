/** Middle and extremes of repeated measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Summarises at least one value. @throws Error when there is none */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (min === undefined || max === undefined || upper === undefined || lower === undefined) {
    throw new Error('Nothing was measured');
  }
  return { median: (lower + upper) / 2, min, max };
}

/** Each value of `subject` over the value of the same round of `base`, summarised. */
export function ratioOf(subject: readonly number[], base: readonly number[]): Spread {
  return spreadOf(subject.map((value, round) => value / (base[round] ?? Number.NaN)));
}

/** Positions 0 to `count` - 1, the order turned round in every second round, so that a drift of the machine hits both ends alike. */
export function interleaved(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, position) => position);
  return round % 2 === 0 ? order : order.reverse();
}

/** The value that a share of all values does not exceed (nearest rank). @param share above 0, at most 1 @throws Error when there is none */
export function quantile(values: readonly number[], share: number): number {
  const value = [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1];
  if (value === undefined) throw new Error('Nothing was measured');
  return value;
}
