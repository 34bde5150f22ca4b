import { GOOGLE_SCOPE_PREFIX } from '../../gateway/providers/google/scope-aliases.rules.ts';
import { PROJECT_QUOTA_SPENT, USER_QUOTA_SPENT } from '../../gateway/providers/google/spent-quotas.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';
import { CHANNEL_LIFE_SEC, FEED_MEANING_PAGE_SIZE, FEED_PAGE_SIZE } from './limits.rules.ts';

/**
 * A watched resource: `drive`, `drives`, `drive:<shared drive>`, `folder:<id>`, `calendar:<id>`, `calendar_list`, `acl:<calendar>`,
 * `settings`.
 */
export interface FeedResource {
  readonly kind: 'drive' | 'drives' | 'shared_drive' | 'folder' | 'calendar' | 'calendar_list' | 'acl' | 'settings';
  /** Id of the shared drive, folder or calendar; for `drives` the id of one of its logs. Empty for the others. */
  readonly id: string;
}

export const FEED_RESOURCE_RULE =
  'send drive, drives, drive:<shared drive id>, folder:<folder id>, calendar:<calendar id>, calendar_list, acl:<calendar id> or settings';

const PREFIXES = [
  ['drive:', 'shared_drive'],
  ['folder:', 'folder'],
  ['calendar:', 'calendar'],
  ['acl:', 'acl'],
] as const;
const PLAIN = ['drive', 'drives', 'calendar_list', 'settings'] as const;

/** Reads a resource as callers write it; undefined for anything else. */
export function parseFeedResource(text: string): FeedResource | undefined {
  const plain = PLAIN.find((one) => one === text);
  if (plain !== undefined) return { kind: plain, id: '' };
  for (const [prefix, kind] of PREFIXES) {
    const id = text.slice(prefix.length);
    // Google's ids are printable ASCII; control characters and spaces are a mistake of the caller.
    if (text.startsWith(prefix) && /^[\x21-\x7e]{1,254}$/.test(id)) return { kind, id };
  }
  return undefined;
}

/** A resource as callers write it. */
export function feedResourceText({ kind, id }: FeedResource): string {
  const prefix = PREFIXES.find(([, one]) => one === kind)?.[0];
  return prefix === undefined ? kind : prefix + id;
}

/** The provider whose API the resource belongs to. */
export function providerOfResource(resource: FeedResource): ProviderId {
  return isDrive(resource) ? 'google-drive' : 'google-calendar';
}

/**
 * Why the granted scopes cannot read a resource; undefined where they can, or where only Google can decide. `drives.list` takes no
 * other scopes (Google's discovery document).
 */
export function scopeProblem({ kind }: FeedResource, grantedScopes: readonly string[]): string | undefined {
  // An imported connection may have unknown scopes.
  const isListing = grantedScopes.length === 0 || LISTING_SCOPES.some((scope) => grantedScopes.includes(scope));
  if (kind !== 'drives' || isListing) return undefined;
  return 'the connection was granted neither drive.readonly nor drive, and Google lists shared drives with no other scope: add one of them to the integration and have the user reconnect, or make a feed of drive, which follows the files that the granted scopes reach in My Drive';
}

const LISTING_SCOPES = [`${GOOGLE_SCOPE_PREFIX}drive`, `${GOOGLE_SCOPE_PREFIX}drive.readonly`];

/** A call to Google's API: path and query as sent, and a JSON body for a POST. */
export interface FeedCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A page of a list. `next` is the cursor behind it. */
export interface FeedPage {
  readonly changes: readonly FeedChange[];
  readonly next: FeedCursor;
  readonly isLast: boolean;
}

/** Parameters of Drive, which must be equal in start, list and watch, or changes of shared drives are lost. */
function driveQuery({ kind, id }: FeedResource): Record<string, string> {
  return {
    supportsAllDrives: 'true',
    includeItemsFromAllDrives: 'true',
    // Distinguishes a file that moved to a shared drive from one out of reach (Google, "Identify which change log to track").
    ...(kind === 'shared_drive' ? {} : { includeCorpusRemovals: 'true' }),
    ...(id === '' ? {} : { driveId: id }),
  };
}

