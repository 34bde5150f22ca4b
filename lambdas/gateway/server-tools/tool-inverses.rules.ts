import { ownMember } from '../core/own-member.ts';
import { CALENDAR_INVERSES } from '../providers/google-calendar/inverses.rules.ts';
import { DRIVE_INVERSES } from '../providers/google-drive/inverses.rules.ts';
import {
  type ApiRequest,
  type Inverses,
  isObject,
  isSameMember,
  type JsonObject,
  type ObjectKind,
  type ObjectRef,
  objectsOf,
  textOf,
  type WritingMethod,
} from '../providers/inverse.rules.ts';
import type { ProviderId } from '../providers/provider-ids.rules.ts';
import { offered, type PinnedList } from './pins.rules.ts';

/** A tool with its arguments, in requests that journal and undo plan. */
export interface PlannedToolCall {
  readonly name: string;
  readonly args: JsonObject;
}

const START = 'tools/';

/** How journal and undo name a tool as a method. */
export function toolMethod(name: string): string {
  return START + name;
}

/** The call of a tool that a request stands for; one that reads has its arguments as a query. Undefined for a request of the REST API. */
export function plannedToolCall({ target, body }: Pick<ApiRequest, 'target' | 'body'>): PlannedToolCall | undefined {
  if (!target.startsWith(START)) return undefined;
  const queryAt = target.indexOf('?');
  const name = target.slice(START.length, queryAt < 0 ? undefined : queryAt);
  return { name, args: body ?? Object.fromEntries(new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt))) };
}

/** Whether a server offers a tool with these arguments: accepted, unchanged, and each argument and value in its schema. */
export function isOffered(list: PinnedList | undefined, { name, args }: PlannedToolCall): boolean {
  const tool = list && offered(list).find((one) => one.name === name);
  const properties = tool?.inputSchema.properties;
  if (!isObject(properties)) return false;
  return Object.entries(args).every(([argument, value]) => {
    const schema = ownMember(properties, argument);
    return isObject(schema) && (!Array.isArray(schema.enum) || schema.enum.includes(value));
  });
}

const call = (name: string, args: JsonObject): ApiRequest => ({
  method: 'POST',
  target: toolMethod(name),
  body: args,
});

const PRIMARY = 'primary';
/** No undo sends mails: a tool without this argument is not used. */
const QUIETLY = { notificationLevel: 'NONE' };

function namedEvent([calendarId, id]: readonly string[]): Record<string, string> {
  return { eventId: id ?? '', ...(calendarId === undefined || calendarId === PRIMARY ? {} : { calendarId }) };
}

/** Members that change by themselves, and say nothing of what users have set. */
const VOLATILE = ['etag', 'kind', 'sequence', 'htmlLink', 'created'];
/** Members that `update_event` writes as it reads them. */
const TEXTS = ['summary', 'description', 'location', 'visibility'];
const TIMES = ['start', 'end'];
/** What the arguments of `update_event` change, where the way back is known. */
const CHANGED_BY: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(TEXTS.map((name) => [name, [name]])),
  startTime: ['start'],
  endTime: ['end'],
  timeZone: TIMES,
  allDay: TIMES,
};
/** Arguments of `create_event` whose effects end with the event. */
const ENDS_WITH_EVENT = [
  'calendarId',
  'notificationLevel',
  'attendeeEmails',
  'addGoogleMeetUrl',
  ...Object.keys(CHANGED_BY),
];
/** Arguments that change nothing of an event. */
const NO_CHANGE = ['eventId', 'calendarId', 'notificationLevel'];
/** Responses that a user can give; that none was given yet cannot be said again. */
const RESPONSES = ['accepted', 'declined', 'tentative'];

/** Arguments that give an event its former times back; undefined where they cannot. */
function timesBack(before: JsonObject, after: JsonObject | null | undefined): JsonObject | undefined {
  const [start, end] = [timeOf(before.start), timeOf(before.end)];
  if (start === undefined || end === undefined || start.form !== end.form || start.zone !== end.zone) return undefined;
  const now = after === undefined || after === null ? undefined : timeOf(after.start);
  // Whether a time becomes a day again as it was is the server's to say.
  if (now !== undefined && now.form !== start.form) return undefined;
  const zone = start.zone === undefined ? {} : { timeZone: start.zone };
  return {
    ...{ startTime: start.text, endTime: end.text, ...zone },
    ...(start.form === 'date' ? { allDay: true } : {}),
  };
}

