import { refusal } from '../api/refusals.ts';
import { isRecord } from '../parse.ts';
import { type EventResource, eventText, recurrenceOf } from '../state/calendar.ts';
import { daysBetween } from './zoned-time.ts';

type Malformed = 'malformedWorkingLocation' | 'malformedOutOfOffice' | 'malformedFocusTime';

/** What events of one type may have (Google Calendar API, "Event types" and the guides of each type). */
interface EventTypeRule {
  /** Only Google makes the others. */
  isCreatable: boolean;
  isForPrimaryOnly: boolean;
  /** The member that holds what only this type has. */
  ownMember: string | undefined;
  /** `any`; `timed` excludes whole days; `oneDay` allows whole days only one at a time; `oneWholeDay` is nothing else. */
  days: 'any' | 'timed' | 'oneDay' | 'oneWholeDay';
  /** Members that the type must not have; not whether they are empty. */
  without: readonly string[];
  /** Values that the type always has: none sent counts as this one, any other is refused. */
  fixed: Readonly<Record<string, string>>;
  /** The row of the refusals for what is wrong with the type; undefined for a type without rules of its own. */
  malformed: Malformed | 'birthdayMember' | undefined;
}

const PEOPLE = ['attendees', 'conferenceData'];

const EVENT_TYPES: Readonly<Record<string, EventTypeRule>> = {
  default: {
    isCreatable: true,
    isForPrimaryOnly: false,
    ownMember: undefined,
    days: 'any',
    without: [],
    fixed: {},
    malformed: undefined,
  },
  birthday: {
    isCreatable: true,
    isForPrimaryOnly: true,
    ownMember: 'birthdayProperties',
    days: 'oneWholeDay',
    // Known of extended properties, guests and conferences; refused of the others because it is not known.
    without: [...PEOPLE, 'extendedProperties', 'attachments', 'description', 'location', 'source', 'gadget'],
    fixed: { visibility: 'private', transparency: 'transparent' },
    malformed: 'birthdayMember',
  },
  outOfOffice: {
    isCreatable: true,
    isForPrimaryOnly: true,
    ownMember: 'outOfOfficeProperties',
    days: 'timed',
    without: [...PEOPLE, 'attachments', 'description'],
    fixed: { transparency: 'opaque' },
    malformed: 'malformedOutOfOffice',
  },
  focusTime: {
    isCreatable: true,
    isForPrimaryOnly: true,
    ownMember: 'focusTimeProperties',
    days: 'timed',
    without: [...PEOPLE, 'attachments'],
    fixed: { transparency: 'opaque' },
    malformed: 'malformedFocusTime',
  },
  workingLocation: {
    isCreatable: true,
    isForPrimaryOnly: true,
    ownMember: 'workingLocationProperties',
    days: 'oneDay',
    without: [...PEOPLE, 'attachments'],
    fixed: { visibility: 'public', transparency: 'transparent' },
    malformed: 'malformedWorkingLocation',
  },
  fromGmail: {
    isCreatable: false,
    isForPrimaryOnly: true,
    ownMember: undefined,
    days: 'any',
    without: [],
    fixed: {},
    malformed: undefined,
  },
};

/** Values of `workingLocationProperties.type`. */
const WORKING_LOCATIONS: readonly unknown[] = ['homeOffice', 'officeLocation', 'customLocation'];

/** How a member is called in "must not have …". */
const MEMBER_WORDS: Readonly<Record<string, string>> = {
  conferenceData: 'conference data',
  gadget: 'a gadget',
  source: 'a source',
  description: 'a description',
  location: 'a location',
};

function broken(rule: EventTypeRule, what: string): Error {
  if (rule.malformed === 'birthdayMember') return refusal('birthdayValue', what.replace(/^have /, ''));
  return rule.malformed === undefined ? refusal('unknownType') : refusal(rule.malformed, what);
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0) && value !== '';
}

function wordsOf(event: EventResource, member: string): string {
  if (member !== 'extendedProperties') return MEMBER_WORDS[member] ?? member;
  const { extendedProperties } = event;
  const kind = isRecord(extendedProperties) && extendedProperties.shared !== undefined ? 'shared' : 'private';
  const hasPrivate = isRecord(extendedProperties) && extendedProperties.private !== undefined;
  return `${hasPrivate ? 'private' : kind} extended properties`;
}

