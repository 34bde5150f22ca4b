import type { ProviderId } from '../providers/provider-ids.rules.ts';
import type { ProviderCall } from '../proxying/upstream-request.rules.ts';

/** What a call of a tool does to the user's data. */
export type ToolClass = 'read' | 'write' | 'delete' | 'share';

/** A tool of a provider's own MCP server that the gateway knows; all others are refused (GA-22). */
export interface KnownTool {
  /** As the server names it. */
  readonly name: string;
  readonly class: ToolClass;
  /** Method of the REST API that does the same: limits of keys, approvals and units go by it. */
  readonly method: string;
  /** A request of that method; `-` stands for any id. */
  readonly request: readonly [httpMethod: string, target: string];
  /** Scopes of which one is enough, without their prefix. */
  readonly scopes: readonly string[];
  /** What a call is about; absent for tools that read or create. */
  readonly about?: ToolObject;
}

/** What calls of a tool are about, and how it is read at the same server. */
export interface ToolObject {
  readonly kind: 'event' | 'file';
  /** Tool that shows it. */
  readonly shownBy: string;
  /** Arguments that name it, the first of them its own id. Both tools take them; their spelling is Google's. */
  readonly named: readonly [id: string, ...more: string[]];
}

/** The tools of one product. Another product is another row. */
export interface KnownServer {
  /** What stands before each name, so that no two products and no tool of the gateway's own share one. */
  readonly prefix: string;
  /** Argument that searches, which limits of keys judge as the REST parameter `q`. */
  readonly searchArgument?: string;
  readonly tools: readonly KnownTool[];
}

const FILE = '/drive/v3/files/-';
const FILE_READERS = ['drive.readonly', 'drive.file', 'drive'];
const FILE_WRITERS = ['drive.file', 'drive'];
const EVENTS = '/calendar/v3/calendars/-/events';
const EVENT = `${EVENTS}/-`;
const EVENT_WRITERS = ['calendar.events', 'calendar'];
const EVENT_READERS = ['calendar.events.readonly', 'calendar.readonly', ...EVENT_WRITERS];
const LIST_READERS = ['calendar.calendarlist.readonly', 'calendar.calendarlist', 'calendar.readonly', 'calendar'];
const EVENT_OBJECT: ToolObject = { kind: 'event', shownBy: 'get_event', named: ['eventId', 'calendarId'] };
const FILE_OBJECT: ToolObject = { kind: 'file', shownBy: 'get_file_metadata', named: ['fileId'] };
const BUSY_READERS = ['calendar.events.freebusy', 'calendar.freebusy', 'calendar.readonly', 'calendar'];

const tool = (
  name: string,
  kind: ToolClass,
  method: string,
  request: KnownTool['request'],
  scopes: readonly string[],
  about?: ToolObject,
): KnownTool => ({ name, class: kind, method, request, scopes, ...(about === undefined ? {} : { about }) });

/** Known tools by product (Google, "Drive MCP server" and "Calendar MCP server", tool references, October 2026; GA-7, GA-8). */
export const KNOWN_SERVERS: Readonly<Partial<Record<ProviderId, KnownServer>>> = {
  'google-drive': {
    prefix: 'drive_google_',
    searchArgument: 'query',
    tools: [
      tool('search_files', 'read', 'drive.files.list', ['GET', '/drive/v3/files'], FILE_READERS),
      tool('list_recent_files', 'read', 'drive.files.list', ['GET', '/drive/v3/files'], FILE_READERS),
      tool('get_file_metadata', 'read', 'drive.files.get', ['GET', FILE], FILE_READERS),
      tool('get_file_permissions', 'read', 'drive.permissions.list', ['GET', `${FILE}/permissions`], FILE_READERS),
      tool('read_file_content', 'read', 'drive.files.get#media', ['GET', `${FILE}?alt=media`], FILE_READERS),
      tool('download_file_content', 'read', 'drive.files.get#media', ['GET', `${FILE}?alt=media`], FILE_READERS),
      tool('create_file', 'write', 'drive.files.create', ['POST', '/drive/v3/files'], FILE_WRITERS),
      // A copy is as open as its folder, so that limits take it for sharing (AP-35).
      tool('copy_file', 'share', 'drive.files.copy', ['POST', `${FILE}/copy`], FILE_WRITERS, FILE_OBJECT),
    ],
  },
  'google-calendar': {
    prefix: 'calendar_google_',
    tools: [
      tool(
        'list_calendars',
        'read',
        'calendar.calendarList.list',
        ['GET', '/calendar/v3/users/me/calendarList'],
        LIST_READERS,
      ),
      tool('list_events', 'read', 'calendar.events.list', ['GET', EVENTS], EVENT_READERS),
      tool('get_event', 'read', 'calendar.events.get', ['GET', EVENT], EVENT_READERS),
      tool('search_events', 'read', 'calendar.events.list', ['GET', EVENTS], EVENT_READERS),
      tool('suggest_time', 'read', 'calendar.freebusy.query', ['POST', '/calendar/v3/freeBusy'], BUSY_READERS),
      tool('create_event', 'write', 'calendar.events.insert', ['POST', EVENTS], EVENT_WRITERS),
      tool('update_event', 'write', 'calendar.events.patch', ['PATCH', EVENT], EVENT_WRITERS, EVENT_OBJECT),
      tool('delete_event', 'delete', 'calendar.events.delete', ['DELETE', EVENT], EVENT_WRITERS, EVENT_OBJECT),
      tool('respond_to_event', 'write', 'calendar.events.patch', ['PATCH', EVENT], EVENT_WRITERS, EVENT_OBJECT),
    ],
  },
};

/** A known tool of a provider's server; undefined for any other. */
export function knownTool(
  provider: ProviderId,
  name: string,
): { readonly server: KnownServer; readonly known: KnownTool } | undefined {
  const server = KNOWN_SERVERS[provider];
  const known = server?.tools.find((one) => one.name === name);
  return server === undefined || known === undefined ? undefined : { server, known };
}

/** Characters of a tool's name that every host takes (GA-22). */
const NAME_MAX_CHARACTERS = 56;

/** The name under which a tool is offered; undefined for one that is too long. */
export function offeredName({ prefix }: Pick<KnownServer, 'prefix'>, name: string): string | undefined {
  const offered = prefix + name;
  return offered.length > NAME_MAX_CHARACTERS ? undefined : offered;
}

/**
 * The REST request that does what a call does. Whatever may name guests or ask for mails counts as if it did: the spellings of arguments are
 * the server's, and may change with its next version.
 */
export function standInFor(server: KnownServer, { request: [method, path] }: KnownTool, args: object): ProviderCall {
  const given = Object.entries(args);
  const mails = given.some(([name, value]) => /notif|sendupdates/i.test(name) && !isNone(value));
  const guests = given.some(([name]) => /attendee|guest|invite/i.test(name));
  const searched = given.find(([name]) => name === server.searchArgument)?.[1];
  const query = new URLSearchParams();
  if (mails) query.set('sendUpdates', 'all');
  if (searched !== undefined) query.set('q', String(searched));
  const more = query.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${query}`;
  const isRead = method === 'GET' || method === 'DELETE';
  const body = isRead ? undefined : Buffer.from(JSON.stringify({ ...args, ...(guests ? { attendees: [] } : {}) }));
  const headers = isRead ? [] : ([['content-type', 'application/json']] as const);
  return { method, target: path + more, headers, body, isStandIn: true };
}

function isNone(value: unknown): boolean {
  return value === false || /^none$/i.test(String(value));
}
