import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { Shape } from '../../gateway/providers/described-methods.rules.ts';
import { calledObject, type ObjectKind, versionOf } from './called-object.rules.ts';
import { isList, isObject, type JsonObject, type ReadCall, valueAt } from './read-call.rules.ts';
import {
  leftPath,
  mayBeMissing,
  type Principal,
  placeOf,
  principalOf,
  type Readings,
  readersOf,
  targetPath,
} from './readings.rules.ts';
import { sentenceOf } from './sentences.rules.ts';
import { shownLines, shownText } from './shown-text.rules.ts';

/** Names of the sentences that say what a call does; their texts stand with the languages. */
export type { Sentence } from './sentences.rules.ts';

/** A value as a person is shown it, without words of any language. */
export type ShownValue =
  /** Words of others. */
  | { readonly kind: 'text'; readonly text: string }
  /** The provider's own words, numbers and ids. */
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'flag'; readonly isOn: boolean }
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'who'; readonly who: Principal; readonly isOutside: boolean }
  | { readonly kind: 'time'; readonly iso: string; readonly zone: string }
  /** A time of a clock in a zone, or a whole day. */
  | { readonly kind: 'local'; readonly text: string; readonly zone: string | undefined }
  | { readonly kind: 'word'; readonly word: ShownWord; readonly count?: number }
  /** One member of an object, by its path there. */
  | { readonly kind: 'member'; readonly name: string; readonly value: ShownValue };

export type ShownWord =
  | 'series'
  | 'one_of_series'
  | 'single'
  | 'my_drive'
  | 'readers_unknown'
  | 'readers_more'
  | 'only_account'
  | 'other_guests'
  | 'folder'
  | 'bytes'
  | 'object_unknown'
  | 'tool_effects';

/** One thing that a call changes or that matters to it. */
export interface Fact {
  /** Name of a label of the languages, or the provider's name of a member in `code`. */
  readonly label: string;
  readonly isCode: boolean;
  /** Undefined where there was nothing, or where nothing stood there before by the nature of the call. */
  readonly before: readonly ShownValue[] | undefined;
  /** Empty where it is taken away. */
  readonly after: readonly ShownValue[];
  /** It opens access, or leaves the organization. */
  readonly isRisk: boolean;
}

/** What a person is warned of, in red. */
export type Risk =
  | 'public_link'
  | 'public_found'
  | 'public_web'
  | 'place_public'
  | 'outside'
  | 'place_outside'
  | 'readers_unknown'
  | 'inherits'
  | 'opens'
  | 'all_events';

/** What a person learns of a call before they decide: facts, no words of any language. */
export interface AboutCall {
  readonly sentence: ReturnType<typeof sentenceOf>;
  readonly methodId: string;
  /** Address of the account that the call is made as. */
  readonly account: string | undefined;
  readonly object: { readonly kind: ObjectKind; readonly id: string } | undefined;
  /** What it is about, as the provider names it now; its id where it has no name. */
  readonly name: { readonly text: string; readonly isId: boolean } | undefined;
  /** Words of the caller: what a new name or text would be. */
  readonly new: string | undefined;
  /** Who gets or loses something. */
  readonly who: Principal | undefined;
  readonly role: string | undefined;
  readonly facts: readonly Fact[];
  readonly risks: readonly Risk[];
  /** The people who get an e-mail from the provider. */
  readonly mails:
    | {
        readonly to: readonly string[];
        readonly isOutsideOnly: boolean;
        /** The provider does not show all of them to this account. */
        readonly isCut: boolean;
      }
    | undefined;
  readonly owner: string | undefined;
  /** Why it cannot be approved. */
  readonly warning: 'cannot_name' | 'is_gone' | undefined;
  /** What has to hold when the call is sent: the object's version, and a digest of all that was shown. */
  readonly seen: string;
}

/** Whose account a call is made as. */
export interface Account {
  readonly email: string | undefined;
}

/**
 * What a call does, by the request and what the provider says of its objects now.
 *
 * @param readings of every path that `missingPaths` names
 */
