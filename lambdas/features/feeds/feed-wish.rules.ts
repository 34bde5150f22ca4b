import {
  drivesCall,
  type FeedCall,
  type FeedCursor,
  type FeedResource,
  listCall,
  member,
  startCall,
  stopCall,
  text,
  watchCall,
} from './feed-resource.rules.ts';
import { contentsCall, folderCall, folderFields } from './folder.rules.ts';
import { FEED_FOLDERS_AT_ONCE } from './limits.rules.ts';
import { hasMeaning, meaningFields } from './meaning.rules.ts';
import { startsCall } from './starts.rules.ts';

/** Further members of listed things: those that give a file's place, or all that are compared for meanings. */
export type WishedMembers = 'place' | 'meaning';

/**
 * What a feed wants of its provider. A wish is no request: method, path, members and the address of messages follow from its kind and the
 * feed's resource, so a function that may only wish reaches nothing else.
 */
export type FeedWish =
  /** The first position. @property log id of the shared drive whose log it is of; absent: the feed's own */
  | { readonly kind: 'start'; readonly log?: string | undefined; readonly page?: string | undefined }
  /** Changes behind a position. */
  | {
      readonly kind: 'list';
      readonly log?: string | undefined;
      readonly token: string;
      readonly page?: string | undefined;
      readonly members?: WishedMembers | undefined;
    }
  /** Shared drives of the user. */
  | { readonly kind: 'drives'; readonly page?: string | undefined }
  /** A channel. @property secret comes back with each message */
  | {
      readonly kind: 'watch';
      readonly log?: string | undefined;
      readonly token: string;
      readonly id: string;
      readonly secret: string;
    }
  /** The end of a channel. */
  | { readonly kind: 'stop'; readonly id: string; readonly resourceId: string }
  /** Events that start between two moments. */
  | { readonly kind: 'starts'; readonly fromMs: number; readonly toMs: number; readonly page?: string | undefined }
  /** Where the feed's folder is. */
  | { readonly kind: 'folder' }
  /** Contents of folders. */
  | {
      readonly kind: 'contents';
      readonly folders: readonly string[];
      readonly log?: string | undefined;
      readonly page?: string | undefined;
      readonly members?: WishedMembers | undefined;
    };

/** What a call needs that no wish says. */
export interface CallSurroundings {
  /** Where the provider sends messages of channels. */
  readonly inboxAddress: string;
  readonly nowMs: number;
}

/** The call that fulfils a wish; undefined for what no feed of this resource wants. */
export function callOf(
  resource: FeedResource,
  wish: FeedWish,
  { inboxAddress, nowMs }: CallSurroundings,
): FeedCall | undefined {
  const log = 'log' in wish ? wish.log : undefined;
  const followsLogs = resource.kind === 'drives' || resource.kind === 'folder';
  if (log !== undefined && !followsLogs) return undefined;
  const listed: FeedResource = followsLogs ? { kind: 'drives', id: log ?? '' } : resource;
  const members = 'members' in wish ? wish.members : undefined;
  if (members !== undefined && !hasMeaning(resource)) return undefined;
  if (members === 'place' && resource.kind === 'calendar') return undefined;
  const fields = members === 'place' ? folderFields(undefined) : members && meaningFields(resource);
  const at = (token: string, page?: string): Extract<FeedCursor, { kind: 'at' }> => ({ kind: 'at', token, page });
  switch (wish.kind) {
    case 'start':
      return startCall(listed, wish.page);
    case 'list':
      return listCall(listed, at(wish.token, wish.page), fields);
    case 'drives':
      return resource.kind === 'drives' ? drivesCall(wish.page) : undefined;
    case 'watch': {
      const channel = { id: wish.id, token: wish.secret, address: inboxAddress, nowMs };
      return watchCall(listed, at(wish.token), channel);
    }
    case 'stop':
      return stopCall(resource, wish);
    case 'starts':
      return resource.kind === 'calendar' ? startsCall(resource, wish.fromMs, wish.toMs, wish.page) : undefined;
    case 'folder':
      return resource.kind === 'folder' ? folderCall(resource.id) : undefined;
    case 'contents':
      return resource.kind === 'folder' ? contentsCall(wish.folders, log, wish.page, fields) : undefined;
  }
}

/** Reads a wish that another function sent; undefined for anything else. */
export function readWish(value: unknown): FeedWish | undefined {
  const [log, page, token, id, secret, resourceId] = ['log', 'page', 'token', 'id', 'secret', 'resourceId'].map(
    (name) => text(value, name),
  );
  const members = (['place', 'meaning'] as const).find((one) => one === member(value, 'members'));
  const [fromMs, toMs] = ['fromMs', 'toMs'].map((name) => member(value, name));
  const folders = member(value, 'folders');
  switch (member(value, 'kind')) {
    case 'start':
      return { kind: 'start', log, page };
    case 'list':
      return token === undefined ? undefined : { kind: 'list', log, token, page, members };
    case 'drives':
      return { kind: 'drives', page };
    case 'watch':
      return token === undefined || id === undefined || secret === undefined
        ? undefined
        : { kind: 'watch', log, token, id, secret };
    case 'stop':
      return id === undefined || resourceId === undefined ? undefined : { kind: 'stop', id, resourceId };
    case 'starts':
      return isMoment(fromMs) && isMoment(toMs) ? { kind: 'starts', fromMs, toMs, page } : undefined;
    case 'folder':
      return { kind: 'folder' };
    case 'contents':
      return isSomeTexts(folders) ? { kind: 'contents', folders, log, page, members } : undefined;
    default:
      return undefined;
  }
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(new Date(value).getTime());
}

function isSomeTexts(value: unknown): value is readonly string[] {
  const isSome = Array.isArray(value) && value.length > 0 && value.length <= FEED_FOLDERS_AT_ONCE;
  return isSome && value.every((one) => typeof one === 'string' && one !== '');
}
