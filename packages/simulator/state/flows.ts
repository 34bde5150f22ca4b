import { randomText, sha256Hex } from '../random.ts';
import type { ClientRecord } from './records.ts';

/** What an authorization request with `trigger_onepick` wants picked (Google, "Integrate the Google Picker into desktop and mobile apps"). */
export interface PickRequest {
  multiple: boolean;
  /** Empty = any. */
  mimeTypes: string[];
  /** Only these are shown; empty = the account's files. */
  fileIds: string[];
  folders: boolean;
}

/** A checked authorization request. */
export interface AuthorizationRequest {
  client: ClientRecord;
  redirectUri: string;
  /** As asked, aliases not expanded. */
  scopes: string[];
  state: string | undefined;
  nonce: string | undefined;
  offline: boolean;
  prompts: ReadonlySet<string>;
  loginHint: string | undefined;
  hostedDomain: string | undefined;
  includeGrantedScopes: boolean;
  codeChallenge: { value: string; method: 'S256' | 'plain' } | undefined;
  /** Set when the consent is followed by the file picker. */
  pick: PickRequest | undefined;
}

/** Authorization codes live ten minutes. */
export const CODE_LIFETIME_MS = 600_000;

/** A page left open longer than this must be opened again. */
const SESSION_LIFETIME_MS = 3_600_000;

/** Open pages and codes kept at once; the oldest go first. */
const MAX_ENTRIES = 5_000;

/** An authorization code and everything it is bound to. */
export interface CodeRecord {
  clientId: string;
  redirectUri: string;
  sub: string;
  scopes: string[];
  codeChallenge: AuthorizationRequest['codeChallenge'];
  nonce: string | undefined;
  /** True when a refresh token comes with it: offline access and a consent screen that was shown. */
  grantsRefreshToken: boolean;
  consentedAtMs: number;
  createdAtMs: number;
  used: boolean;
}

interface AuthorizationSession {
  request: AuthorizationRequest;
  createdAtMs: number;
}

/** Pages in progress and codes not yet exchanged. */
export interface FlowStore {
  sessions: Map<string, AuthorizationSession>;
  /** By SHA-256 of the code. */
  codes: Map<string, CodeRecord>;
}

/** An empty store. */
export function createFlowStore(): FlowStore {
  return { sessions: new Map(), codes: new Map() };
}

function trim(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= MAX_ENTRIES) return;
    map.delete(key);
  }
}

/** Keeps a validated request while its pages are open; the id is the pages' only credential. */
export function openSession(flows: FlowStore, request: AuthorizationRequest, nowMs: number): string {
  const id = randomText(24);
  flows.sessions.set(id, { request, createdAtMs: nowMs });
  trim(flows.sessions);
  return id;
}

/** The request behind an open page, or `undefined` when it is finished or too old. */
export function findSession(flows: FlowStore, id: string, nowMs: number): AuthorizationRequest | undefined {
  const session = flows.sessions.get(id);
  return session !== undefined && nowMs - session.createdAtMs < SESSION_LIFETIME_MS ? session.request : undefined;
}

/** Keeps a code and returns its text. */
export function issueCode(flows: FlowStore, record: CodeRecord): string {
  const code = `4/0A${randomText(52)}`;
  flows.codes.set(sha256Hex(code), record);
  trim(flows.codes);
  return code;
}