function checkMembers(rule: EventTypeRule, event: EventResource): void {
  const member = rule.without.find((name) => hasValue(event[name]));
  if (member !== undefined) {
    const words = wordsOf(event, member);
    throw rule.malformed === 'birthdayMember' ? refusal('birthdayMember', words) : broken(rule, `not have ${words}`);
  }
  for (const [name, value] of Object.entries(rule.fixed)) {
    const sent = event[name];
    if (sent !== undefined && sent !== value && sent !== 'default') throw broken(rule, `have the ${name} '${value}'`);
  }
}

function checkDays(rule: EventTypeRule, { start, end }: EventResource): void {
  const first = isRecord(start) ? start.date : undefined;
  const last = isRecord(end) ? end.date : undefined;
  const days = typeof first === 'string' && typeof last === 'string' ? daysBetween(first, last) : undefined;
  if (rule.days === 'timed' && days !== undefined) throw broken(rule, 'not last whole days');
  if (rule.days === 'oneDay' && days !== undefined && days > 1) throw refusal('workingLocationDays');
  if (rule.days === 'oneWholeDay' && days !== 1 && days !== 0) throw broken(rule, 'have exactly one whole day');
}

/** A birthday repeats every year; that of 29 February on the last day of the month. */
function checkYearly(rule: EventTypeRule, event: EventResource): void {
  const [line, ...others] = recurrenceOf(event).map((one) => one.toUpperCase());
  const parts = new Map(
    (line ?? '')
      .replace(/^RRULE:/, '')
      .split(';')
      .map((part): [string, string] => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']),
  );
  const isYearly = line?.startsWith('RRULE:') === true && parts.get('FREQ') === 'YEARLY' && others.length === 0;
  const isEveryYear = (parts.get('INTERVAL') ?? '1') === '1' && !parts.has('COUNT') && !parts.has('UNTIL');
  if (!isYearly || !isEveryYear) throw broken(rule, 'have an annual recurrence without an end');
}

function checkOwnMember(rule: EventTypeRule, type: string, event: EventResource): void {
  const own = rule.ownMember === undefined ? undefined : event[rule.ownMember];
  if (type === 'birthday') {
    const kind = isRecord(own) ? (own.type ?? 'birthday') : 'birthday';
    // Only Google makes the others: anniversaries and events of contacts.
    if (kind !== 'birthday') throw broken(rule, "have the type 'birthday'");
    checkYearly(rule, event);
  }
  if (type === 'workingLocation') {
    if (!isRecord(own) || own.type === undefined) throw broken(rule, 'have a location type');
    if (!WORKING_LOCATIONS.includes(own.type)) throw broken(rule, `not have the location type '${String(own.type)}'`);
  }
}

function typeOf(event: EventResource): string {
  return eventText(event, 'eventType') || 'default';
}

/**
 * Checks an event by the rules of its type.
 * @throws {ApiError} 400 for what the type must not have or lacks
 */
export function checkEventType(event: EventResource, isPrimary: boolean): void {
  const type = typeOf(event);
  const rule = Object.hasOwn(EVENT_TYPES, type) ? EVENT_TYPES[type] : undefined;
  if (rule === undefined) throw refusal('unknownType');
  if (!rule.isCreatable) throw refusal('typeNotCreatable', type);
  if (rule.isForPrimaryOnly && !isPrimary) throw refusal('typeNotInPrimary', type);
  const owners = Object.values(EVENT_TYPES).flatMap(({ ownMember }) => ownMember ?? []);
  const stranger = owners.find((member) => member !== rule.ownMember && event[member] !== undefined);
  if (stranger !== undefined) throw refusal('strangeTypeMember', stranger, type);
  checkMembers(rule, event);
  checkDays(rule, event);
  checkOwnMember(rule, type, event);
}

/** What an event of a type always has, whether it was sent or not. */
export function fixedMembers(event: EventResource): EventResource {
  const type = typeOf(event);
  const own = event.birthdayProperties;
  const birthday = { birthdayProperties: { ...(isRecord(own) ? own : {}), type: 'birthday' } };
  return { ...EVENT_TYPES[type]?.fixed, ...(type === 'birthday' ? birthday : {}) };
}

/**
 * Refuses changes of events that belong to something else: the birthday of a contact is the contact's.
 * @throws {ApiError} 400 `eventTypeRestriction`
 */
export function checkChangeable(event: EventResource): void {
  const own = event.birthdayProperties;
  if (isRecord(own) && own.contact !== undefined) throw refusal('eventTypeRestriction', typeOf(event));
}

/** True for events that can be moved to another calendar (Calendar API v3, "Events: move"). */
export function isMovable(event: EventResource): boolean {
  return typeOf(event) === 'default';
}
