import { type CalledObject, isObject, type Reading, seenOf, type WaitingCall } from './called-object.rules.ts';

/** Names of the sentences that say what a call does; their texts stand with the languages. */
type Sentence =
  | `file_${'delete' | 'trash' | 'untrash' | 'rename' | 'move' | 'content' | 'change' | 'create' | 'upload' | 'copy' | 'labels'}`
  | `share_${'person' | 'everyone' | 'change' | 'end' | 'owner'}`
  | `${'comment' | 'reply'}_${'create' | 'change' | 'delete'}`
  | `revision_${'change' | 'publish' | 'delete'}`
  | `drive_${'create' | 'change' | 'delete' | 'hide' | 'unhide'}`
  | `review_${'start' | 'act'}`
  | `event_${'create' | 'quick' | 'change' | 'delete' | 'move'}`
  | `calendar_${'create' | 'change' | 'delete' | 'clear' | 'owner'}`
  | `list_${'add' | 'change' | 'remove'}`
  | `rule_${'add' | 'change' | 'end'}`
  | 'trash_empty'
  | 'access_decide'
  | 'other';

/** What a person is told of a call before they decide: facts, no words of any language. */
export interface AboutCall {
  readonly sentence: Sentence;
  readonly methodId: string;
  /** What it is about, as the provider names it now; its id where it has no name. */
  readonly name: { readonly text: string; readonly isId: boolean } | undefined;
  /** Words of the caller: what a new name or text would be. */
  readonly new: string | undefined;
  /** Who gets or loses something; undefined where the call does not say. */
  readonly who: string | undefined;
  /** The provider's word for what they may do. */
  readonly role: string | undefined;
  /** Longer words of the caller, such as a comment. */
  readonly said: string | undefined;
  readonly owner: string | undefined;
  /** Guests that an event has afterwards; undefined where the call leaves them as they are. */
  readonly guests: number | undefined;
  readonly mails: 'guests' | 'person' | undefined;
  readonly warning: 'cannot_name' | 'is_gone' | undefined;
  /** What of it has to hold when the call is sent. */
  readonly seen: string | undefined;
}

/** Characters of a text of others that a person is shown. */
const SHOWN_MAX = 200;

