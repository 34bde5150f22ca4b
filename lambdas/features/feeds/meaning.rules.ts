import { createHmac } from 'node:crypto';
import {
  type FeedChange,
  type FeedResource,
  isDrive,
  list,
  type Meaning,
  member,
  text,
} from './feed-resource.rules.ts';

/**
 * What a change was, in words. The provider's lists show states, not differences (Google, "Identify which change log to track"). A feed
 * with meanings therefore remembers each thing as last seen: keyed hashes of its parts, under a key of its own. No name, address or
 * time can be read from them, and two feeds share no hash (CH-21).
 */

/** Whether changes of a resource have meanings. */
export function hasMeaning({ kind }: Pick<FeedResource, 'kind'>): boolean {
  return isDrive({ kind }) || kind === 'calendar';
}

/** Parts of a thing that are compared, in the order in which their hashes are stored. */
const PARTS = {
  // `rest` came last: states that were stored without it have no hash there, and it then differs from nothing.
  file: ['content', 'name', 'parent', 'permissions', 'stamp', 'rest'],
  event: ['times', 'answers', 'rest', 'stamp'],
} as const;
type Part = (typeof PARTS)['file' | 'event'][number];
type Parts = Readonly<Partial<Record<Part, string | undefined>>>;

/** One thing as an answer of the provider shows it. It lives as long as the answer. */
export interface Sight {
  /** Creation of the thing, not of the change. */
  readonly createdAtMs: number | undefined;
  /** In the trash, itself or with a folder above it. */
  readonly isTrashed: boolean;
  /** A part that is not shown keeps its known value. */
  readonly parts: Parts;
  /** Nobody has answered the invitation: removed answers were reset, not given. */
  readonly isUnanswered: boolean;
  /** A document of Google's editors: only its time of modification shows a change of content. */
  readonly isTimed: boolean;
}

/** A feed's memory of one thing. */
export interface KnownState {
  readonly isGone: boolean;
  readonly isTrashed: boolean;
  /** Hashes in the order of the parts; empty where a part was never shown. */
  readonly hashes: readonly string[];
}

/** Members of a listed thing that meanings need; requested, hashed and dropped. */
export function meaningFields({ kind }: Pick<FeedResource, 'kind'>): string {
  return isDrive({ kind })
    ? 'name,description,properties,appProperties,parents,trashed,createdTime,modifiedTime,md5Checksum,headRevisionId,driveId,permissions(id,role)'
    : 'created,start,end,recurrence,summary,description,location,colorId,transparency,visibility,hangoutLink,conferenceData(conferenceId),attachments(fileUrl),attendees(email,responseStatus,optional)';
}

