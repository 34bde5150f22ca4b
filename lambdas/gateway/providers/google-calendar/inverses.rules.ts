import {
  type ApiRequest,
  filled,
  type Inverses,
  type Irreversible,
  isObject,
  type JsonObject,
  type ObjectKind,
  type ObjectRef,
  objectsOf,
  oldValues,
  textOf,
  type WritingMethod,
} from '../inverse.rules.ts';

const API = '/calendar/v3';

/** Without notification mails; read with the same parameters as written. */
const QUIETLY = 'sendUpdates=none';
const WHOLE = `conferenceDataVersion=1&supportsAttachments=true&eventLabelVersion=1`;

/** The user's own calendar, whose id is also the user's address. */
const PRIMARY = 'primary';

const event = (calendarId: string, id: string): ObjectRef => ({ kind: 'calendar.event', ids: [calendarId, id] });

/** Members of an event that its users set: they are compared and restored (Google Calendar API, "Events"). */
const EVENT_MEMBERS = [
  ...['summary', 'description', 'location', 'colorId', 'start', 'end', 'recurrence', 'transparency', 'visibility'],
  ...['attendees', 'guestsCanInviteOthers', 'guestsCanModify', 'guestsCanSeeOtherGuests', 'anyoneCanAddSelf'],
  ...['reminders', 'extendedProperties', 'conferenceData', 'attachments', 'source', 'gadget', 'status', 'eventLabelId'],
  ...['workingLocationProperties', 'outOfOfficeProperties', 'focusTimeProperties', 'birthdayProperties'],
];

/** Members that need a parameter: they are removed only if named. */
const NAMED_TO_GO = ['conferenceData', 'attachments'];

/** The body of an event for `update`. Its sequence is omitted, because Google refuses one lower than its own. */
function bodyOf(before: JsonObject, current: JsonObject | null): JsonObject {
  const members = EVENT_MEMBERS.flatMap((name) => {
    const value = before[name];
    if (value !== undefined) return [[name, value]];
    return NAMED_TO_GO.includes(name) && current?.[name] !== undefined ? [[name, null]] : [];
  });
  return { ...Object.fromEntries(members), status: textOf(before, 'status') ?? 'confirmed' };
}

function updateTo(ids: readonly string[], before: JsonObject, current: JsonObject | null): ApiRequest {
  const etag = textOf(current, 'etag');
  return {
    method: 'PUT',
    target: `${filled(`${API}/calendars/{}/events/{}`, ids)}?${QUIETLY}&${WHOLE}`,
    body: bodyOf(before, current),
    ...(etag === undefined ? {} : { ifMatch: etag }),
  };
}

const EVENT: ObjectKind = {
  read: (ids) => `${filled(`${API}/calendars/{}/events/{}`, ids)}`,
  version: 'etag',
  exact: true,
  known: EVENT_MEMBERS,
  restore({ ids, before, current, former }) {
    const [calendarId = '', id = ''] = ids;
    if (former !== undefined) {
      const [home = ''] = former.ids;
      if (current === null || current.status === 'cancelled') return 'gone';
      const target = filled(`${API}/calendars/{}/events/{}/move`, ids);
      return [{ method: 'POST', target: `${target}?destination=${encodeURIComponent(home)}&${QUIETLY}` }];
    }
    if (before === null) {
      const etag = textOf(current, 'etag');
      const target = `${filled(`${API}/calendars/{}/events/{}`, [calendarId, id])}?${QUIETLY}`;
      return [{ method: 'DELETE', target, ...(etag === undefined ? {} : { ifMatch: etag }) }];
    }
    // Google forgets a deleted event after a while.
    if (current === null) return 'gone';
    return [updateTo(ids, before, current)];
  },
  parts: {
    // Instances of a series that differ from it all have the series' iCalUID.
    list: ([calendarId = ''], state) => {
      const uid = textOf(state, 'iCalUID');
      if (!Array.isArray(state.recurrence) || uid === undefined) return undefined;
      const path = filled(`${API}/calendars/{}/events`, [calendarId]);
      return `${path}?iCalUID=${encodeURIComponent(uid)}&showDeleted=true&maxResults=2500`;
    },
    of: ({ items }) => objectsOf(items).filter(({ recurringEventId }) => recurringEventId !== undefined),
    restore: ([calendarId = ''], part, current) =>
      updateTo([calendarId, textOf(part, 'id') ?? ''], part, current ?? null),
  },
};

