import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { headerValues } from '../../gateway/core/http-message.ts';
import { type ConnectionRef, sha256Hex } from '../../gateway/core/identifiers.ts';
import type { CipherContext } from '../../gateway/core/ports.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { APPROVAL_RUN_MS, APPROVED_RUN_WITHIN_SEC } from './limits.rules.ts';

/** Who may decide on calls that wait for approval. */
export const APPROVERS = ['operator', 'end_user', 'both'] as const;
export type Approvers = (typeof APPROVERS)[number];

/**
 * How a call stands that a person is to approve (AP-14). Each step is a conditional write from the one before, so that of two who
 * take it one succeeds:
 *
 *   pending --> approved --> running --> done | failed | stale
 *      |            |       ^   |    `-----> unknown --> done | failed
 *      |            |       `---'  (failed because the provider asks its user too: the answer to its form is sent once)
 *      |            `--> expired     (the process ended in between; the provider is read, nothing is sent)
 *      `--> refused | expired | stale (the connection is of another account now)
 */
export const APPROVAL_STATES = [
  'pending',
  'approved',
  'refused',
  'expired',
  'running',
  'done',
  'failed',
  'stale',
  'unknown',
] as const;

export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Which approval: its key is part of where it lies. */
export interface ApprovalRef {
  readonly accountId: string;
  /** Start of the digest of the key that asked. */
  readonly keyId: string;
  readonly ulid: string;
}

/** A call that waits for a person, without what it asks. Times are milliseconds since the epoch. */
export interface Approval extends ApprovalRef, ConnectionRef {
  readonly state: ApprovalState;
  readonly keyHash: string;
  /** End user whose assistant asked, if it has signed in and has no stored key. */
  readonly signedInUser: string | undefined;
  /** The provider's id of the method. */
  readonly methodId: string;
  /** What the call is about; undefined where it names no object. */
  readonly objectKind: string | undefined;
  readonly objectId: string | undefined;
  /** The provider's account that the call is made as (AP-33); undefined for calls of earlier versions. */
  readonly boundTo: string | undefined;
  /** Its place among the calls of the key that may wait; undefined for calls of earlier versions. */
  readonly seat: number | undefined;
  /** Of the whole request: the same one asked again is the same approval. */
  readonly digest: string;
  /** SHA-256 of the token in its page's address. */
  readonly tokenHash: string;
  readonly requestedAtMs: number;
  readonly expiresAtMs: number;
  /** Who decided, as the audit trail names them. */
  readonly decidedBy: string | undefined;
  readonly decidedAtMs: number | undefined;
  /** What the person saw of the object and of all that was shown: it has to hold when the call is sent. */
  readonly seen: string | undefined;
  /** The run that has it. */
  readonly runId: string | undefined;
  readonly runUntilMs: number | undefined;
  /** Id that the run gave to what it creates. */
  readonly createdId: string | undefined;
  readonly endedAtMs: number | undefined;
  /** Status of the provider's answer, or the gateway's code in its place. */
  readonly outcome: string | undefined;
}

/** Parts of an approval that are kept encrypted, each in a row of its own. */
export type ApprovalPart = 'request' | 'result' | 'about' | `body${number}`;

/** What is sent once a person has approved it, and what its caller learns again. */
export interface ParkedRequest {
  readonly plan: Pick<UpstreamPlan, 'origin' | 'method' | 'effectiveMethod' | 'target' | 'headers' | 'form' | 'tool'>;
  /** Bytes of the body; undefined = none. */
  readonly bodyBytes: number | undefined;
  /** The token in the page's address. */
  readonly token: string;
  /** Where the call came from. */
  readonly sourceIp: string;
}

/** Outcome of an approved call that the provider answered with a form for its user. */
export const PROVIDER_ASKS = 'provider_asks';

/** The provider's answer as it is kept for the caller. */
export interface ApprovalResult {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Base64; undefined where it was larger than what is kept. */
  readonly body: string | undefined;
}

/** The provider's account of a connection, or the consent where the provider did not name the account (AP-33). */
export function accountOf({ providerAccount, consentedAtEpochSec }: Connection): string {
  return providerAccount === undefined ? `consent:${consentedAtEpochSec}` : `sub:${providerAccount.subject}`;
}

/** Whether a connection is still of the account that an approval is about. */
export function isSameAccount({ boundTo }: Pick<Approval, 'boundTo'>, connection: Connection): boolean {
  return boundTo === undefined || boundTo === accountOf(connection);
}

/** The state of an approval now: `expired` once its time is over, `unknown` once its run has ended without a result. */
export function stateAt(
  approval: Pick<Approval, 'state' | 'expiresAtMs' | 'decidedAtMs' | 'runUntilMs'>,
  nowMs: number,
): ApprovalState {
  const { state, expiresAtMs, decidedAtMs = 0, runUntilMs = 0 } = approval;
  if (state === 'pending' && nowMs >= expiresAtMs) return 'expired';
  if (state === 'approved' && nowMs >= runBefore(decidedAtMs)) return 'expired';
  return state === 'running' && nowMs >= runUntilMs ? 'unknown' : state;
}

/** Until when an approved call may begin. */
export function runBefore(decidedAtMs: number): number {
  return decidedAtMs + APPROVED_RUN_WITHIN_SEC * 1000;
}

/** Until when a run that begins now must have ended. */
export function runUntil(nowMs: number): number {
  return nowMs + APPROVAL_RUN_MS;
}

const ID = /^apr_([0-9A-HJKMNP-TV-Z]{26})([0-9a-f]{12})$/;

/** How an approval is called outside. */
export function approvalId({ ulid, keyId }: Omit<ApprovalRef, 'accountId'>): string {
  return `apr_${ulid}${keyId}`;
}

/** The approval of an account that an id names; undefined for what is none. */
export function approvalRefOf(accountId: string, id: string): ApprovalRef | undefined {
  const [, ulid, keyId] = ID.exec(id) ?? [];
  return ulid === undefined || keyId === undefined ? undefined : { accountId, ulid, keyId };
}

/** Where a part of an approval is encrypted. */
export function approvalContext({ accountId, keyId, ulid }: ApprovalRef, part: ApprovalPart): CipherContext {
  const recordId = `${keyId}/${ulid}`;
  return { accountId, integrationId: '', recordId, field: `approval.${part}`, purpose: 'approvals' };
}

/** Headers that change what a request does. */
const DIGESTED = ['content-type', 'content-encoding', 'if-match', 'if-none-match'];

/** What makes two requests of a key the same. */
export function requestDigest(
  { integrationId, connectionId }: ConnectionRef,
  { origin, method, target, headers, body }: Pick<UpstreamPlan, 'origin' | 'method' | 'target' | 'headers' | 'body'>,
): string {
  const said = DIGESTED.map((name) => headerValues(headers, name));
  return sha256Hex(
    JSON.stringify([integrationId, connectionId, origin, method, target, said, sha256Hex(body ?? new Uint8Array())]),
  );
}

/** The address of the page of an approval. */
export function approvalUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/approve/${token}`;
}
