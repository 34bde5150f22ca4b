import { describe, expect, it, test } from 'vitest';
import { mayBeRestored, withCompanions } from '../../../lambdas/features/undo/change.rules.ts';
import type { JsonObject } from '../../../lambdas/gateway/providers/inverse.rules.ts';
import { KNOWN_SERVERS } from '../../../lambdas/gateway/server-tools/known-tools.rules.ts';
import type { PinnedList } from '../../../lambdas/gateway/server-tools/pins.rules.ts';
import {
  isOffered,
  plannedToolCall,
  TOOL_INVERSES,
  toolMethod,
} from '../../../lambdas/gateway/server-tools/tool-inverses.rules.ts';

const EVENT = TOOL_INVERSES['google-calendar']?.kinds['calendar.event'];
const IDS = ['primary', 'e1'];
const ME = { email: 'me@example.com', self: true, responseStatus: 'tentative' };
const OTHER = { email: 'other@example.com', responseStatus: 'needsAction' };
const BEFORE = {
  id: 'e1',
  summary: 'Plan',
  start: { dateTime: '2026-12-01T09:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-12-01T10:00:00Z', timeZone: 'UTC' },
  attendees: [ME, OTHER],
  updated: '2026-11-30T08:00:00Z',
};

/** The calls that bring members of an event back, or why there are none. */
function wayBack(before: JsonObject | null, after: JsonObject, touched: readonly string[]) {
  const obstacle = EVENT?.obstacle?.({ before, after, touched });
  if (obstacle !== undefined) return obstacle;
  const requests = EVENT?.restore({ ids: IDS, before, current: after, touched });
  return typeof requests === 'string' ? requests : requests?.map(plannedToolCall);
}

test('GA-26: each known tool that writes has a way back, or a reason for none', () => {
  const writing = Object.entries(KNOWN_SERVERS).flatMap(([provider, { tools }]) =>
    tools.filter((one) => one.class !== 'read').map(({ name }) => `${provider} ${toolMethod(name)}`),
  );
  const known = Object.entries(TOOL_INVERSES).flatMap(([provider, { methods }]) =>
    Object.keys(methods).map((name) => `${provider} ${name}`),
  );
  expect(known.sort()).toEqual(writing.sort());
});