/** Path of a Calendar collection and the requested members of its items: ids and the marks of a removal (CF-25). */
function calendarCollection({ kind, id }: FeedResource): { readonly path: string; readonly fields: string } {
  const calendar = `/calendar/v3/calendars/${encodeURIComponent(id)}`;
  switch (kind) {
    case 'acl':
      return { path: `${calendar}/acl`, fields: 'id,role' };
    case 'calendar_list':
      return { path: '/calendar/v3/users/me/calendarList', fields: 'id,deleted' };
    case 'settings':
      return { path: '/calendar/v3/users/me/settings', fields: 'id' };
    default:
      return { path: `${calendar}/events`, fields: 'id,status,updated' };
  }
}

/** Path of the collection that a resource of Calendar is listed by. */
export function calendarPath(resource: FeedResource): string {
  return calendarCollection(resource).path;
}

/** The resource that a feed lists and watches: its own, or the log that reports its folder. */
export function logOf(resource: FeedResource, cursor: Extract<FeedCursor, { readonly kind: 'at' }>): FeedResource {
  return resource.kind === 'folder' ? { kind: 'drives', id: cursor.within?.driveId ?? '' } : resource;
}

/** Whether a resource is followed in logs of Drive. */
export function isDrive({ kind }: Pick<FeedResource, 'kind'>): boolean {
  return kind === 'drive' || kind === 'drives' || kind === 'shared_drive' || kind === 'folder';
}

/** A path of the provider with the parameters that have a value. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${path}?${pairs.join('&')}`;
}

/** The call for a first cursor: Drive's start token, or a page of a Calendar list reduced to its tokens. */
export function startCall(resource: FeedResource, page: string | undefined): FeedCall {
  if (isDrive(resource)) {
    const { supportsAllDrives, driveId } = driveQuery(resource);
    return { method: 'GET', path: withQuery('/drive/v3/changes/startPageToken', { supportsAllDrives, driveId }) };
  }
  const { path } = calendarCollection(resource);
  const maxResults = resource.kind === 'calendar' ? '2500' : '250';
  return {
    method: 'GET',
    path: withQuery(path, { maxResults, fields: 'nextPageToken,nextSyncToken', pageToken: page }),
  };
}

/** The cursor in the answer to `startCall`: at a token, or at the next page. Undefined when it holds neither. */
export function readStart(answer: unknown): { readonly token: string } | { readonly page: string } | undefined {
  const token = text(answer, 'startPageToken') ?? text(answer, 'nextSyncToken');
  if (token !== undefined) return { token };
  const page = text(answer, 'nextPageToken');
  return page === undefined ? undefined : { page };
}

/**
 * The call for the page behind a cursor.
 *
 * @param meaningMembers further members of each thing, requested to be hashed and dropped
 */
export function listCall(
  resource: FeedResource,
  cursor: Extract<FeedCursor, { readonly kind: 'at' }>,
  meaningMembers?: string,
): FeedCall {
  const size = String(meaningMembers === undefined ? FEED_PAGE_SIZE : FEED_MEANING_PAGE_SIZE);
  const further = meaningMembers === undefined ? '' : `,${meaningMembers}`;
  if (isDrive(resource)) {
    const query = {
      ...driveQuery(resource),
      includeRemoved: 'true',
      pageSize: size,
      fields: `nextPageToken,newStartPageToken,changes(changeType,time,removed,fileId,driveId,file(mimeType${further}))`,
      pageToken: cursor.token,
    };
    return { method: 'GET', path: withQuery('/drive/v3/changes', query) };
  }
  const { path, fields } = calendarCollection(resource);
  const query = {
    maxResults: size,
    fields: `nextPageToken,nextSyncToken,items(${fields}${further})`,
    syncToken: cursor.token,
    pageToken: cursor.page,
  };
  return { method: 'GET', path: withQuery(path, query) };
}

/** The call for a page of the shared drives that the account is a member of. */
export function drivesCall(page: string | undefined): FeedCall {
  const query = { pageSize: '100', fields: 'nextPageToken,drives(id)', pageToken: page };
  return { method: 'GET', path: withQuery('/drive/v3/drives', query) };
}

/** Reads the answer to `drivesCall`. */
export function readDrives(answer: unknown): { readonly ids: readonly string[]; readonly next: string | undefined } {
  const ids = list(answer, 'drives').flatMap((drive) => text(drive, 'id') ?? []);
  return { ids, next: text(answer, 'nextPageToken') };
}