/** Names a thing among those of a list. */
export function thingKey({ kind, id }: Pick<FeedChange, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** The things that an answer to a list shows, by `thingKey`. */
export function readSights(resource: FeedResource, answer: unknown): ReadonlyMap<string, Sight> {
  if (isDrive(resource)) {
    return new Map(
      list(answer, 'changes').flatMap((change): [string, Sight][] => {
        const id = text(change, 'fileId');
        const file = member(change, 'file');
        return id === undefined || file === undefined ? [] : [[thingKey({ kind: 'file', id }), sightOfFile(file)]];
      }),
    );
  }
  return new Map(
    list(answer, 'items').flatMap((item): [string, Sight][] => {
      const id = text(item, 'id');
      return id === undefined ? [] : [[thingKey({ kind: 'event', id }), sightOfEvent(item)]];
    }),
  );
}

/** Kinds of files that have no content. */
const WITHOUT_CONTENT: readonly (string | undefined)[] = [
  'application/vnd.google-apps.folder',
  'application/vnd.google-apps.shortcut',
];

/** Members that change a file's time of modification but are neither content nor name. */
const REST_OF_FILE = ['description', 'properties', 'appProperties'];

/** Binary files have a checksum or a revision; documents of Google's editors have only a time; folders and shortcuts have no content (CH-5). */
function sightOfFile(file: unknown): Sight {
  const bytes = text(file, 'md5Checksum') ?? text(file, 'headRevisionId');
  const parent = list(file, 'parents').find((id) => typeof id === 'string') ?? '';
  const isInDrive = text(file, 'driveId') !== undefined;
  const permissions = list(file, 'permissions').map((one) => `${text(one, 'id')} ${text(one, 'role')}`);
  return {
    createdAtMs: timeOf(file, 'createdTime'),
    isTrashed: member(file, 'trashed') === true,
    isUnanswered: false,
    isTimed: bytes === undefined && !WITHOUT_CONTENT.includes(text(file, 'mimeType')),
    parts: {
      content: bytes,
      name: text(file, 'name'),
      parent: `${text(file, 'driveId') ?? ''} ${parent}`,
      // An account that may not share a file sees none of its permissions.
      permissions: isInDrive || permissions.length === 0 ? undefined : permissions.sort().join(),
      stamp: text(file, 'modifiedTime'),
      rest: JSON.stringify(REST_OF_FILE.map((name) => member(file, name))),
    },
  };
}

/** A change of any other member changes `updated` only, which shows it. */
const REST_OF_EVENT = [
  'status',
  'summary',
  'description',
  'location',
  'colorId',
  'transparency',
  'visibility',
  'hangoutLink',
  'conferenceData',
  'attachments',
];

function sightOfEvent(event: unknown): Sight {
  const attendees = list(event, 'attendees').map((one) => ({
    email: text(one, 'email') ?? '',
    answer: text(one, 'responseStatus') ?? 'needsAction',
    optional: member(one, 'optional') === true,
  }));
  const answers = attendees.filter(({ answer }) => answer !== 'needsAction');
  const shown = (value: unknown) => JSON.stringify(value) ?? '';
  const start = member(event, 'start');
  const isShown = start !== undefined;
  const rest = [
    ...REST_OF_EVENT.map((name) => member(event, name)),
    ...attendees.map(({ email, optional }) => `${email} ${optional}`).sort(),
  ];
  return {
    createdAtMs: timeOf(event, 'created'),
    isTrashed: false,
    isUnanswered: answers.length === 0,
    isTimed: false,
    parts: {
      times: isShown ? shown([start, member(event, 'end'), member(event, 'recurrence')]) : undefined,
      answers: isShown ? shown(answers.map(({ email, answer }) => `${email} ${answer}`).sort()) : undefined,
      rest: isShown ? shown(rest) : undefined,
      stamp: text(event, 'updated'),
    },
  };
}

function timeOf(value: unknown, name: string): number | undefined {
  const at = Date.parse(text(value, name) ?? '');
  return Number.isFinite(at) ? at : undefined;
}

/** Bytes of a thing's name among the feed's, and of each part. */
const NAME_BYTES = 16;
const PART_BYTES = 6;

function keyedHash(key: Uint8Array, bytes: number, ...words: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest().subarray(0, bytes).toString('base64url');
}

/** The name under which a feed remembers a thing. */
export function stateName(key: Uint8Array, change: Pick<FeedChange, 'kind' | 'id'>): string {
  return keyedHash(key, NAME_BYTES, 'name', thingKey(change));
}

/** The memory of a thing after it was seen, or after its removal. */
export function stateAfter(
  key: Uint8Array,
  change: FeedChange,
  sight: Sight | undefined,
  before: KnownState | undefined,
): KnownState {
  const parts: readonly Part[] = change.kind === 'event' ? PARTS.event : PARTS.file;
  const hashes = parts.map((part, index) => {
    // For a removed thing the time of removal, because it may have come back in between.
    const value = change.removed && part === 'stamp' ? change.time : sight?.parts[part];
    if (value === undefined) return before?.hashes[index] ?? '';
    return keyedHash(key, PART_BYTES, part, thingKey(change), value);
  });
  // A removed thing keeps the folder that it was trashed with.
  const isTrashed = sight === undefined || change.removed ? (before?.isTrashed ?? false) : sight.isTrashed;
  return { isGone: change.removed, isTrashed, hashes };
}

/** What a change was; empty for one that was reported before. @param isNew the thing was created after the feed's memory began */
export function meaningsOf(
  kind: 'file' | 'event',
  before: KnownState | undefined,
  now: KnownState,
  {
    isNew,
    isUnanswered,
    isTimed = false,
  }: { readonly isNew: boolean; readonly isUnanswered: boolean; readonly isTimed?: boolean | undefined },
): Meaning[] {
  const parts: readonly Part[] = PARTS[kind];
  const stampAt = parts.indexOf('stamp');
  const isSame = before?.isGone === true && now.isGone && before.hashes[stampAt] === now.hashes[stampAt];
  // A removal at another time is reported again, because a consumer may have stored the thing while it was back.
  if (now.isGone) return isSame && now.hashes[stampAt] !== '' ? [] : [kind === 'event' ? 'cancelled' : 'removed'];
  if (before === undefined) {
    if (!isNew) return ['unknown'];
    return now.isTrashed ? ['created', 'trashed'] : ['created'];
  }
  const differs = (part: Part): boolean => {
    const index = parts.indexOf(part);
    const [old, current] = [before.hashes[index] ?? '', now.hashes[index] ?? ''];
    return old !== '' && current !== '' && old !== current;
  };
  const words = new Set<Meaning>();
  if (kind === 'event') {
    if (differs('times')) words.add('moved');
    if (differs('answers') && !isUnanswered) words.add('responded');
    if (differs('rest') || before.isGone) words.add('updated');
    if (words.size === 0 && differs('stamp')) words.add('updated');
    return [...words];
  }
  if (differs('content')) words.add('content');
  // A new name or description explains a new time. The content may have changed too, so the time is reported as well.
  const isExplained = differs('name') || differs('rest');
  const isOtherTime = isTimed && differs('stamp');
  if (isOtherTime && !isExplained) words.add('content');
  if (differs('name')) words.add('renamed');
  if (differs('parent')) words.add('moved');
  if (differs('permissions')) words.add('shared');
  if (differs('rest') || (isOtherTime && isExplained)) words.add('updated');
  // The earlier folder of a thing that was gone when the feed first met it is unknown.
  const wasSeen = before.hashes.some((hash, index) => index !== stampAt && hash !== '');
  if (now.isTrashed && !before.isTrashed && wasSeen) words.add('trashed');
  if (before.isGone || (before.isTrashed && !now.isTrashed)) words.add('restored');
  if (words.size === 0) return differs('stamp') ? ['updated'] : ['seen'];
  return [...words];
}

/** A state as it is stored: `g` gone, `t` trashed, then the hashes. */
export function stateText({ isGone, isTrashed, hashes }: KnownState): string {
  return [`${isGone ? 'g' : ''}${isTrashed ? 't' : ''}`, ...hashes].join('.');
}

/** Reads `stateText`. */
export function readState(stored: string): KnownState {
  const [flags = '', ...hashes] = stored.split('.');
  return { isGone: flags.includes('g'), isTrashed: flags.includes('t'), hashes };
}
