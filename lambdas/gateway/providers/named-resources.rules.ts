import { headerValues } from '../core/http-message.ts';
import { type JudgedRequest, jsonMembers, valuesOf } from './change-classes.rules.ts';

/** A calendar or a file in the limits of a key: `calendar:team@example.com`, `file:1AbC…`; a folder is a file. */
export const RESOURCE_NAME = /^(?:calendar:(?:primary|[\w.+#-]{1,200}@[\w.-]{1,200})|file:[\w-]{1,200})$/;

type Kind = 'calendar' | 'file';

/** What a request may not do for the key of some resources; undefined for one that names allowed resources and no other. */
export type OutsideResources = 'unnamed' | 'other' | 'session' | undefined;

/**
 * Whether a request of a method stays within some calendars, files and folders. Judged are the ids that the request itself names:
 * in the path in its documented spelling, and where a method takes further ones, in query and body. Whatever names none, or names them in
 * another way, is outside. A file's id does not tell its folder, so nothing below a folder is inside because the folder is.
 *
 * @param allowed names as in the limits
 */
export function outsideResources(
  methodId: string,
  request: JudgedRequest & { readonly form?: string; readonly isStandIn?: true },
  allowed: ReadonlySet<string>,
): OutsideResources {
  const { target, form = '', isStandIn } = request;
  // What a tool's arguments name is the server's to say: it may read others than the stand-in was made of.
  if (isStandIn === true) return 'unnamed';
  // To some servers a semicolon begins a parameter as well.
  if (`${target}${form}`.includes(';')) return 'unnamed';
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = new URLSearchParams(`${queryAt < 0 ? '' : target.slice(queryAt + 1)}&${form}`);
  // An address of a session leads to the file that it was begun for, whatever the path says.
  if (valuesOf(query, 'uploadid').length > 0 || valuesOf(query, 'uploadtype').includes('resumable')) return 'session';
  const { headers = [] } = request;
  const names = headers.map(([name]) => name.toLowerCase());
  if (valuesOf(query, 'uploadprotocol').length > 0 || names.some((name) => name.startsWith('x-goog-upload-'))) {
    return 'session';
  }
  if (OTHER_NAMES.some((name) => valuesOf(query, name).length > 0)) return 'unnamed';
  const { named, further } = readIds(methodId, path, query, request);
  if (named === undefined || further === 'unreadable') return 'unnamed';
  return [...named, ...further].every((name) => allowed.has(name)) ? undefined : 'other';
}

/** Parameters with which some reader may find another resource; no method documents one of them in a query. */
const OTHER_NAMES = ['fileid', 'calendarid', 'parents', 'parentid', 'items', 'id', 'ids', 'targetid'];

interface Ids {
  /** At least one, which the request cannot do without; undefined where it names none as documented. */
  readonly named: readonly string[] | undefined;
  /** More that it may name. */
  readonly further: readonly string[] | 'unreadable';
}

const DRIVE_FILE = /^(?:\/resumable)?(?:\/upload|\/download)?\/drive\/v3\/files\/([^/]+)(?:\/|$)/;
const CALENDAR = /^\/calendar\/v3\/(?:calendars|users\/me\/calendarList)\/([^/]+)(?:\/|$)/;

function readIds(methodId: string, path: string, query: URLSearchParams, request: JudgedRequest): Ids {
  const none: Ids = { named: undefined, further: [] };
  switch (methodId.replace('#media', '')) {
    case 'drive.files.list':
      return { named: folderOfSearch(query), further: [] };
    case 'drive.files.create': {
      if (!isWhole(request, path, query)) return none;
      return { named: filled(parentsIn(request, path, query)), further: shortcutsIn(request, path, query) };
    }
    case 'drive.files.copy': {
      const parents = filled(parentsIn(request, path, query));
      const further = shortcutsIn(request, path, query);
      return { named: parents && joined(idIn(DRIVE_FILE, 'file', path), parents), further };
    }
    case 'drive.files.update': {
      const moved = [...valuesOf(query, 'addparents'), ...valuesOf(query, 'removeparents')].flatMap((ids) =>
        ids.split(',').map((id) => `file:${id.trim()}`),
      );
      const parents = parentsIn(request, path, query);
      const shortcuts = shortcutsIn(request, path, query);
      const further =
        parents === 'unreadable' || shortcuts === 'unreadable'
          ? 'unreadable'
          : [...moved, ...(parents ?? []), ...shortcuts];
      return { named: joined(idIn(DRIVE_FILE, 'file', path), []), further };
    }
    case 'calendar.events.move': {
      const calendars = valuesOf(query, 'destination').map((id) => `calendar:${id}`);
      return { named: filled(calendars) && joined(idIn(CALENDAR, 'calendar', path), calendars), further: [] };
    }
    case 'calendar.freebusy.query':
      return { named: filled(listIn(request, path, query, 'items', idOfItem)), further: [] };
    case 'calendar.calendarList.insert':
      return { named: filled(listIn(request, path, query, 'id', (id) => id)), further: [] };
    default: {
      if (methodId.startsWith('drive.')) return { ...none, named: joined(idIn(DRIVE_FILE, 'file', path), []) };
      if (methodId.startsWith('calendar.')) return { ...none, named: joined(idIn(CALENDAR, 'calendar', path), []) };
      return none;
    }
  }
}

/** The resource in a path: decoded once, and in no spelling that a reader could decode further. */
function idIn(pattern: RegExp, kind: Kind, path: string): string | undefined {
  const [, segment] = pattern.exec(path) ?? [];
  if (segment === undefined) return undefined;
  try {
    return `${kind}:${decodeURIComponent(segment)}`;
  } catch {
    return undefined;
  }
}

function joined(name: string | undefined, more: readonly string[]): readonly string[] | undefined {
  return name === undefined ? undefined : [name, ...more];
}

/** At least one name; undefined for none, and for a body that cannot be read. */
function filled(names: readonly string[] | 'unreadable' | undefined): readonly string[] | undefined {
  return names === undefined || names === 'unreadable' || names.length === 0 ? undefined : names;
}

/** The one folder whose children a search lists ("Search for files and folders", Google Drive API guide); no other term may widen it. */
function folderOfSearch(query: URLSearchParams): readonly string[] | undefined {
  const searches = valuesOf(query, 'q');
  const [, id] = /^'([\w-]+)' in parents(?: and trashed ?= ?(?:true|false))?$/.exec(searches[0] ?? '') ?? [];
  return id === undefined || searches.length !== 1 ? undefined : [`file:${id}`];
}

/** Whether a new file comes with its metadata: an upload in two parts, or no upload. What is content alone would lie in My Drive. */
function isWhole({ headers = [] }: JudgedRequest, path: string, query: URLSearchParams): boolean {
  if (!path.startsWith('/upload/') && !path.startsWith('/resumable/')) return true;
  const types = valuesOf(query, 'uploadtype');
  const [content = '', ...more] = headerValues(headers, 'content-type');
  return types.length === 1 && types[0] === 'multipart' && more.length === 0 && /^multipart\/related\b/i.test(content);
}

/** The file that a shortcut leads to. */
function shortcutsIn(request: JudgedRequest, path: string, query: URLSearchParams): readonly string[] | 'unreadable' {
  const target = (one: unknown) =>
    typeof one === 'object' && one !== null && 'targetId' in one ? one.targetId : undefined;
  return listIn(request, path, query, 'shortcutDetails', target, 'file') ?? [];
}

function parentsIn(request: JudgedRequest, path: string, query: URLSearchParams) {
  return listIn(request, path, query, 'parents', (id) => id, 'file');
}

/** Names in a member of the body, which has it once and in its documented spelling; undefined without the member. */
function listIn(
  request: JudgedRequest,
  path: string,
  query: URLSearchParams,
  member: string,
  idOf: (one: unknown) => unknown,
  kind: Kind = 'calendar',
): readonly string[] | 'unreadable' | undefined {
  const members = jsonMembers(request, path, query);
  if (members === 'unreadable') return members;
  const spellings = Object.keys(members).filter((name) => name.toLowerCase() === member.toLowerCase());
  if (spellings.length === 0) return undefined;
  if (spellings.length > 1 || spellings[0] !== member) return 'unreadable';
  const names = [members[member]].flat().map(idOf);
  return names.every((id) => typeof id === 'string') ? names.map((id) => `${kind}:${id}`) : 'unreadable';
}

function idOfItem(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item && Object.keys(item).length === 1
    ? item.id
    : undefined;
}