/** Characters that nobody sees, or that turn the order of others around. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of others, so that what is read is what is there: hidden characters by their numbers, and not without end. */
export function shownText(text: string): string {
  const characters = [...text];
  const cut = characters.length > SHOWN_MAX ? `${characters.slice(0, SHOWN_MAX).join('')}…` : text;
  return cut.replace(
    HIDDEN,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** What is read at the provider for a call. */
export interface Readings {
  readonly object: Reading | undefined;
  readonly part: Reading | undefined;
}

/** Sentences of methods that are the same whatever the request says. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'drive.accessproposals.resolve': 'access_decide',
  'drive.approvals.start': 'review_start',
  'drive.approvals.approve': 'review_act',
  'drive.approvals.cancel': 'review_act',
  'drive.approvals.comment': 'review_act',
  'drive.approvals.decline': 'review_act',
  'drive.approvals.reassign': 'review_act',
  'drive.comments.create': 'comment_create',
  'drive.comments.update': 'comment_change',
  'drive.comments.delete': 'comment_delete',
  'drive.replies.create': 'reply_create',
  'drive.replies.update': 'reply_change',
  'drive.replies.delete': 'reply_delete',
  'drive.revisions.delete': 'revision_delete',
  'drive.drives.create': 'drive_create',
  'drive.drives.update': 'drive_change',
  'drive.drives.delete': 'drive_delete',
  'drive.drives.hide': 'drive_hide',
  'drive.drives.unhide': 'drive_unhide',
  'drive.teamdrives.create': 'drive_create',
  'drive.teamdrives.update': 'drive_change',
  'drive.teamdrives.delete': 'drive_delete',
  'drive.files.copy': 'file_copy',
  'drive.files.delete': 'file_delete',
  'drive.files.emptyTrash': 'trash_empty',
  'drive.files.modifyLabels': 'file_labels',
  'drive.permissions.delete': 'share_end',
  'calendar.acl.insert': 'rule_add',
  'calendar.acl.patch': 'rule_change',
  'calendar.acl.update': 'rule_change',
  'calendar.acl.delete': 'rule_end',
  'calendar.calendarList.insert': 'list_add',
  'calendar.calendarList.patch': 'list_change',
  'calendar.calendarList.update': 'list_change',
  'calendar.calendarList.delete': 'list_remove',
  'calendar.calendars.insert': 'calendar_create',
  'calendar.calendars.patch': 'calendar_change',
  'calendar.calendars.update': 'calendar_change',
  'calendar.calendars.delete': 'calendar_delete',
  'calendar.calendars.clear': 'calendar_clear',
  'calendar.calendars.transferOwnership': 'calendar_owner',
  'calendar.events.insert': 'event_create',
  'calendar.events.import': 'event_create',
  'calendar.events.quickAdd': 'event_quick',
  'calendar.events.delete': 'event_delete',
  'calendar.events.move': 'event_move',
};

function sentenceOf({ methodId, members = {}, query, isUpload }: WaitingCall): Sentence {
  const fixed = SENTENCES[methodId];
  if (fixed !== undefined) return fixed;
  switch (methodId) {
    case 'drive.files.create':
      return isUpload && members.name === undefined ? 'file_upload' : 'file_create';
    case 'drive.files.update':
      if (isUpload) return 'file_content';
      if (members.trashed === true) return 'file_trash';
      if (members.trashed === false) return 'file_untrash';
      if (query.has('addParents') || query.has('removeParents')) return 'file_move';
      return Object.keys(members).join() === 'name' ? 'file_rename' : 'file_change';
    case 'drive.permissions.create':
      if (query.get('transferOwnership') === 'true') return 'share_owner';
      return members.type === 'anyone' ? 'share_everyone' : 'share_person';
    case 'drive.permissions.update':
      return query.get('transferOwnership') === 'true' ? 'share_owner' : 'share_change';
    case 'drive.revisions.update':
      return members.published === true ? 'revision_publish' : 'revision_change';
    case 'calendar.events.patch':
    case 'calendar.events.update':
      return members.status === 'cancelled' ? 'event_delete' : 'event_change';
    default:
      return 'other';
  }
}

/**
 * What a call does, by the request and what the provider says of its object now.
 *
 * @param readings undefined where it could not be read
 */
export function aboutCall(call: WaitingCall, object: CalledObject | undefined, readings: Readings): AboutCall {
  const { members = {}, query, methodId } = call;
  const main = readings.object?.status === 200 ? readings.object.json : undefined;
  const part = readings.part?.status === 200 ? readings.part.json : {};
  const isGone = readings.object !== undefined && /^4(?:04|10)$/.test(String(readings.object.status));
  const name = textOf(main?.name) ?? textOf(main?.summary);
  const isRule = methodId.startsWith('calendar.acl.');
  const who = isRule ? scopeOf(members, part) : (personOf(members) ?? personOf(part));
  const scope = methodId.startsWith('calendar.events.');
  const guests = scope && Array.isArray(members.attendees) ? members.attendees.length : undefined;
  return {
    sentence: sentenceOf(call),
    methodId,
    name: object === undefined ? undefined : nameOf(call, object, name),
    new: newWords(call),
    who: who && shownText(who),
    role: textOf(members.role) ?? textOf(part.role),
    said: said(call),
    owner: ownerOf(main),
    guests,
    mails: mailsOf(call, query, main, guests),
    warning: object === undefined || main !== undefined ? unreadable(call) : isGone ? 'is_gone' : 'cannot_name',
    seen: seenOf(object, main),
  };
}

/** Where it is not known what a call says, or which of several objects it names. */
function unreadable({ members, isUpload, path }: WaitingCall): 'cannot_name' | undefined {
  return (members === undefined && !isUpload) || /%2f|%25|;/i.test(path) ? 'cannot_name' : undefined;
}

function nameOf({ path }: WaitingCall, { kind, readPath }: CalledObject, name: string | undefined) {
  if (name !== undefined) return { text: shownText(name), isId: false };
  const collection = { file: 'files', shared_drive: 'drives', event: 'events', calendar: 'calendars' }[kind];
  const [, id = path] = new RegExp(`/${collection}/([^/?]+)`).exec(readPath) ?? [];
  return { text: shownText(id), isId: true };
}

/** The caller's words for what will be there. */
function newWords({ methodId, members = {}, query }: WaitingCall): string | undefined {
  const text =
    methodId === 'calendar.events.quickAdd'
      ? (query.get('text') ?? undefined)
      : (textOf(members.name) ?? textOf(members.summary));
  return text === undefined ? undefined : shownText(text);
}

function said({ methodId, members = {} }: WaitingCall): string | undefined {
  const isNote = /\.(?:comments|replies)\./.test(methodId);
  const text = isNote ? textOf(members.content) : (textOf(members.emailMessage) ?? textOf(members.description));
  return text === undefined ? undefined : shownText(text);
}

function personOf({ emailAddress, domain, displayName }: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(emailAddress) ?? textOf(domain) ?? textOf(displayName);
}

function scopeOf(
  members: Readonly<Record<string, unknown>>,
  rule: Readonly<Record<string, unknown>>,
): string | undefined {
  const { scope = rule.scope } = members;
  return isObject(scope) ? textOf(scope.value) : undefined;
}

function ownerOf(main: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const owners: readonly unknown[] = Array.isArray(main?.owners) ? main.owners : [];
  const [owner = main?.organizer] = owners;
  if (!isObject(owner)) return undefined;
  const found = [textOf(owner.displayName), textOf(owner.emailAddress) ?? textOf(owner.email)];
  const known = found.filter((one) => one !== undefined).map(shownText);
  return known.length === 2 ? `${known[0]} (${known[1]})` : known[0];
}

/** Whom the provider writes an e-mail. */
function mailsOf(
  { methodId, members = {} }: WaitingCall,
  query: URLSearchParams,
  main: Readonly<Record<string, unknown>> | undefined,
  guests: number | undefined,
): AboutCall['mails'] {
  if (methodId === 'drive.permissions.create') {
    const isPerson = members.type === 'user' || members.type === 'group';
    return isPerson && query.get('sendNotificationEmail') !== 'false' ? 'person' : undefined;
  }
  if (!methodId.startsWith('calendar.events.')) return undefined;
  const sends = query.get('sendUpdates');
  const isMailed = (sends !== null && sends !== 'none') || query.get('sendNotifications') === 'true';
  const has = guests ?? (Array.isArray(main?.attendees) ? main.attendees.length : 0);
  return isMailed && has > 0 ? 'guests' : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