export function aboutCall(call: ReadCall, readings: Readings, account: Account): AboutCall {
  const object = calledObject(call);
  const json = (path: string | undefined) => {
    const reading = path === undefined ? undefined : readings.get(path);
    return reading?.status === 200 ? reading.json : undefined;
  };
  const main = json(object?.readPath);
  const part = json(object?.partPath);
  const scene: Scene = { call, main, part, account, zone: zoneOf(call, json), read: json, readings };
  const who = whoOf(scene);
  const sharing = who === undefined ? [] : sharingRisks(scene, who);
  const place = placeFacts(scene);
  const facts = [
    ...factsOfPath(scene),
    ...scopeFacts(scene),
    ...guestFacts(scene),
    ...bodyFacts(scene),
    ...clearedFacts(scene),
    ...queryFacts(scene),
    ...place.facts,
  ];
  const risks = new Set<Risk>([...sharing, ...place.risks, ...memberRisks(scene)]);
  const invited = quickGuests(call).map((address) => ({ type: 'user', address }) as const);
  if (facts.some(reachesOut) || invited.some((one) => isOutside(account, one))) risks.add('outside');
  const sentence = sentenceOf(call, main);
  if (sentence.startsWith('series_')) risks.add('all_events');
  const current = textOf(main?.name) ?? textOf(main?.summary) ?? textOf(json(targetPath(call))?.summary);
  const described = {
    sentence,
    methodId: call.methodId,
    account: account.email && shownText(account.email),
    object: object && { kind: object.kind, id: object.id },
    name: nameOf(object, current),
    new: newWords(call),
    who,
    role: textOf(call.body.role) ?? firstText(call.body.role) ?? textOf(part?.role),
    facts,
    risks: [...risks],
    mails: mailsOf(scene, who),
    owner: ownerOf(main),
    warning: warningOf(scene),
  };
  const digest = sha256Hex(JSON.stringify(described)).slice(0, 16);
  return { ...described, seen: `${versionOf(object, main) ?? ''}~${digest}` };
}

/** Whether a fact names somebody outside who gets something by the call. */
function reachesOut({ label, after }: Fact): boolean {
  const isApart = label === 'readers' || label === 'guests_removed' || label === 'guests_kept';
  return !isApart && after.some(isOutsider);
}

/** Whether a value names somebody outside, who is not one that is taken off. */
export function isOutsider(value: ShownValue): boolean {
  if (value.kind === 'member') return !/\bremoved\w*$/.test(value.name) && isOutsider(value.value);
  return value.kind === 'who' && value.isOutside;
}

/** The object's version within what was seen; undefined where it has none. */
export function seenVersion(seen: string | undefined): string | undefined {
  const version = seen?.slice(0, Math.max(0, seen.lastIndexOf('~')));
  return version === '' ? undefined : version;
}

interface Scene {
  readonly call: ReadCall;
  readonly main: JsonObject | undefined;
  readonly part: JsonObject | undefined;
  readonly account: Account;
  /** Zone in which times are shown. */
  readonly zone: string;
  readonly read: (path: string | undefined) => JsonObject | undefined;
  readonly readings: Readings;
}

function warningOf({ call, main, readings }: Scene): AboutCall['warning'] {
  const missing = [...readings].filter(
    ([path, one]) => one === undefined || (one.status !== 200 && !mayBeMissing(path)),
  );
  // Guests that the provider does not show may come or go by what replaces the list.
  const changesGuests = call.body.attendees !== undefined || call.methodId === 'calendar.events.update';
  if (isOwnAnswer(call)) {
    if (!isOnlyAnswer(call, main)) return 'cannot_name';
  } else if (main?.attendeesOmitted === true && changesGuests) return 'cannot_name';
  if (missing.length === 0) return undefined;
  return missing.every(([, one]) => one?.status === 404 || one?.status === 410) ? 'is_gone' : 'cannot_name';
}

