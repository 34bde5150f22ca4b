import { listOf, object, oneOf, optional, text } from '../parse.ts';
import { type AgentsState, agentsRecord, agentsSnapshot, createAgents } from './agents.ts';
import {
  type CalendarRecord,
  calendarChanges,
  type EntryRecord,
  eventText,
  type RuleRecord,
  type SettingRecord,
  type StoredEvent,
  settingRecord,
} from './calendar.ts';
import { createDelegation, type DelegationState, delegationRecord } from './delegation.ts';
import { type DriveChanges, driveChanges } from './drive.ts';
import { type DriveLimits, GOOGLE_LIMITS } from './limits.ts';
import {
  type AccessTokenRecord,
  type AdminBlockRecord,
  type ClientRecord,
  type GrantRecord,
  oauthStateRecord,
  type PickerRules,
  type PickRecord,
  type RefreshTokenRecord,
  type ServiceAccountRecord,
  type SigningKeyRecord,
  STATE_VERSION,
  type StreamRecord,
  serviceAccountRecord,
  streamRecord,
  type TokenIdentifiersRecord,
  tokenIdentifiersRecord,
} from './records.ts';

/** What was changed in the calendars of all accounts, each by its key in the store. */
export interface CalendarState {
  /** Number of the latest change. */
  seq: number;
  calendars: Map<string, CalendarRecord>;
  rules: Map<string, RuleRecord>;
  entries: Map<string, EntryRecord>;
  events: Map<string, StoredEvent>;
  settings: Map<string, SettingRecord>;
}

/** Everything that survives a restart; anyone who changes it calls `markChanged`. */
export interface SimulatorState {
  clients: Map<string, ClientRecord>;
  /** Ids of clients that a program declared; they follow what the program declares. */
  declaredClients: Set<string>;
  /** By {@link grantKey}. */
  grants: Map<string, GrantRecord>;
  /** By SHA-256 of the token, oldest first. */
  refreshTokens: Map<string, RefreshTokenRecord>;
  /** By SHA-256 of the token, oldest first. */
  accessTokens: Map<string, AccessTokenRecord>;
  disabledSubs: Set<string>;
  adminBlocks: AdminBlockRecord[];
  picks: PickRecord[];
  /** Of this run; a restart forgets them. */
  picker: PickerRules;
  /** Of this run; a restart brings Google's back. */
  limits: DriveLimits;
  signingKey: SigningKeyRecord | null;
  /** How security events name refresh tokens, by SHA-256 of the token. */
  tokenIdentifiers: Map<string, TokenIdentifiersRecord>;
  /** Where security events of a Cloud project are delivered. */
  streams: Map<string, StreamRecord>;
  /** Public keys of service accounts that may configure streams, by their address. */
  serviceAccounts: Map<string, ServiceAccountRecord>;
  /** Service accounts that act for users, and what administrators let them. */
  delegation: DelegationState;
  /** Google's MCP servers: clients of agents, services of Cloud projects, approvals, the day's requests. */
  agents: AgentsState;
  drive: DriveChanges;
  calendar: CalendarState;
  clockOffsetSec: number;
  clockFixedMs: number | null;
  /** False for a world that starts without generated files and events. */
  generated: boolean;
  markChanged(): void;
}

/** Key of a grant: Google counts grants per Cloud project and user, not per client. */
export function grantKey(project: string, sub: string): string {
  return `${project}:${sub}`;
}

/** Cloud project number of a client id: the part before the first hyphen. */
export function projectOf(clientId: string): string {
  return clientId.split('-')[0] ?? clientId;
}

/** The whole state file. */
export const stateFileRecord = object({
  version: oneOf(`${STATE_VERSION}`),
  oauth: oauthStateRecord,
  drive: driveChanges,
  calendar: calendarChanges,
  // Alongside the parts that 0.2.0 knows: it passes over members here, and refuses them within a part.
  settings: optional(listOf(settingRecord)),
  declaredClients: optional(listOf(text)),
  tokenIdentifiers: optional(listOf(tokenIdentifiersRecord)),
  streams: optional(listOf(streamRecord)),
  serviceAccounts: optional(listOf(serviceAccountRecord)),
  delegation: optional(delegationRecord),
  agents: optional(agentsRecord),
});
export type StateFileRecord = ReturnType<typeof stateFileRecord>;

/** Access tokens that ended longer ago than this are not written, so that the file stays small. */
const KEEP_ENDED_MS = 3_600_000;

