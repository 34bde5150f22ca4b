import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionsMonth, idleMonth, millionCalls, millionRefreshes, total } from '../../../scripts/cost-model.ts';
import { COSTS_PAGE, costsPage } from '../../../scripts/costs.ts';
import { PROJECT_ROOT } from '../../../scripts/run.ts';

/** Dollar figures of a text, as written. */
function figures(text: string): string[] {
  return [...text.matchAll(/\$(\d[\d,]*(?:\.\d+)?)/g)].map(([, figure]) => (figure ?? '').replaceAll(',', ''));
}

describe('the cost model', () => {
  it('adds parts up to what a million calls cost', () => {
    const parts = millionCalls();
    expect(parts['API Gateway']).toBeCloseTo(3.5);
    expect(parts['Lambda, requests and time']).toBeCloseTo(4.2);
    expect(total(parts)).toBeCloseTo(9.64, 1);
  });

  it('charges eight write units for a refresh', () => {
    expect(millionRefreshes()['DynamoDB writes']).toBeCloseTo(5);
  });

  it('grows with the connections in use, not with those that only exist', () => {
    const idle = total(connectionsMonth(100_000, 0).parts);
    const tenth = total(connectionsMonth(100_000, 0.1).parts);
    expect(tenth).toBeGreaterThan(5 * idle);
    expect(total(connectionsMonth(10_000_000, 0).parts)).toBeLessThan(100);
  });

  it('takes a divisor of 64 as the number of slices, and never more', () => {
    for (const share of [0, 0.05, 0.1, 0.3, 1]) expect(64 % connectionsMonth(10_000_000, share).slices).toBe(0);
  });
});

describe('what is written about prices', () => {
  it('is up to date in docs/costs.md; `node scripts/costs.ts` writes it anew', () => {
    expect(readFileSync(COSTS_PAGE, 'utf8')).toBe(costsPage());
  });

  it('agrees in the README with the computed figures, rounded as it rounds', () => {
    const prices = /^## Prices$(.*?)^## /ms.exec(readFileSync(join(PROJECT_ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
    const { 'KMS key': key = 0, Secrets: secrets = 0, 'Refresh tick': tick = 0 } = idleMonth(true);
    const known = [
      key + secrets + tick,
      ...[idleMonth(true), idleMonth(false), millionCalls(), millionRefreshes()].flatMap((parts) => [
        total(parts),
        ...Object.values(parts),
      ]),
      ...figures(costsPage()).map(Number),
    ];
    const written = figures(prices);
    expect(written.length).toBeGreaterThan(2);
    for (const figure of written) {
      const decimals = figure.split('.')[1]?.length ?? 0;
      expect(known.map((amount) => amount.toFixed(decimals))).toContain(figure);
    }
  });
});