function zoneOf(call: ReadCall, json: Scene['read']): string {
  const zone = json(placeOf(call, undefined)?.namePath)?.timeZone;
  return typeof zone === 'string' ? zone : 'UTC';
}

function nameOf(object: ReturnType<typeof calledObject>, name: string | undefined): AboutCall['name'] {
  if (name !== undefined) return { text: shownText(name), isId: false };
  return object === undefined ? undefined : { text: shownText(object.id), isId: true };
}

/** The caller's words for what will be there. */
function newWords({ methodId, body, query }: ReadCall): string | undefined {
  const isQuick = methodId === 'calendar.events.quickAdd';
  const text = isQuick ? query.get('text') : (textOf(body.name) ?? textOf(body.summary));
  return text === undefined ? undefined : shownText(text);
}

/** Who gets, changes or loses access. */
function whoOf({ call: { methodId, body, query, ids }, part }: Scene): Principal | undefined {
  const person = (address: unknown): Principal | undefined =>
    typeof address === 'string' ? { type: 'user', address: shownText(address), isFound: false } : undefined;
  switch (methodId) {
    case 'drive.permissions.create':
      return principalOf(body);
    case 'calendar.acl.insert':
      return principalOf({ scope: body.scope });
    case 'drive.permissions.update':
    case 'drive.permissions.delete':
    case 'calendar.acl.patch':
    case 'calendar.acl.update':
    case 'calendar.acl.delete':
      if (part !== undefined) return principalOf(part);
      return { type: 'unknown', address: ids.permission ?? ids.rule, isFound: false };
    case 'drive.accessproposals.resolve':
      return person(part?.recipientEmailAddress ?? part?.requesterEmailAddress);
    case 'calendar.calendars.transferOwnership':
      return person(query.get('newDataOwner'));
    default:
      return undefined;
  }
}

const PERSONAL_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** Whether an address or a domain is outside the account's organization; the account itself never is. */
function isOutside({ email }: Account, who: Pick<Principal, 'type' | 'address'>): boolean {
  if (who.type === 'anyone') return true;
  if (email === undefined || who.address === undefined) return true;
  const address = who.address.toLowerCase();
  if (address === email.toLowerCase()) return false;
  const domain = email.toLowerCase().slice(email.lastIndexOf('@') + 1);
  return PERSONAL_DOMAINS.has(domain) || address.slice(address.lastIndexOf('@') + 1) !== domain;
}

/** Somebody as a person is shown them. */
export function shownWho(account: Account, who: Principal): ShownValue {
  return {
    kind: 'who',
    who: { ...who, address: who.address && shownText(who.address) },
    isOutside: isOutside(account, who),
  };
}

/** What of a sharing leaves the organization or becomes public. */
function sharingRisks({ call: { methodId, body }, account }: Scene, who: Principal): readonly Risk[] {
  const isTaken = /\.(?:permissions|acl)\.delete$/.test(methodId) || body.role === 'none' || body.action === 'DENY';
  if (isTaken) return [];
  if (who.type === 'anyone')
    return [methodId.startsWith('calendar') ? 'public_web' : who.isFound ? 'public_found' : 'public_link'];
  return isOutside(account, who) ? ['outside'] : [];
}

/** Old values that the path names: what is deleted or decided on. */
function factsOfPath({ call: { methodId, ids }, main, part, zone }: Scene): readonly Fact[] {
  const facts: Fact[] = [];
  const add = (label: string, value: ShownValue | undefined) => {
    if (value !== undefined) facts.push({ label, isCode: false, before: undefined, after: [value], isRisk: false });
  };
  const isDeleted = methodId.endsWith('.delete');
  if (isDeleted && part !== undefined) {
    if (textOf(part.content) !== undefined) add('text', { kind: 'text', text: shownLines(String(part.content)) });
    const author = isObject(part.author)
      ? (textOf(part.author.displayName) ?? textOf(part.author.emailAddress))
      : undefined;
    if (author !== undefined) add('author', { kind: 'text', text: shownText(author) });
  }
  if (ids.revision !== undefined && textOf(part?.modifiedTime) !== undefined) {
    add('version_of', { kind: 'time', iso: String(part?.modifiedTime), zone });
  }
  if (methodId === 'drive.accessproposals.resolve') {
    const message = textOf(part?.requestMessage);
    const requester = textOf(part?.requesterEmailAddress);
    if (requester !== undefined) add('requester', { kind: 'code', text: shownText(requester) });
    if (message !== undefined) add('message', { kind: 'text', text: shownLines(message) });
  }
  if (main?.mimeType === FOLDER_TYPE) add('contains', { kind: 'word', word: 'folder' });
  if (isDeleted && ids.event !== undefined && isObject(main?.start)) {
    add('start', momentOf(main.start, zone));
  }
  return facts;
}