/** State as the file holds it at the moment `nowMs`. */
export function snapshotState(state: SimulatorState, nowMs: number): StateFileRecord {
  return {
    version: `${STATE_VERSION}`,
    oauth: {
      clients: [...state.clients.values()],
      grants: [...state.grants.values()],
      refreshTokens: [...state.refreshTokens.values()],
      accessTokens: [...state.accessTokens.values()].filter((token) => token.expiresAtMs > nowMs - KEEP_ENDED_MS),
      disabledSubs: [...state.disabledSubs],
      adminBlocks: state.adminBlocks,
      picks: state.picks,
      signingKey: state.signingKey,
      clockOffsetSec: state.clockOffsetSec,
      clockFixedMs: state.clockFixedMs,
      generated: state.generated,
    },
    drive: state.drive,
    calendar: {
      seq: state.calendar.seq,
      calendars: [...state.calendar.calendars.values()],
      rules: [...state.calendar.rules.values()],
      entries: [...state.calendar.entries.values()],
      events: [...state.calendar.events.values()],
    },
    settings: [...state.calendar.settings.values()],
    declaredClients: [...state.declaredClients],
    tokenIdentifiers: [...state.tokenIdentifiers.values()],
    streams: [...state.streams.values()],
    serviceAccounts: [...state.serviceAccounts.values()],
    delegation: {
      delegates: state.delegation.delegates,
      listings: state.delegation.listings,
      users: state.delegation.users,
      tokensEndWithListing: state.delegation.tokensEndWithListing,
    },
    agents: agentsSnapshot(state.agents),
  };
}

/** Key of an access rule: one per calendar and scope. */
export function ruleKey(rule: Pick<RuleRecord, 'calendarId' | 'scopeType' | 'scopeValue'>): string {
  return `${rule.calendarId} ${rule.scopeType}:${rule.scopeValue}`;
}

function calendarState(file: StateFileRecord | undefined): CalendarState {
  const record = file?.calendar;
  return {
    seq: record?.seq ?? 0,
    calendars: new Map(record?.calendars.map((calendar) => [calendar.id, calendar])),
    rules: new Map(record?.rules.map((rule) => [ruleKey(rule), rule])),
    entries: new Map(record?.entries.map((entry) => [`${entry.sub} ${entry.calendarId}`, entry])),
    events: new Map(record?.events.map((stored) => [`${stored.calendarId} ${eventText(stored.event, 'id')}`, stored])),
    settings: new Map(file?.settings?.map((setting) => [`${setting.sub} ${setting.id}`, setting])),
  };
}

/** State from a file's record, or empty. */
export function createState(record: StateFileRecord | undefined, markChanged: () => void): SimulatorState {
  const oauth = record?.oauth;
  return {
    declaredClients: new Set(record?.declaredClients),
    tokenIdentifiers: new Map(record?.tokenIdentifiers?.map((one) => [one.sha256, one])),
    streams: new Map(record?.streams?.map((stream) => [stream.project, stream])),
    serviceAccounts: new Map(record?.serviceAccounts?.map((account) => [account.email, account])),
    delegation: createDelegation(record?.delegation),
    agents: createAgents(record?.agents),
    clients: new Map(oauth?.clients.map((client) => [client.clientId, client])),
    grants: new Map(oauth?.grants.map((grant) => [grantKey(grant.project, grant.sub), grant])),
    refreshTokens: new Map(oauth?.refreshTokens.map((token) => [token.sha256, token])),
    accessTokens: new Map(oauth?.accessTokens.map((token) => [token.sha256, token])),
    disabledSubs: new Set(oauth?.disabledSubs),
    adminBlocks: oauth?.adminBlocks ?? [],
    picks: oauth?.picks ?? [],
    picker: { foldersOpenChildren: false, grantsHoldFor: 'project' },
    limits: GOOGLE_LIMITS,
    signingKey: oauth?.signingKey ?? null,
    drive: record?.drive ?? { files: [], removedIds: [], drives: [], notes: {}, logs: {} },
    calendar: calendarState(record),
    clockOffsetSec: oauth?.clockOffsetSec ?? 0,
    clockFixedMs: oauth?.clockFixedMs ?? null,
    generated: oauth?.generated ?? true,
    markChanged,
  };
}

/** Replaces all that a state holds by what a record holds. */
export function replaceState(state: SimulatorState, record: StateFileRecord): void {
  Object.assign(state, createState(record, state.markChanged));
  state.markChanged();
}