/** Reads the answer to `listCall`; undefined when it contains no next place. */
export function readPage(
  resource: FeedResource,
  cursor: Extract<FeedCursor, { readonly kind: 'at' }>,
  answer: unknown,
): FeedPage | undefined {
  if (isDrive(resource)) {
    const next = text(answer, 'newStartPageToken') ?? text(answer, 'nextPageToken');
    if (next === undefined) return undefined;
    return {
      changes: list(answer, 'changes').flatMap((change) => driveChange(resource, change)),
      next: { kind: 'at', token: next, page: undefined },
      isLast: text(answer, 'newStartPageToken') !== undefined,
    };
  }
  const changes = list(answer, 'items').flatMap((item) => calendarChange(resource, item));
  const sync = text(answer, 'nextSyncToken');
  if (sync !== undefined) return { changes, next: { kind: 'at', token: sync, page: undefined }, isLast: true };
  const page = text(answer, 'nextPageToken');
  // Only the last page has a sync token, which covers the whole list; until then the old one stays.
  return page === undefined ? undefined : { changes, next: { ...cursor, page }, isLast: false };
}

function driveChange({ kind }: FeedResource, change: unknown): FeedChange[] {
  const isDriveItself = text(change, 'changeType') === 'drive';
  const id = text(change, isDriveItself ? 'driveId' : 'fileId');
  if (id === undefined) return [];
  const mimeType = text(member(change, 'file'), 'mimeType');
  // A file that moved to a shared drive has left this log but not the account's reach: Google still shows it.
  const isMoved = kind !== 'shared_drive' && mimeType !== undefined;
  return [
    {
      id,
      kind: isDriveItself ? 'drive' : 'file',
      removed: member(change, 'removed') === true && !isMoved,
      time: text(change, 'time'),
      mimeType,
    },
  ];
}

function calendarChange({ kind }: FeedResource, item: unknown): FeedChange[] {
  const id = text(item, 'id');
  if (id === undefined) return [];
  const common = { id, time: text(item, 'updated'), mimeType: undefined };
  switch (kind) {
    case 'acl':
      return [{ ...common, kind: 'acl', removed: text(item, 'role') === 'none' }];
    case 'calendar_list':
      return [{ ...common, kind: 'calendar', removed: member(item, 'deleted') === true }];
    case 'settings':
      return [{ ...common, kind: 'setting', removed: false }];
    default:
      return [{ ...common, kind: 'event', removed: text(item, 'status') === 'cancelled' }];
  }
}

/** What a channel is opened with. */
export interface ChannelRequest {
  readonly id: string;
  readonly token: string;
  readonly address: string;
  readonly nowMs: number;
}

/** The call that opens a channel with the longest possible life. Drive also needs the token of the list. */
export function watchCall(
  resource: FeedResource,
  cursor: Extract<FeedCursor, { readonly kind: 'at' }>,
  channel: ChannelRequest,
): FeedCall {
  const body = { id: channel.id, type: 'web_hook', address: channel.address, token: channel.token };
  if (isDrive(resource)) {
    const path = withQuery('/drive/v3/changes/watch', { ...driveQuery(resource), pageToken: cursor.token });
    // In milliseconds: Google would take seconds for a moment long ago.
    return { method: 'POST', path, body: { ...body, expiration: String(channel.nowMs + CHANNEL_LIFE_SEC * 1000) } };
  }
  const { path } = calendarCollection(resource);
  return { method: 'POST', path: `${path}/watch`, body: { ...body, params: { ttl: String(CHANNEL_LIFE_SEC) } } };
}

/** The channel as granted; undefined for an answer without one. A channel without an end is assumed to live for an hour. */
export function readChannel(
  answer: unknown,
  nowEpochSec: number,
): { readonly resourceId: string; readonly endsAtEpochSec: number } | undefined {
  const resourceId = text(answer, 'resourceId');
  if (resourceId === undefined) return undefined;
  const endsAtMs = Number(text(answer, 'expiration'));
  const endsAtEpochSec = Number.isFinite(endsAtMs) && endsAtMs > 0 ? Math.floor(endsAtMs / 1000) : nowEpochSec + 3600;
  return { resourceId, endsAtEpochSec };
}

/** The call that closes a channel; both APIs have the method under their own path. */
export function stopCall(
  resource: FeedResource,
  channel: { readonly id: string; readonly resourceId: string },
): FeedCall {
  const path = isDrive(resource) ? '/drive/v3/channels/stop' : '/calendar/v3/channels/stop';
  return { method: 'POST', path, body: { id: channel.id, resourceId: channel.resourceId } };
}