const FOLDER_TYPE = 'application/vnd.google-apps.folder';

/** Whether a call is about one event or all of a series. */
function scopeFacts({ call: { ids, methodId, body }, main }: Scene): readonly Fact[] {
  if (ids.event === undefined && !/events\.(?:insert|import)$/.test(methodId)) return [];
  const recurrence = ids.event === undefined ? body.recurrence : main?.recurrence;
  const isSeries = Array.isArray(recurrence) && recurrence.length > 0;
  const isOne = typeof main?.recurringEventId === 'string';
  const word = isSeries ? 'series' : isOne ? 'one_of_series' : 'single';
  return [{ label: 'scope', isCode: false, before: undefined, after: [{ kind: 'word', word }], isRisk: false }];
}

interface Guest {
  readonly email: string;
  readonly more: JsonObject;
}

function guestsOf(value: unknown): ReadonlyMap<string, Guest> {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    all
      .filter(isObject)
      .map(({ email, id, organizer, self, ...more }) => [String(email).toLowerCase(), { email: String(email), more }]),
  );
}

/** Whether a call changes only the response of one guest: the provider leaves all others as they are. */
function isOwnAnswer({ body }: ReadCall): boolean {
  return body.attendeesOmitted === true;
}

/** Members of a guest that belong to a response. */
const ANSWER_MEMBERS = /: (?:responseStatus|comment|additionalGuests)$/;

/** Whether an answer is the account's own, and says nothing but the answer. */
function isOnlyAnswer({ body }: ReadCall, main: JsonObject | undefined): boolean {
  const [[key, guest] = []] = [...guestsOf(body.attendees)];
  const all: readonly unknown[] = Array.isArray(main?.attendees) ? main.attendees : [];
  const own = guestsOf(all.filter((one) => isObject(one) && one.self === true)).get(key ?? '');
  if (guest === undefined || own === undefined) return false;
  return guestChanges(guest, own).every(({ label }) => ANSWER_MEMBERS.test(label));
}

/** Guests that come, go or change, each by address. */
function guestFacts({ call, main, account }: Scene): readonly Fact[] {
  const { method, methodId, body } = call;
  const isPut = methodId === 'calendar.events.update';
  if (method.body?.attendees === undefined || (body.attendees === undefined && !isPut)) return [];
  const before = guestsOf(main?.attendees);
  const after = guestsOf(body.attendees);
  if (isOwnAnswer(call)) {
    const changes = [...after].flatMap(([key, guest]) => guestChanges(guest, before.get(key)));
    return [...changes, plainFact('guests_kept', { kind: 'word', word: 'other_guests' })];
  }
  const who = (email: string): ShownValue => shownWho(account, { type: 'user', address: email, isFound: false });
  const added = [...after].filter(([key]) => !before.has(key)).map(([, { email }]) => who(email));
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, { email }]) => who(email));
  const kept = [...after].filter(([key]) => before.has(key)).map(([, { email }]) => who(email));
  const fact = (label: string, values: readonly ShownValue[], isRisk: boolean): Fact[] =>
    values.length === 0 ? [] : [{ label, isCode: false, before: undefined, after: values, isRisk }];
  return [
    ...fact(
      'guests_added',
      added,
      added.some((one) => one.kind === 'who' && one.isOutside),
    ),
    ...fact('guests_removed', removed, false),
    ...fact('guests_kept', kept, false),
    ...[...after].flatMap(([key, guest]) => guestChanges(guest, before.get(key))),
  ];
}

