import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyLimits } from '../../../packages/client/src/index.ts';
import {
  draftOfLimits,
  limitsOfDraft,
  limitWords,
  methodsOfDraft,
  otherLimitsInWords,
  setOptions,
} from '../../../packages/dashboard/src/model/key-limits.ts';

const ALL = [
  { id: 'drive.files.list', set: 'drive:metadata', meaning: 'List files', provider: 'google-drive' },
  { id: 'drive.files.get', set: 'drive:metadata', meaning: 'Read a file', provider: 'google-drive' },
  { id: 'calendar.events.list', set: 'calendar:read', meaning: 'Read events', provider: 'google-calendar' },
];

const amount = fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined });
const budget = fc.record({ calls: amount, units: amount, bytes: amount }).map(given);
const names = fc.array(fc.constantFrom('drive:read', 'drive.files.*', 'calendar.events.list'), { maxLength: 3 });

/** What is given, without members that are undefined. */
function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ) as Partial<T>;
}

const limits: fc.Arbitrary<KeyLimits> = fc
  .record({
    mode: fc.constantFrom('observe' as const, 'enforce' as const),
    allow: fc.option(names, { nil: undefined }),
    deny: fc.option(
      names.filter(({ length }) => length > 0),
      { nil: undefined },
    ),
    connections: fc.option(fc.constant(['team']), { nil: undefined }),
    sources: fc.option(fc.constant(['203.0.113.0/24']), { nil: undefined }),
    minute: fc.option(budget, { nil: undefined }),
    day: fc.option(
      budget.filter((one) => Object.keys(one).length > 0),
      { nil: undefined },
    ),
  })
  .map((fields) => ({ ...given(fields), mode: fields.mode }) as KeyLimits);

describe('limits of a key that exists, in the form', () => {
  it('LK-10: are saved as they were where nothing is changed, also those that the form has no fields for', () => {
    fc.assert(
      fc.property(limits, (before) => {
        const isLimited = Object.keys(before).length > 1;
        expect(limitsOfDraft(draftOfLimits({ ...before, methods: ['x'] }))).toEqual(isLimited ? before : undefined);
      }),
    );
  });

  it('LK-10: that allow nothing do not allow everything', () => {
    const draft = draftOfLimits({ mode: 'enforce', allow: [] });
    expect(methodsOfDraft(draft, ALL)).toEqual([]);
    expect(otherLimitsInWords(draft)).toBe('no method until some are chosen');
    expect(limitsOfDraft({ ...draft, allow: ['drive:read'] })).toEqual({ mode: 'enforce', allow: ['drive:read'] });
  });

  it('show groups that are no set, and the methods that these leave', () => {
    const draft = draftOfLimits({ mode: 'observe', allow: ['drive.files.*'] });
    expect(setOptions(ALL, draft.allow).at(-1)).toEqual({ value: 'drive.files.*', label: 'drive.files.*' });
    expect(methodsOfDraft(draft, ALL).map(({ id }) => id)).toEqual(['drive.files.list', 'drive.files.get']);
  });

  it('have words for each limit', () => {
    expect(['methods', 'day.units', 'minute.calls', 'sources'].map(limitWords)).toEqual([
      'Methods',
      'Units a day',
      'Calls a minute',
      'Addresses',
    ]);
  });
});