describe('the way back of an event', () => {
  it('GA-26: writes only what the call has changed, quietly, with both times and their zone', () => {
    const after = { ...BEFORE, summary: 'Other', start: { dateTime: '2026-12-02T09:00:00Z', timeZone: 'UTC' } };
    expect(wayBack(BEFORE, after, ['summary'])).toEqual([
      { name: 'update_event', args: { eventId: 'e1', summary: 'Plan', notificationLevel: 'NONE' } },
    ]);
    expect(wayBack(BEFORE, after, ['start'])).toEqual([
      {
        name: 'update_event',
        args: {
          ...{ eventId: 'e1', notificationLevel: 'NONE', timeZone: 'UTC' },
          ...{ startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' },
        },
      },
    ]);
    const days = { ...BEFORE, start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
    const moved = { ...days, start: { date: '2026-12-03' }, end: { date: '2026-12-04' } };
    expect(wayBack(days, moved, ['start', 'end'])).toMatchObject([
      { args: { startTime: '2026-12-01', endTime: '2026-12-02', allDay: true } },
    ]);
  });

  it('GA-26, AP-21: the way back of an event does not take back an end when somebody has moved the start since', () => {
    const time = (hour: string) => ({ dateTime: `2026-12-01T${hour}:00:00Z`, timeZone: 'UTC' });
    const left = { ...BEFORE, end: time('12'), updated: 'a' };
    const moved = { ...left, start: time('08'), updated: 'b' };
    const retitled = { ...left, summary: 'Other', updated: 'b' };
    const touched = withCompanions(EVENT, ['end']);
    const mayBe = (current: JsonObject) => EVENT && mayBeRestored(EVENT, { left, before: BEFORE, current }, touched);
    expect([moved, retitled].map(mayBe)).toEqual([false, true]);
  });

  it('GA-26: names the calendar where it is not the user’s own', () => {
    const requests = EVENT?.restore({ ids: ['team', 'e1'], before: null, current: BEFORE, touched: [] });
    expect(typeof requests === 'string' ? requests : requests?.map(plannedToolCall)).toEqual([
      { name: 'delete_event', args: { eventId: 'e1', calendarId: 'team', notificationLevel: 'NONE' } },
    ]);
    expect(EVENT && plannedToolCall({ target: EVENT.read(['team & more', 'e?1']) })).toEqual({
      name: 'get_event',
      args: { eventId: 'e?1', calendarId: 'team & more' },
    });
  });

  it('GA-26: gives the former response again where nothing else of the guests has changed', () => {
    const answered = { ...BEFORE, attendees: [{ ...ME, responseStatus: 'accepted' }, OTHER] };
    expect(wayBack(BEFORE, answered, ['attendees'])).toEqual([
      {
        name: 'respond_to_event',
        args: { eventId: 'e1', responseStatus: 'tentative', notificationLevel: 'NONE' },
      },
    ]);
    const fewer = { ...BEFORE, attendees: [{ ...ME, responseStatus: 'accepted' }] };
    expect(wayBack(BEFORE, fewer, ['attendees'])).toBe('no_tool');
    const commented = { ...BEFORE, attendees: [{ ...ME, comment: 'Late' }, OTHER] };
    expect(wayBack(BEFORE, commented, ['attendees'])).toBe('no_tool');
    const invited = { ...BEFORE, attendees: [{ ...ME, responseStatus: 'needsAction' }, OTHER] };
    expect(wayBack(invited, answered, ['attendees'])).toBe('no_tool');
  });

  it.each([
    ['a member that was empty', BEFORE, { description: 'New' }, ['description']],
    ['guests together with the title', BEFORE, { summary: 'Other', attendees: [] }, ['summary', 'attendees']],
    ['a member that is not known', BEFORE, { conferenceData: {} }, ['conferenceData']],
    ['a series', { ...BEFORE, recurrence: ['RRULE:FREQ=DAILY'] }, { summary: 'Other' }, ['summary']],
    ['a time that became a whole day', BEFORE, { start: { date: '2026-12-01' } }, ['start']],
    ['times in two zones', { ...BEFORE, end: { ...BEFORE.end, timeZone: 'Europe/Berlin' } }, {}, ['start']],
    ['times of another spelling', { ...BEFORE, start: '2026-12-01T09:00:00Z' }, {}, ['start']],
    ['a deleted event', BEFORE, { status: 'cancelled' }, ['status']],
  ])('GA-26: there is none for %s', (_, before, change, touched) => {
    expect(wayBack(before, { ...before, ...change }, touched)).toBe('no_tool');
  });

  it('GA-26: a created event is deleted only where its answer counts changes', () => {
    expect(wayBack(null, BEFORE, [])).toMatchObject([{ name: 'delete_event' }]);
    const { updated: _, ...uncounted } = BEFORE;
    expect(wayBack(null, uncounted, [])).toBe('not_readable');
  });

  it('GA-26: a created series is not deleted, however the argument for its rule is spelled', () => {
    expect(wayBack(null, { ...BEFORE, recurrence: ['RRULE:FREQ=DAILY'] }, [])).toBe('no_tool');
  });
});

describe('the arguments of a call that cannot be taken back', () => {
  const UNZONED = { ...BEFORE, start: { dateTime: '2026-12-01T09:00:00Z' }, end: { dateTime: '2026-12-01T10:00:00Z' } };
  const DAYS = { ...BEFORE, start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
  const atFault = (name: string, args: JsonObject, before: JsonObject = BEFORE) => {
    const body = { eventId: 'e1', ...args };
    const method = toolMethod(name);
    const planned = TOOL_INVERSES['google-calendar']?.methods[method]?.({
      ...{ method, ids: [], query: new Map(), body, media: 'none' },
    });
    return typeof planned === 'object' ? planned.argumentAtFault?.(before) : planned;
  };

  it.each([
    ['summary', { summary: 'Other', description: 'New' }, { ...BEFORE, summary: '' }],
    ['attendees', { attendees: [] }, BEFORE],
    ['constructor', { constructor: 'x' }, BEFORE],
    ['timeZone', { timeZone: 'Europe/Berlin' }, UNZONED],
    ['endTime', { startTime: '2026-12-02T09:00:00Z', endTime: '2026-12-02' }, BEFORE],
    ['startTime', { startTime: '2026-12-02T09:00:00Z' }, DAYS],
    ['startTime', { startTime: '2026-12-02T09:30:00Z' }, { ...BEFORE, end: { ...BEFORE.end, timeZone: 'Asia/Tokyo' } }],
    [undefined, { startTime: '2026-12-02T09:00:00Z', timeZone: 'Europe/Berlin', summary: 'Other' }, BEFORE],
    [undefined, { startTime: '2026-12-03', allDay: true }, DAYS],
    [undefined, { allDay: false, notificationLevel: 'NONE' }, BEFORE],
  ])('GA-26: the one of an update is %s for %j', (expected, args, before) => {
    expect(atFault('update_event', args, before)).toBe(expected);
  });

  it('GA-26: a response is taken back only without other arguments', () => {
    expect(atFault('respond_to_event', { responseStatus: 'accepted' })).toBeUndefined();
    expect(atFault('respond_to_event', { responseStatus: 'accepted', responseComment: '' })).toBe('responseComment');
    const invited = { ...BEFORE, attendees: [{ ...ME, responseStatus: 'needsAction' }] };
    expect(atFault('respond_to_event', { responseStatus: 'accepted' }, invited)).toBe('responseStatus');
  });
});

describe('a tool for a way back', () => {
  const tool = (properties: object): PinnedList => ({
    tools: [{ name: 'delete_event', accepted: { name: 'delete_event', description: '', inputSchema: { properties } } }],
    fetchedAtEpochSec: 0,
    version: 1,
  });
  const call = { name: 'delete_event', args: { eventId: 'e1', notificationLevel: 'NONE' } };

  it.each([
    ['has all arguments', true, tool({ eventId: {}, notificationLevel: { enum: ['NONE', 'ALL'] } })],
    ['names no values', true, tool({ eventId: {}, notificationLevel: { type: 'string' } })],
    ['has no argument for notifications', false, tool({ eventId: {} })],
    ['has no such value', false, tool({ eventId: {}, notificationLevel: { enum: ['ALL'] } })],
    ['is in no list', false, { ...tool({}), tools: [] }],
    ['was never fetched', false, undefined],
  ])('GA-26: a tool that %s: may be called is %s', (_, expected, list) => {
    expect(isOffered(list, call)).toBe(expected);
  });

  it('GA-22, GA-26: a tool for a way back is not used once it has changed, until it is accepted', () => {
    const list = tool({ eventId: {}, notificationLevel: {} });
    const [pinned] = list.tools;
    const accepted = pinned?.accepted;
    if (accepted === undefined) throw new Error('Nothing is pinned');
    const changed = {
      ...list,
      tools: [{ name: 'delete_event', accepted, waiting: { ...accepted, description: 'New' } }],
    };
    expect([isOffered(list, call), isOffered(changed, call)]).toEqual([true, false]);
  });
});