/** Whether an argument of `update_event` does to an event what the tool can take back. */
function canBeTakenBack(argument: string, args: JsonObject, before: JsonObject): boolean {
  if (TEXTS.includes(argument)) return (textOf(before, argument) ?? '') !== '';
  if (ownMember(CHANGED_BY, argument) === undefined) return false;
  const start = timeOf(before.start);
  if (start === undefined || timesBack(before, undefined) === undefined) return false;
  // No argument takes a zone away.
  if (argument === 'timeZone') return start.zone !== undefined;
  const isDate = args.allDay === true || (argument !== 'allDay' && DATE.test(textOf(args, argument) ?? ''));
  return isDate === (start.form === 'date');
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function timeOf(value: unknown) {
  if (!isObject(value)) return undefined;
  const [date, dateTime, zone] = [textOf(value, 'date'), textOf(value, 'dateTime'), textOf(value, 'timeZone')];
  if (date !== undefined && dateTime === undefined) return { form: 'date', text: date, zone } as const;
  return dateTime === undefined ? undefined : ({ form: 'time', text: dateTime, zone } as const);
}

/** The user's former response, where nothing else of the guests has changed; undefined where it cannot be given again. */
function responseBack(before: JsonObject, after: JsonObject | null | undefined): string | undefined {
  const response = textOf(ownGuest(before), 'responseStatus');
  const hasComment = [before, after ?? null].some((state) => textOf(ownGuest(state), 'comment') !== undefined);
  if (response === undefined || !RESPONSES.includes(response) || hasComment) return undefined;
  const others = (state: JsonObject) =>
    objectsOf(state.attendees).map((guest) => (guest.self === true ? { ...guest, responseStatus: response } : guest));
  const isSame = !isObject(after) || isSameMember({ guests: others(before) }, { guests: others(after) }, 'guests');
  return isSame ? response : undefined;
}

function ownGuest(state: JsonObject | null): JsonObject | undefined {
  return objectsOf(state?.attendees).find(({ self }) => self === true);
}

/** The call that brings members of an event back; undefined where no tool brings exactly them back. */
function eventBack(
  ids: readonly string[],
  before: JsonObject,
  after: JsonObject | null | undefined,
  touched: readonly string[],
): ApiRequest | undefined {
  if (touched.every((name) => name === 'attendees')) {
    const responseStatus = responseBack(before, after);
    if (responseStatus === undefined) return undefined;
    return call('respond_to_event', { ...namedEvent(ids), responseStatus, ...QUIETLY });
  }
  const texts = touched.filter((name) => TEXTS.includes(name));
  const times = touched.some((name) => TIMES.includes(name)) ? timesBack(before, after) : {};
  const isKnown = touched.every((name) => TEXTS.includes(name) || TIMES.includes(name));
  // Whether an empty text removes a member is not known.
  if (!isKnown || times === undefined || texts.some((name) => (textOf(before, name) ?? '') === '')) return undefined;
  const old = Object.fromEntries(texts.map((name) => [name, before[name]]));
  return call('update_event', { ...namedEvent(ids), ...old, ...times, ...QUIETLY });
}

const EVENT: ObjectKind = {
  read: (ids) => `${toolMethod('get_event')}?${new URLSearchParams(namedEvent(ids))}`,
  stateOf: (event) => Object.fromEntries(Object.entries(event).filter(([name]) => !VOLATILE.includes(name))),
  version: 'updated',
  isChecked: true,
  together: TIMES,
  obstacle({ before, after, touched }) {
    if (before === null) {
      // Others may have changed instances of a series, which would be deleted with it.
      if (after?.recurrence !== undefined) return 'no_tool';
      // Without a count of changes, one by somebody else could be overlooked, and deleted with the event.
      return isObject(after) && textOf(after, 'updated') === undefined ? 'not_readable' : undefined;
    }
    // What a series has of instances of their own is not read.
    if (before.recurrence !== undefined) return 'no_tool';
    return touched.length === 0 || eventBack([], before, after, touched) !== undefined ? undefined : 'no_tool';
  },
  restore({ ids, before, current, touched }) {
    if (before === null) return [call('delete_event', { ...namedEvent(ids), ...QUIETLY })];
    const back = current === null || current.status === 'cancelled' ? undefined : eventBack(ids, before, null, touched);
    return back === undefined ? 'no_tool' : [back];
  },
};

const event = (args: JsonObject, id: string | undefined): ObjectRef | undefined =>
  id === undefined ? undefined : { kind: 'calendar.event', ids: [textOf(args, 'calendarId') ?? PRIMARY, id] };

const createsEvent: WritingMethod = ({ body }) => ({
  made: (answer) => event(body, textOf(answer, 'id')),
  touched: ['summary', 'description', 'location', 'start', 'end', 'attendees', 'visibility', 'updated'],
  makes: true,
  needs: call('delete_event', { eventId: '', ...QUIETLY }),
  argumentAtFault: () => Object.keys(body).find((argument) => !ENDS_WITH_EVENT.includes(argument)),
  ...(body.recurrenceData === undefined ? {} : { never: 'no_tool' as const }),
});

const changesEvent =
  (
    changedBy: Readonly<Record<string, readonly string[]>>,
    isTakenBack: (argument: string, args: JsonObject, before: JsonObject) => boolean,
  ): WritingMethod =>
  ({ body }) => {
    const object = event(body, textOf(body, 'eventId'));
    if (object === undefined) return 'unreadable_body';
    const changing = Object.keys(body).filter((argument) => !NO_CHANGE.includes(argument));
    const membersOf = (argument: string) => ownMember(changedBy, argument) ?? [argument];
    return {
      object,
      touched: [...new Set(changing.flatMap(membersOf))],
      byDifference: true,
      argumentAtFault: (before) => changing.find((argument) => !isTakenBack(argument, body, before)),
    };
  };

/** A deleted event can only be created again as another one, without the answers of its guests. */
const deletesEvent: WritingMethod = ({ body }) => {
  const object = event(body, textOf(body, 'eventId'));
  return object === undefined ? 'unreadable_body' : { object, touched: ['status'], never: 'no_tool' };
};

const FILE: ObjectKind = {
  read: ([id = '']) => `${toolMethod('get_file_metadata')}?${new URLSearchParams({ fileId: id })}`,
  obstacle: () => 'no_tool',
  restore: () => 'no_tool',
};

/** Google's reference has no tool for the trash (GA-26). */
const makesFile: WritingMethod = () => ({
  made: (answer) => {
    const id = textOf(answer, 'id');
    return id === undefined ? undefined : { kind: 'drive.file', ids: [id] };
  },
  touched: [],
  makes: true,
  never: 'no_tool',
});

/**
 * How writes by tools of a provider's MCP server are undone: by tools of the same server, and only where these bring back exactly what was
 * there (GA-26).
 */
export const TOOL_INVERSES: Readonly<Partial<Record<ProviderId, Inverses>>> = {
  'google-drive': {
    restReasons: DRIVE_INVERSES.restReasons,
    methods: { [toolMethod('create_file')]: makesFile, [toolMethod('copy_file')]: makesFile },
    kinds: { 'drive.file': FILE },
  },
  'google-calendar': {
    restReasons: CALENDAR_INVERSES.restReasons,
    methods: {
      [toolMethod('create_event')]: createsEvent,
      [toolMethod('update_event')]: changesEvent(CHANGED_BY, canBeTakenBack),
      [toolMethod('respond_to_event')]: changesEvent(
        { responseStatus: ['attendees'] },
        (argument, _, before) => argument === 'responseStatus' && responseBack(before, undefined) !== undefined,
      ),
      [toolMethod('delete_event')]: deletesEvent,
    },
    kinds: { 'calendar.event': EVENT },
    ...(CALENDAR_INVERSES.sameId === undefined ? {} : { sameId: CALENDAR_INVERSES.sameId }),
  },
};
