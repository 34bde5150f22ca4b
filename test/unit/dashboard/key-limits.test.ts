import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyLimits } from '../../../packages/client/src/index.ts';
import {
  draftOfLimits,
  draftOfPreset,
  limitPresets,
  limitsOfDraft,
  limitsProblems,
  limitWords,
  methodsOfDraft,
  NO_LIMITS,
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
    integrations: fc.option(fc.constant(['google-drive']), { nil: undefined }),
    resources: fc.option(fc.constant(['calendar:team@example.com', 'file:1AbC']), { nil: undefined }),
    endUsers: fc.option(fc.constantFrom({ team: 'finance' }, { 'a = b': ' two\nlines ', c: '' }), { nil: undefined }),
    sources: fc.option(fc.constant(['203.0.113.0/24']), { nil: undefined }),
    priority: fc.option(fc.constant('background' as const), { nil: undefined }),
    expiresAt: fc.option(fc.constant('2027-05-01T10:30:00.000Z'), { nil: undefined }),
    approve: fc.option(fc.constant(['delete']), { nil: undefined }),
    approval: fc.constantFrom(undefined, 'google' as const, 'both' as const),
    minute: fc.option(
      budget.filter((one) => Object.keys(one).length > 0),
      { nil: undefined },
    ),
    day: fc.option(
      budget.filter((one) => Object.keys(one).length > 0),
      { nil: undefined },
    ),
  })
  // Who asks means nothing where nothing waits.
  .map(({ approval, ...fields }) => ({ ...fields, ...(fields.approve === undefined ? {} : { approval }) }))
  .map((fields) => ({ ...given(fields), mode: fields.mode }) as KeyLimits);

describe('limits of a key that exists, in the form', () => {
  it('LK-10: limits of a key in the form are saved as they were where nothing is changed', () => {
    fc.assert(
      fc.property(limits, (before) => {
        const isLimited = Object.keys(before).length > 1;
        expect(limitsOfDraft(draftOfLimits({ ...before, methods: ['x'] }))).toEqual(isLimited ? before : undefined);
      }),
    );
  });

  it('LK-10: limits that allow nothing do not allow everything', () => {
    const draft = draftOfLimits({ mode: 'enforce', allow: [] });
    expect(methodsOfDraft(draft, ALL)).toEqual([]);
    expect(limitsOfDraft(draft)).toEqual({ mode: 'enforce', allow: [] });
    expect(limitsOfDraft({ ...draft, allow: ['drive:read'] })).toEqual({ mode: 'enforce', allow: ['drive:read'] });
  });

  it('limits of a key in the form show groups that are no set, and the methods that these leave', () => {
    const draft = draftOfLimits({ mode: 'observe', allow: ['drive.files.*'] });
    expect(setOptions(ALL, draft.allow ?? []).at(-1)).toEqual({ value: 'drive.files.*', label: 'drive.files.*' });
    expect(methodsOfDraft(draft, ALL).map(({ id }) => id)).toEqual(['drive.files.list', 'drive.files.get']);
  });

  it('limits of a key in the form are typed as amounts, tags, addresses and a day', () => {
    const draft = {
      ...NO_LIMITS,
      amounts: { 'minute.calls': '1,200', 'day.bytes': ' 5000000 ', 'day.units': '' },
      tags: 'team = finance\n\nplan=a=b',
      sources: '203.0.113.0/24, 2001:db8::1\n',
      endsAt: '2027-05-01T00:00:00.000Z',
    };
    expect(limitsProblems(draft)).toEqual({});
    expect(limitsOfDraft(draft)).toEqual({
      mode: 'observe',
      minute: { calls: 1200 },
      day: { bytes: 5_000_000 },
      endUsers: { team: 'finance', plan: 'a=b' },
      sources: ['203.0.113.0/24', '2001:db8::1'],
      expiresAt: '2027-05-01T00:00:00.000Z',
    });
  });

  it.each([
    ['day.calls', { amounts: { 'day.calls': 'many' } }],
    ['day.calls', { amounts: { 'day.calls': '0' } }],
    ['minute.units', { amounts: { 'minute.units': '1.5' } }],
    ['tags', { tags: 'team' }],
    ['tags', { tags: '= finance' }],
    ['endsAt', { endsAt: '2027-0' }],
  ])(
    'limits of a key that exists, in the form and that are no limits are named at their field: %s of %j',
    (field, typed) => {
      expect(Object.keys(limitsProblems({ ...NO_LIMITS, ...typed }))).toEqual([field]);
    },
  );

  it('limits of a key in the form begin with a preset, which observes and keeps connections and addresses', () => {
    const before = {
      ...NO_LIMITS,
      mode: 'enforce' as const,
      connections: ['team'],
      sources: '203.0.113.7',
      deny: ['x'],
    };
    const at = Date.parse('2026-03-01T12:00:00Z');
    const preset = (id: string) => limitsOfDraft(draftOfPreset(id, before, at));
    const reach = { mode: 'observe', connections: ['team'], sources: ['203.0.113.7'] };
    expect(preset('reads')).toEqual({ ...reach, allow: ['drive:read', 'calendar:read'] });
    expect(preset('nightly')).toEqual({ ...reach, allow: ['drive:read', 'calendar:read'], priority: 'background' });
    expect(preset('agent')).toEqual({
      ...reach,
      allow: ['drive:read', 'calendar:read', 'drive:write', 'calendar:write'],
      approve: ['share', 'invite', 'replace', 'delete'],
      minute: { calls: 60 },
      day: { calls: 500 },
      expiresAt: '2026-04-01T00:00:00.000Z',
      journal: true,
    });
    expect(draftOfPreset('no-such-one', before, at)).toBe(before);
  });

  it('limits of a key in the form begin with no preset that the deployment would refuse', () => {
    const ids = (...without: string[]) => limitPresets(new Set(without)).map(({ id }) => id);
    expect(ids('webhooks')).toEqual(['reads', 'agent', 'nightly']);
    expect(ids('approvals')).toEqual(['reads', 'nightly']);
    expect(ids('undo')).toEqual(['reads', 'nightly']);
  });

  it('limits of a key in the form have words for each limit', () => {
    expect(['methods', 'day.units', 'minute.calls', 'sources'].map(limitWords)).toEqual([
      'Methods',
      'Units a day',
      'Calls a minute',
      'Addresses',
    ]);
  });
});