const makesEvent: WritingMethod = ({ ids: [calendarId = ''], body }) => {
  const id = textOf(body, 'id');
  return {
    ...(id === undefined ? {} : { object: event(calendarId, id) }),
    made: (answer) => madeIn(calendarId, answer),
    touched: [],
    makes: true,
  };
};

function madeIn(calendarId: string, answer: JsonObject): ObjectRef | undefined {
  const id = textOf(answer, 'id');
  return id === undefined ? undefined : event(calendarId, id);
}

/** An import of an existing event replaces it. */
const importsEvent: WritingMethod = ({ ids: [calendarId = ''], body }) => ({
  made: (answer) => madeIn(calendarId, answer),
  touched: [],
  search: {
    target: `${filled(`${API}/calendars/{}/events`, [calendarId])}?iCalUID=${encodeURIComponent(textOf(body, 'iCalUID') ?? '')}`,
    find: ({ items }, { ids: [, id] }) => objectsOf(items).find((one) => one.id === id) ?? null,
  },
});

const changesEvent: WritingMethod = ({ ids: [calendarId = '', id = ''] }) => ({
  object: event(calendarId, id),
  touched: [],
});

const movesEvent: WritingMethod = ({ ids: [calendarId = '', id = ''], query }) => ({
  object: event(query.get('destination') ?? '', id),
  former: event(calendarId, id),
  touched: [],
});

const rule = (calendarId: string, id: string): ObjectRef => ({ kind: 'calendar.rule', ids: [calendarId, id] });

/** A rule's id follows from its scope (Google Calendar API, "Acl"). */
function ruleIdOf({ scope }: JsonObject): string | undefined {
  const type = isObject(scope) ? textOf(scope, 'type') : undefined;
  if (type === undefined || !isObject(scope)) return undefined;
  return type === 'default' ? 'default' : `${type}:${(textOf(scope, 'value') ?? '').trim().toLowerCase()}`;
}

const insertsRule: WritingMethod = ({ ids: [calendarId = ''], body }) => {
  const id = ruleIdOf(body);
  return id === undefined
    ? 'unreadable_body'
    : { object: rule(calendarId, id), touched: ['role'], wrote: { role: body.role } };
};

const changesRule: WritingMethod = ({ ids: [calendarId = '', id = ''], body }) => ({
  object: rule(calendarId, id),
  touched: ['role'],
  ...(body.role === undefined ? {} : { wrote: { role: body.role } }),
});

const RULE: ObjectKind = {
  read: (ids) => filled(`${API}/calendars/{}/acl/{}`, ids),
  version: 'etag',
  known: ['role'],
  // A rule that gives nothing is none.
  stateOf: (answer) => (answer.role === 'none' ? null : answer),
  restore({ ids, before, current }) {
    const path = filled(`${API}/calendars/{}/acl/{}`, ids);
    const etag = textOf(current, 'etag');
    const onlyIf = etag === undefined ? {} : { ifMatch: etag };
    if (before === null) return [{ method: 'DELETE', target: path, ...onlyIf }];
    const { role, scope } = before;
    if (current === null) {
      const target = `${filled(`${API}/calendars/{}/acl`, ids)}?sendNotifications=false`;
      return [{ method: 'POST', target, body: { role, scope } }];
    }
    return [{ method: 'PATCH', target: `${path}?sendNotifications=false`, body: { role }, ...onlyIf }];
  },
};

const COLORS = ['colorId', 'backgroundColor', 'foregroundColor'];
const ENTRY_MEMBERS = ['summaryOverride', 'hidden', 'selected', 'defaultReminders', 'notificationSettings'];
const entry = (calendarId: string): ObjectRef => ({ kind: 'calendar.entry', ids: [calendarId] });

/** The body of an entry in the user's list: its colors by id, because each id represents two. */
function entryBody(before: JsonObject, touched: readonly string[]): JsonObject {
  const names = touched.filter((name) => !COLORS.slice(1).includes(name));
  return oldValues(before, names);
}

const ENTRY: ObjectKind = {
  read: (ids) => filled(`${API}/users/me/calendarList/{}`, ids),
  version: 'etag',
  stateOf: (answer) => (answer.deleted === true ? null : answer),
  restore({ ids, before, current, touched }) {
    const path = filled(`${API}/users/me/calendarList/{}`, ids);
    if (before === null) return [{ method: 'DELETE', target: path }];
    const body = Object.fromEntries(
      Object.entries(entryBody(before, touched)).filter(([, value]) => current !== null || value !== null),
    );
    if (current === null) {
      return [{ method: 'POST', target: `${API}/users/me/calendarList`, body: { ...body, id: textOf(before, 'id') } }];
    }
    return [{ method: 'PATCH', target: path, body }];
  },
};