/** What else is said of a guest, such as an answer in their name. */
function guestChanges({ email, more }: Guest, before: Guest | undefined): readonly Fact[] {
  const names = [...new Set([...Object.keys(more), ...Object.keys(before?.more ?? {})])];
  return names.flatMap((name): Fact[] => {
    const [old, now] = [before?.more[name] ?? undefined, more[name] ?? undefined].map((one) =>
      one === false ? undefined : one,
    );
    // Guests who come have not answered yet.
    const isPlain = old === now || (before === undefined && now === 'needsAction');
    const shape = name === 'displayName' || name === 'comment' ? 'text' : 'none|none';
    if (isPlain) return [];
    return [
      {
        label: `${shownText(email)}: ${name}`,
        isCode: true,
        before: old === undefined ? undefined : plainValues(shape, old),
        after: now === undefined ? [] : plainValues(shape, now),
        isRisk: false,
      },
    ];
  });
}

function plainValues(shape: Shape, value: unknown): readonly ShownValue[] {
  return valuesOf(shape, value, 'UTC', { email: undefined });
}

/** Members that the sentence or other facts show already. */
const IN_OTHER_FACTS: Readonly<Record<string, readonly string[]>> = {
  'drive.permissions.create': ['type', 'emailAddress', 'domain', 'role'],
  'calendar.acl.insert': ['scope', 'role'],
  'drive.accessproposals.resolve': ['action'],
  'calendar.calendarList.insert': ['id'],
  'calendar.events.patch': ['attendeesOmitted'],
};

/** What the body says, each member with what stood there before. */
function bodyFacts({ call, main, part, zone, account, read }: Scene): readonly Fact[] {
  const { method, methodId, body } = call;
  const isNew = !/\.(?:patch|update)$/.test(methodId);
  const old = isNew ? undefined : (part ?? main);
  const skipped = IN_OTHER_FACTS[methodId] ?? [];
  const facts: Fact[] = [];
  const visit = (shape: Shape, value: unknown, path: string) => {
    if (shape === 'none' || shape === 'same_id' || shape === 'same_scope' || shape === 'guests') return;
    if (skipped.includes(path) || path === 'parents') return;
    if (typeof shape !== 'string' && !isList(shape) && isObject(value)) {
      for (const [name, one] of Object.entries(value))
        visit(shape[name] ?? 'none', one, path === '' ? name : `${path}.${name}`);
      return;
    }
    const stood = old === undefined ? undefined : valueAt(old, path.replace('teamMembersOnly', 'driveMembersOnly'));
    if (shape === 'texts' && isObject(value)) {
      for (const [name, one] of Object.entries(value)) {
        facts.push(factOf('text', `${path}.${name}`, isObject(stood) ? stood[name] : undefined, one, zone, account));
      }
      return;
    }
    facts.push(factOf(shape, path, stood, value, zone, account));
  };
  visit(method.body ?? {}, body, '');
  const target = textOf(read(targetPath(call))?.name);
  if (target !== undefined) facts.push(plainFact('target', { kind: 'text', text: shownText(target) }));
  if (call.content !== undefined) {
    facts.push(
      plainFact(
        'content',
        { kind: 'code', text: call.content.mediaType },
        { kind: 'word', word: 'bytes', count: call.content.bytes },
      ),
    );
  }
  return facts;
}

/** A fact under a label of the languages, with nothing that stood there before. */
export function plainFact(label: string, ...after: readonly ShownValue[]): Fact {
  return { label, isCode: false, before: undefined, after, isRisk: false };
}

