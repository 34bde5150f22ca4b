import type { IntegrationRef } from '../../gateway/core/identifiers.ts';
import { isAccountId } from '../../gateway/core/identifiers.ts';
import type { StoredBinding } from '../../gateway/keys/credentials.rules.ts';
import { type KeyLimits, limitsOfBoundKeys, type StoredLimits } from '../../gateway/keys/key-limits.rules.ts';

/** Tools of assistants, in the order of their list. */
export const TOOL_NAMES = [
  'drive_search_files',
  'drive_list_recent_files',
  'drive_get_file_metadata',
  'drive_read_file_content',
  'drive_create_file',
  'drive_copy_file',
  'drive_rename_or_move_file',
  'drive_update_file_content',
  'drive_trash_file',
  'calendar_list_calendars',
  'calendar_list_events',
  'calendar_get_event',
  'calendar_find_free_time',
  'calendar_create_event',
  'calendar_update_event',
  'calendar_respond_to_event',
  'calendar_delete_event',
  'gateway_approval_status',
] as const;

/** Tools of Google's own servers that assistants of agentic integrations may be given, under the names that they are offered by. */
export const SERVER_TOOL_NAMES = [
  'drive_google_search_files',
  'drive_google_list_recent_files',
  'drive_google_get_file_metadata',
  'drive_google_get_file_permissions',
  'drive_google_read_file_content',
  'drive_google_download_file_content',
  'drive_google_create_file',
  'drive_google_copy_file',
  'calendar_google_list_calendars',
  'calendar_google_list_events',
  'calendar_google_get_event',
  'calendar_google_search_events',
  'calendar_google_suggest_time',
  'calendar_google_create_event',
  'calendar_google_update_event',
  'calendar_google_delete_event',
  'calendar_google_respond_to_event',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** Prefix of an agent's key: it cannot be mistaken for a secret key, and versions without agents refuse it by its form. */
export const AGENT_KEY_PREFIX = 'ak_';

/** Account named by a well-formed `ak_<accountId>_<43 base64url characters>`, else undefined. */
export function accountOfAgentKey(key: string): string | undefined {
  const accountId = /^ak_([a-z0-9-]{1,63})_[A-Za-z0-9_-]{43}$/.exec(key)?.[1];
  return accountId !== undefined && isAccountId(accountId) ? accountId : undefined;
}

/** Which connection of the key's account. */
export type AgentConnection = Omit<IntegrationRef, 'accountId'> & { readonly connectionId: string };

/** The binding of an assistant's key: one end user's connections, at most one per provider (MC-20). */
export interface AgentBinding {
  /** The integrator's id of the end user; undefined: connections without an end user. */
  readonly endUserId?: string;
  readonly connections: readonly AgentConnection[];
  /** Tools available to it; absent: all that its limits permit. */
  readonly tools?: readonly string[];
}

const BINDING_VERSION = 1;

export function storedAgent(binding: AgentBinding): StoredBinding {
  return { v: BINDING_VERSION, ...binding };
}

/** The stored binding; undefined for an unknown form, which grants nothing. */
export function readAgentBinding({ v, ...binding }: StoredBinding): AgentBinding | undefined {
  return v === BINDING_VERSION && isBinding(binding) ? binding : undefined;
}

function isBinding(
  binding: Readonly<Record<string, unknown>>,
): binding is Readonly<Record<string, unknown>> & AgentBinding {
  const { endUserId, connections, tools, ...others } = binding;
  return (
    Object.keys(others).length === 0 &&
    (endUserId === undefined || typeof endUserId === 'string') &&
    Array.isArray(connections) &&
    connections.every(isConnection) &&
    (tools === undefined || (Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')))
  );
}

function isConnection(one: unknown): boolean {
  if (typeof one !== 'object' || one === null) return false;
  return (
    'integrationId' in one &&
    typeof one.integrationId === 'string' &&
    'connectionId' in one &&
    typeof one.connectionId === 'string'
  );
}

/** Default lifetime of an agent's key in days. */
const LIFETIME_DAYS = 30;
/** Defaults of an agent's key: reads, about as many as a person makes, for a month (MC-23). */
const DEFAULTS = {
  allow: ['drive:read', 'calendar:read'],
  minute: { calls: 60 },
  // Far below the 5,000 requests a day that Google's Standard tier gives a project for MCP (GA-10, GA-25).
  day: { calls: 500, units: 200_000, bytes: 100_000_000 },
} as const;

/** Default of changes that need a person's approval: those that lose data, admit others or write to them (MC-23). */
export const APPROVED_FIRST: readonly string[] = ['delete', 'share', 'invite', 'replace'];

/** Limits by the names of the API. */
type GivenLimits = Partial<Pick<KeyLimits, 'allow' | 'deny' | 'minute' | 'day'>> & {
  readonly approve?: string[] | undefined;
  readonly expires_at?: string;
};

/** Limits with defaults filled in: an agent's key always has limits. */
export function withAgentDefaults<T extends GivenLimits>(given: T, nowMs: number, without?: ReadonlySet<string>) {
  const namesMethods = given.allow !== undefined || given.deny !== undefined;
  return {
    ...given,
    mode: 'enforce' as const,
    ...(namesMethods ? { approve: given.approve ?? [...APPROVED_FIRST] } : { allow: [...DEFAULTS.allow] }),
    ...limitsOfBoundKeys(given, without),
    minute: given.minute ?? DEFAULTS.minute,
    day: given.day ?? DEFAULTS.day,
    expires_at: given.expires_at ?? new Date(nowMs + LIFETIME_DAYS * 24 * 3600 * 1000).toISOString(),
  };
}

/** Every key of an agent has stored limits: one without is refused. */
export function isAgentRecord(record: {
  readonly agent?: StoredBinding | undefined;
  readonly limits?: StoredLimits | undefined;
}): boolean {
  return record.agent !== undefined && record.limits !== undefined;
}