const insertsEntry: WritingMethod = ({ body }) => {
  const id = textOf(body, 'id');
  return id === undefined ? 'unreadable_body' : { object: entry(id), touched: [...ENTRY_MEMBERS, ...COLORS] };
};

const patchesEntry: WritingMethod = ({ ids: [calendarId = ''], body }) => {
  const touched = ENTRY_MEMBERS.filter((name) => body[name] !== undefined);
  const colors = COLORS.some((name) => body[name] !== undefined) ? COLORS : [];
  const wrote = Object.fromEntries(touched.map((name) => [name, body[name]]));
  return { object: entry(calendarId), touched: [...touched, ...colors], wrote };
};

/** An update or a delete removes omitted members. */
const replacesEntry: WritingMethod = ({ ids: [calendarId = ''] }) => ({
  object: entry(calendarId),
  touched: [...ENTRY_MEMBERS, ...COLORS],
});

const CALENDAR_MEMBERS = ['summary', 'description', 'location', 'timeZone'];
const calendar = (id: string): ObjectRef => ({ kind: 'calendar.calendar', ids: [id] });

const CALENDAR: ObjectKind = {
  read: (ids) => filled(`${API}/calendars/{}`, ids),
  version: 'etag',
  mustBeEmpty: ([id = '']) => ({
    target: `${filled(`${API}/calendars/{}/events`, [id])}?maxResults=100&fields=items(id)`,
    of: 'items',
    kind: 'calendar.event',
  }),
  restore({ ids, before, touched }) {
    const path = filled(`${API}/calendars/{}`, ids);
    if (before === null) return [{ method: 'DELETE', target: path }];
    return [{ method: 'PATCH', target: path, body: oldValues(before, touched) }];
  },
};

const makesCalendar: WritingMethod = () => ({
  made: (answer) => {
    const id = textOf(answer, 'id');
    return id === undefined ? undefined : calendar(id);
  },
  touched: CALENDAR_MEMBERS,
  makes: true,
});

const patchesCalendar: WritingMethod = ({ ids: [id = ''], body }) => ({
  object: calendar(id),
  touched: CALENDAR_MEMBERS.filter((name) => body[name] !== undefined),
  wrote: Object.fromEntries(CALENDAR_MEMBERS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))),
});

const replacesCalendar: WritingMethod = ({ ids: [id = ''] }) => ({ object: calendar(id), touched: CALENDAR_MEMBERS });

const none =
  (reason: Irreversible): WritingMethod =>
  () =>
    reason;

/** Every method of the Calendar API that writes. */
export const CALENDAR_INVERSES: Inverses = {
  restReasons: /rateLimitExceeded|quotaExceeded/i,
  methods: {
    'calendar.events.insert': makesEvent,
    'calendar.events.quickAdd': makesEvent,
    'calendar.events.import': importsEvent,
    'calendar.events.patch': changesEvent,
    'calendar.events.update': changesEvent,
    'calendar.events.move': movesEvent,
    'calendar.events.delete': changesEvent,
    'calendar.acl.insert': insertsRule,
    'calendar.acl.patch': changesRule,
    'calendar.acl.update': changesRule,
    'calendar.acl.delete': changesRule,
    'calendar.calendarList.insert': insertsEntry,
    'calendar.calendarList.patch': patchesEntry,
    'calendar.calendarList.update': replacesEntry,
    'calendar.calendarList.delete': replacesEntry,
    'calendar.calendars.insert': makesCalendar,
    'calendar.calendars.patch': patchesCalendar,
    'calendar.calendars.update': replacesCalendar,
    'calendar.calendars.delete': none('permanent'),
    'calendar.calendars.clear': none('permanent'),
    'calendar.calendars.transferOwnership': none('owner_change'),
  },
  kinds: {
    'calendar.event': EVENT,
    'calendar.rule': RULE,
    'calendar.entry': ENTRY,
    'calendar.calendar': CALENDAR,
  },
  sameId: (_kind, ids, userEmail) =>
    ids.map((id, at) =>
      at === 0 && userEmail !== null && id.toLowerCase() === userEmail.toLowerCase() ? PRIMARY : id,
    ),
};