/** Members for which the languages have a word, by the end of their path. */
const LABELS: Readonly<Record<string, string>> = {
  name: 'name',
  summary: 'name',
  description: 'description',
  location: 'location',
  start: 'start',
  end: 'end',
  recurrence: 'repeats',
  content: 'text',
  message: 'message',
  emailMessage: 'message',
  role: 'role',
  expirationTime: 'expires',
  timeZone: 'zone',
  mimeType: 'file_type',
  newDataOwner: 'person',
  reviewerEmails: 'reviewers',
  dueTime: 'due',
  visibility: 'visibility',
  text: 'text',
};

function factOf(shape: Shape, path: string, stood: unknown, value: unknown, zone: string, account: Account): Fact {
  const label = Object.hasOwn(LABELS, path) ? LABELS[path] : undefined;
  return {
    label: label ?? shownText(path),
    isCode: label === undefined,
    before: stood === undefined || stood === null ? undefined : valuesOf(shape, stood, zone, account),
    after: value === null ? [] : valuesOf(shape, value, zone, account),
    isRisk: opens(path, value),
  };
}

/** Values of a kind; what a list holds stands one after the other. */
function valuesOf(shape: Shape, value: unknown, zone: string, account: Account): readonly ShownValue[] {
  if (Array.isArray(value)) {
    const of = isList(shape) ? shape[0] : 'text';
    const isNumbered = value.length > 1 && value.some(isObject);
    return value.flatMap((one: unknown, at) => {
      const values = valuesOf(of, one, zone, account);
      return isNumbered ? values.map((each) => memberValue(String(at + 1), each)) : values;
    });
  }
  if (shape === 'moment' && isObject(value)) {
    const moment = momentOf(value, zone);
    return moment === undefined ? [] : [moment];
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, one]) => {
      const of = shape === 'texts' ? 'text' : memberOf(shape, name);
      if (of === undefined || of === 'none') return [];
      return valuesOf(of, one, zone, account).map((each) => memberValue(shownText(name), each));
    });
  }
  if (typeof value === 'boolean') return [{ kind: 'flag', isOn: value }];
  const text = String(value);
  if (shape === 'time') return [{ kind: 'time', iso: text, zone }];
  if (shape === 'text') return [{ kind: 'text', text: shownLines(text) }];
  if (shape === 'address') return [shownWho(account, { type: 'user', address: text, isFound: false })];
  if (typeof shape === 'string' && /\b(?:reader|owner)\b/.test(shape)) return [{ kind: 'role', role: text }];
  return [{ kind: 'code', text: shownText(text) }];
}