/** Kinds of refusals by Google that feeds distinguish. */
export type FeedRefusal =
  /** The cursor is no longer usable (CF-27). */
  | 'expired'
  | 'unauthorized'
  /** Quota used up: the whole Cloud project waits. */
  | 'rate'
  /** Quota of the account: its feeds wait. */
  | 'user_rate'
  /** The resource is gone, or this account may not read it. */
  | 'refused'
  | 'push_not_supported'
  | 'address_not_authorized'
  | 'address_not_https'
  /** Anything that may pass by itself. */
  | 'failed';

const PUSH_REASONS: ReadonlyMap<string, FeedRefusal> = new Map([
  ['pushNotSupportedForRequestedResource', 'push_not_supported'],
  ['push.webhookUrlUnauthorized', 'address_not_authorized'],
  ['webhookUrlUnauthorized', 'address_not_authorized'],
  ['push.webhookUrlNotHttps', 'address_not_https'],
  ['webhookUrlNotHttps', 'address_not_https'],
]);

/**
 * Classifies a failed answer by status, `error.errors[0].reason` and the parameter it names (Google, "Resolve errors"; "Push
 * notifications").
 */
export function judgeRefusal(status: number, answer: unknown): FeedRefusal {
  const first = list(member(answer, 'error'), 'errors')[0];
  const reason = text(first, 'reason') ?? '';
  const push = PUSH_REASONS.get(reason);
  if (push !== undefined) return push;
  if (status === 410) return 'expired';
  const location = text(first, 'location');
  if (status === 400 && (location === 'pageToken' || location === 'syncToken')) return 'expired';
  if (status === 401) return 'unauthorized';
  if ((status === 429 || status === 403) && USER_QUOTA_SPENT.includes(reason)) return 'user_rate';
  if (status === 429 || (status === 403 && PROJECT_QUOTA_SPENT.includes(reason))) return 'rate';
  if (status === 400 || status === 403 || status === 404) return 'refused';
  return 'failed';
}

/** A member of an unvalidated answer. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A member that is a non-empty text. */
export function text(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A member that is a list; otherwise empty. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

/** Where a feed of a folder reads; part of its cursor. */
export interface FolderPlace {
  /** The provider's id, because `root` is an alias. */
  readonly folderId: string;
  /** The shared drive whose log reports it; undefined for the user's own. */
  readonly driveId: string | undefined;
  /** Folders are left to be listed. */
  readonly isWalking: boolean;
  /** Set while a gap has to be reported with the next write. */
  readonly gap: GapReason | undefined;
  /** The folder is in the trash, deleted or out of reach. */
  readonly isGone: boolean;
  /** There are more folders below it than a feed follows. */
  readonly leavesOut: boolean;
}

/** A place in the provider's history. `building`: the pages that lead to the first token are still being read. */
export type FeedCursor =
  | { readonly kind: 'building'; readonly page: string | undefined; readonly gap: GapReason | undefined }
  | {
      readonly kind: 'at';
      readonly token: string;
      readonly page: string | undefined;
      /** Of a feed of a folder. */
      readonly within?: FolderPlace | undefined;
    };

/** Why changes may have been missed. */
export const GAP_REASONS = ['cursor_expired', 'account_changed', 'client_changed', 'restored', 'folder_moved'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Kinds of things that change. */
export type ChangeKind = 'file' | 'drive' | 'event' | 'calendar' | 'acl' | 'setting';

/**
 * What a change was (CH-20). `updated`: modified in a way that no other word names. `seen`: not modified. `unknown`: the feed meets the
 * thing for the first time, and it is older than the feed's memory.
 */
export const MEANINGS = [
  'created',
  'content',
  'renamed',
  'moved',
  'shared',
  'trashed',
  'restored',
  'removed',
  'updated',
  'seen',
  'responded',
  'cancelled',
  'entered',
  'left',
  'unknown',
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** One changed thing; never its name, title or content (CF-25). */
export interface FeedChange {
  readonly id: string;
  readonly kind: ChangeKind;
  /** Gone, or out of the account's reach. */
  readonly removed: boolean;
  /** When it changed, ISO 8601, where the provider says so. */
  readonly time: string | undefined;
  /** MIME type of a file. */
  readonly mimeType: string | undefined;
  /** What the change was, in feeds that ask for meanings. */
  readonly what?: readonly Meaning[] | undefined;
  /** Set for a folder in a feed of a folder: everything below it has come, moved or gone with it, without changes of its own. */
  readonly subtree?: boolean | undefined;
  /** For an event that starts: how many minutes ahead the reminder is. `time` is the start. */
  readonly minutesBefore?: number | undefined;
}
