import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addIncidents, asIncidents, type Incident } from '../../../lambdas/gateway/connections/incidents.rules.ts';
import { CENSUS_INCIDENTS_MAX } from '../../../lambdas/gateway/core/limits.ts';

const HOUR = 3600;
const incident = (fields: Partial<Incident> & { at?: number } = {}): Incident => {
  const { at = 0, ...others } = fields;
  return {
    integrationId: 'drive',
    state: 'dead',
    reason: 'testing_mode_expired',
    certain: true,
    count: 1,
    firstEpochSec: at,
    lastEpochSec: at,
    ...others,
  };
};
const added = (all: readonly Incident[]) => all.reduce<readonly Incident[]>((sum, one) => addIncidents(sum, [one]), []);
const sum = (all: readonly Incident[]) => all.reduce((total, { count }) => total + count, 0);

describe('incidents', () => {
  it('incidents are connections of one integration, state, reason and hour, with the first and the last of them', () => {
    const at = 10 * HOUR;
    const seen = added([
      incident({ at: at + 5 }),
      incident({ at: at + 900 }),
      incident({ at: at + 60, reason: 'user_revoked' }),
      incident({ at: at + 60, integrationId: 'calendar' }),
      incident({ at: at + 60, state: 'failing', reason: 'domainPolicy' }),
      incident({ at: at + 2 * HOUR }),
    ]);
    expect(seen).toHaveLength(5);
    expect(seen).toContainEqual(incident({ count: 2, firstEpochSec: at + 5, lastEpochSec: at + 900 }));
  });

  it('incidents are certain where every one of them is', () => {
    expect(added([incident(), incident({ certain: false })])).toMatchObject([{ count: 2, certain: false }]);
    expect(added([incident(), incident()])).toMatchObject([{ count: 2, certain: true }]);
  });

  it('incidents are one where they lie around the full hour, and two where more than an hour lies between', () => {
    const around = [incident({ at: 11 * HOUR - 60, count: 3 }), incident({ at: 11 * HOUR + 60, count: 4 })];
    expect(asIncidents(added(around))).toMatchObject([{ count: 7, lastEpochSec: 11 * HOUR + 60 }]);
    const apart = [incident({ at: 11 * HOUR, count: 3 }), incident({ at: 13 * HOUR, count: 4 })];
    expect(asIncidents(added(apart)).map(({ count }) => count)).toEqual([3, 4]);
  });

  it('incidents leave what stopped one by one in one row, with the time it took', () => {
    const alone = [0, 5, 9].map((hours) => incident({ at: (100 + hours) * HOUR }));
    const burst = incident({ at: 120 * HOUR, count: 12 });
    expect(asIncidents(added([...alone, burst]))).toEqual([
      burst,
      incident({ count: 3, firstEpochSec: 100 * HOUR, lastEpochSec: 109 * HOUR }),
    ]);
  });

  it('incidents are the same in whatever order and parts connections are counted, and lose none, also beyond the hours that are kept', () => {
    const one = fc.record({
      at: fc.integer({ min: 0, max: 3 * CENSUS_INCIDENTS_MAX * HOUR }),
      integrationId: fc.constantFrom('drive', 'calendar'),
      reason: fc.constantFrom('user_revoked', 'testing_mode_expired'),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 500 }), fc.nat({ max: 500 }), (all, cut) => {
        const rows = all.map((fields) => incident(fields));
        const whole = added(rows);
        const parts = addIncidents(added(rows.slice(cut).toReversed()), added(rows.slice(0, cut)));
        expect(new Set(parts.map((one) => JSON.stringify(one)))).toEqual(
          new Set(whole.map((one) => JSON.stringify(one))),
        );
        expect(sum(whole)).toBe(rows.length);
        expect(sum(asIncidents(whole))).toBe(rows.length);
        expect(whole.length).toBeLessThanOrEqual(CENSUS_INCIDENTS_MAX + 4);
      }),
      { numRuns: 50 },
    );
  });
});