/** A value under the name that it has in its object. */
export function memberValue(name: string, value: ShownValue): ShownValue {
  return value.kind === 'member' ? { ...value, name: `${name}.${value.name}` } : { kind: 'member', name, value };
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return typeof shape !== 'string' && !isList(shape) && Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/** A time as the caller wrote it, in the zone that it names or that its calendar has. */
function momentOf(value: JsonObject, zone: string): ShownValue | undefined {
  const { date, dateTime, timeZone } = value;
  const named = typeof timeZone === 'string' ? timeZone : undefined;
  if (typeof date === 'string') return { kind: 'local', text: date, zone: named };
  if (typeof dateTime !== 'string') return named === undefined ? undefined : { kind: 'code', text: named };
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(dateTime);
  if (hasOffset) return { kind: 'time', iso: dateTime, zone: named ?? zone };
  return { kind: 'local', text: dateTime, zone: named ?? zone };
}

/** What a PUT takes away: it replaces the whole, so what it leaves out goes. */
function clearedFacts({ call, main, zone, account }: Scene): readonly Fact[] {
  const { verb, method, body, methodId } = call;
  if (verb !== 'PUT' || main === undefined || methodId.startsWith('calendar.acl.')) return [];
  return Object.entries(method.body ?? {}).flatMap(([name, shape]): Fact[] => {
    const stood = main[name];
    const isThere = stood !== undefined && stood !== null && stood !== '' && stood !== false;
    if (shape === 'none' || shape === 'same_id' || shape === 'guests' || !isThere || body[name] !== undefined)
      return [];
    return [{ ...factOf(shape, name, stood, null, zone, account), isRisk: false }];
  });
}

/** What the query says, but for what places and mails show. */
function queryFacts({ call: { method, query, methodId }, zone, account }: Scene): readonly Fact[] {
  const elsewhere = [
    'addParents',
    'removeParents',
    'destination',
    'sendUpdates',
    'sendNotifications',
    'sendNotificationEmail',
  ];
  return [...query].flatMap(([name, value]): Fact[] => {
    const shape = method.query !== undefined && Object.hasOwn(method.query, name) ? method.query[name] : 'none';
    if (shape === undefined || shape === 'none' || elsewhere.includes(name)) return [];
    if (methodId === 'calendar.events.quickAdd' && name === 'text') return [];
    const read = shape === 'flag' ? value === 'true' : value;
    return [factOf(shape, name, undefined, read, zone, account)];
  });
}

/** Whether a member, set so, lets more people in or lets people do more. */
function opens(path: string, value: unknown): boolean {
  const last = path.split('.').at(-1) ?? path;
  const onOff = OPENS_WHEN[last];
  return (
    (onOff !== undefined && value === onOff) || (last === 'visibility' && (value === 'public' || value === 'default'))
  );
}

const OPENS_WHEN: Readonly<Record<string, boolean>> = {
  adminManagedRestrictions: false,
  allowFileDiscovery: true,
  anyoneCanAddSelf: true,
  copyRequiresWriterPermission: false,
  domainUsersOnly: false,
  driveMembersOnly: false,
  guestsCanModify: true,
  inheritedPermissionsDisabled: false,
  publishAuto: true,
  published: true,
  publishedOutsideDomain: true,
  restrictedForReaders: false,
  restrictedForWriters: false,
  sharingFoldersRequiresOrganizerPermission: false,
  teamMembersOnly: false,
  viewersCanCopyContent: true,
  writersCanShare: true,
};

function memberRisks({ call: { body, methodId } }: Scene): readonly Risk[] {
  const risks: Risk[] = [];
  const visit = (value: unknown, path: string) => {
    if (isObject(value))
      for (const [name, one] of Object.entries(value)) visit(one, path === '' ? name : `${path}.${name}`);
    else if (opens(path, value)) {
      const isWeb = path === 'published' || path === 'publishedOutsideDomain';
      risks.push(path === 'inheritedPermissionsDisabled' ? 'inherits' : isWeb ? 'public_web' : 'opens');
    }
  };
  visit(methodId.startsWith('drive.permissions.') ? {} : body, '');
  return risks;
}

/** Where something comes to and who can open that, and what it leaves. */
function placeFacts(scene: Scene): { readonly facts: readonly Fact[]; readonly risks: readonly Risk[] } {
  const { call, main, account, read, readings } = scene;
  const place = placeOf(call, main);
  const left = read(leftPath(call));
  const facts: Fact[] = [];
  const risks: Risk[] = [];
  const named = (json: JsonObject | undefined, id: string): ShownValue => {
    const name = textOf(json?.name) ?? textOf(json?.summary);
    return name === undefined ? { kind: 'code', text: shownText(id) } : { kind: 'text', text: shownText(name) };
  };
  const leftId = call.query.get('removeParents') ?? call.ids.calendar;
  if (leftPath(call) !== undefined) facts.push(plainFact('from', named(left, leftId ?? '')));
  if (place === undefined) return { facts, risks };
  const { kind, id, namePath, readersPath } = place;
  const name: ShownValue = id === 'root' ? { kind: 'word', word: 'my_drive' } : named(read(namePath), id);
  facts.push(plainFact(kind, name));
  const readers = readersOf(readings.get(readersPath));
  if (readers === undefined) {
    facts.push({ ...plainFact('readers', { kind: 'word', word: 'readers_unknown' }), isRisk: true });
    return { facts, risks: ['readers_unknown'] };
  }
  const others = readers.all.filter(({ address }) => address?.toLowerCase() !== account.email?.toLowerCase());
  const shown = others.map((one) => shownWho(account, one));
  const isPublic = others.some(({ type }) => type === 'anyone');
  const isOut = shown.some((one) => one.kind === 'who' && one.isOutside);
  if (readers.isCut) shown.push({ kind: 'word', word: 'readers_more' });
  if (shown.length === 0) shown.push({ kind: 'word', word: 'only_account' });
  facts.push({ ...plainFact('readers', ...shown), isRisk: isOut });
  if (isPublic) risks.push('place_public');
  else if (isOut) risks.push('place_outside');
  return { facts, risks };
}

function ownerOf(main: JsonObject | undefined): string | undefined {
  const owners: readonly unknown[] = Array.isArray(main?.owners) ? main.owners : [];
  const [owner = main?.organizer] = owners;
  if (!isObject(owner)) return undefined;
  const found = [textOf(owner.displayName), textOf(owner.emailAddress) ?? textOf(owner.email)];
  const known = found.filter((one) => one !== undefined).map(shownText);
  return known.length === 2 ? `${known[0]} (${known[1]})` : known[0];
}

/** The people who get an e-mail from the provider. */
function mailsOf({ call, main, part }: Scene, who: Principal | undefined): AboutCall['mails'] {
  const { methodId, body, query } = call;
  const mailed = (to: readonly (string | undefined)[], isOutsideOnly = false, isCut = false) => {
    const known = [...new Set(to.filter((one) => one !== undefined).map(shownText))];
    return known.length === 0 && !isCut ? undefined : { to: known, isOutsideOnly, isCut };
  };
  if (methodId === 'drive.permissions.create') {
    const isPerson = body.type === 'user' || body.type === 'group';
    return isPerson && query.get('sendNotificationEmail') !== 'false' ? mailed([who?.address]) : undefined;
  }
  if (methodId === 'drive.permissions.update') return body.role === 'owner' ? mailed([who?.address]) : undefined;
  if (/^calendar\.acl\.(?:insert|patch|update)$/.test(methodId)) {
    const isPerson = who?.type === 'user' || who?.type === 'group';
    return isPerson && body.role !== 'none' && query.get('sendNotifications') !== 'false'
      ? mailed([who.address])
      : undefined;
  }
  if (methodId === 'drive.accessproposals.resolve') {
    return body.sendNotification === true ? mailed([textOf(part?.requesterEmailAddress), who?.address]) : undefined;
  }
  if (methodId === 'drive.approvals.start' || methodId === 'drive.approvals.reassign') {
    return mailed([...addedReviewers(body)]);
  }
  if (!methodId.startsWith('calendar.events.')) return undefined;
  const sends = query.get('sendUpdates') ?? (query.get('sendNotifications') === 'true' ? 'all' : 'none');
  if (sends === 'none') return undefined;
  const guests = new Map([...guestsOf(main?.attendees), ...guestsOf(body.attendees)]);
  const known = [...[...guests.values()].map(({ email }) => email), ...quickGuests(call)];
  return mailed(known, sends === 'externalOnly', main?.attendeesOmitted === true);
}

/** What the text of a quick event may name as the address of a guest. */
function quickGuests({ methodId, query }: ReadCall): readonly string[] {
  const text = methodId === 'calendar.events.quickAdd' ? (query.get('text') ?? '') : '';
  const words = text.split(/[\s,;<>()]/).map(withoutEndMarks);
  return words.filter((word) => word.includes('@'));
}

/** A word without the marks that end its sentence. An expression would try them again from each mark. */
function withoutEndMarks(word: string): string {
  let end = word.length;
  while (end > 0 && `.!?:'"`.includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

function addedReviewers(body: JsonObject): readonly string[] {
  const texts: string[] = [];
  const visit = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const one of value) visit(one, name);
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) visit(one, key);
    else if (typeof value === 'string' && /^(?:reviewerEmails|addedReviewerEmail)$/.test(name)) texts.push(value);
  };
  visit(body, '');
  return texts;
}

function firstText(value: unknown): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  return textOf(first);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
