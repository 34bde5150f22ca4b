import type { Call } from '../../gateway/calls/book.ts';
import { type GatewayResponse, type HeaderPairs, headerValues } from '../../gateway/core/http-message.ts';
import { keyIdOf, sha256Hex, ulid } from '../../gateway/core/identifiers.ts';
import type { Clock, Random, TokenCipher } from '../../gateway/core/ports.ts';
import type { Undescribed } from '../../gateway/core/related-parts.ts';
import { actorOf, newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Caller } from '../../gateway/keys/authenticate-caller.ts';
import { signedInUserOf } from '../../gateway/keys/bound-callers.ts';
import type { LimitRefusal } from '../../gateway/keys/ports.ts';
import type { DescribedMethods } from '../../gateway/providers/described-methods.rules.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { readToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
import { type Approval, accountOf, approvalId, approvalUrl, requestDigest, stateAt } from './approval.rules.ts';
import { type CalledObject, calledObject } from './called-object.rules.ts';
import { saidOf } from './ended-event.ts';
import { openRequest, sealRequest } from './held-request.ts';
import {
  APPROVAL_LIFETIME_SEC,
  APPROVAL_RETRY_AFTER_SEC,
  APPROVALS_PENDING_MAX,
  APPROVALS_PER_DAY_MAX,
} from './limits.rules.ts';
import type { ApprovalStore } from './ports.ts';
import { headersToSend, isRead, readCall } from './read-call.rules.ts';

export interface HoldDependencies {
  readonly approvals: ApprovalStore;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  /** The gateway's public address, where people decide. */
  readonly baseUrl: string;
  /** What of each method a person is shown. */
  readonly described: DescribedMethods;
}

/** What its caller learns of a call that waits. Plain data: the proxy reads this module alongside its bundle and shares no class with it. */
export type HeldCall =
  | { readonly kind: 'answer'; readonly response: GatewayResponse }
  | ({ readonly kind: 'refusal' } & Pick<LimitRefusal, 'code' | 'message' | 'details'>);

/**
 * Keeps a call until a person has decided. The same request of the same key is the same approval for as long as it waits.
 *
 * @returns 202 for a caller that prefers to wait (RFC 7240 section 4.1): its libraries know what that means. Any other gets
 *   `approval_required` with where to decide, and each `approval_impossible` or `budget_spent` where it cannot wait
 */
export async function holdForApproval(
  deps: HoldDependencies,
  call: Call,
  caller: Caller,
  plan: UpstreamPlan,
  why: LimitRefusal,
): Promise<HeldCall> {
  const { limit } = why.details;
  if (plan.parts !== undefined) {
    const message = `${why.message} It is part of a batch: send it by itself.`;
    return { kind: 'refusal', code: 'approval_impossible', message, details: { limit } };
  }
  const wish = wishOf(deps, limit.method ?? '', plan);
  if ('member' in wish) {
    const message = `${why.message} It cannot wait: ${wish.member} cannot be shown to a person completely, or contradicts another part of the request.`;
    return {
      kind: 'refusal',
      code: 'approval_impossible',
      message,
      details: { limit: { ...limit, member: wish.member } },
    };
  }
  const found = await waitingApproval(deps, call, caller, plan, wish);
  if ('kind' in found) return found;
  const { approval, token } = found;
  const waiting: WaitingApproval = {
    approval_id: approvalId(approval),
    url: approvalUrl(deps.baseUrl, token),
    expires_at: new Date(approval.expiresAtMs).toISOString(),
  };
  if (!prefersToWait(call)) {
    const message = `${why.message} Nothing was sent; ask one to open ${waiting.url}`;
    return { kind: 'refusal', code: 'approval_required', message, details: { limit, members: { approval: waiting } } };
  }
  const body = Buffer.from(JSON.stringify({ status: 'pending', ...waiting }));
  call.refused('approval_required', body.length);
  const response = {
    status: 202,
    headers: [
      ['content-type', 'application/json; charset=utf-8'] as const,
      ['location', `${deps.baseUrl}/approvals/${waiting.approval_id}`],
      ['retry-after', String(APPROVAL_RETRY_AFTER_SEC)],
      ['preference-applied', 'respond-async'],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', call.request.requestId],
    ],
    body,
  } as const;
  return { kind: 'answer', response };
}

/** A call that waits, in the response to it; described in `described-error.ts`. */
interface WaitingApproval {
  readonly approval_id: string;
  /** Page where a person decides. */
  readonly url: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** What of a call is kept next to the request itself. */
interface Wish {
  readonly methodId: string;
  readonly object: Pick<CalledObject, 'kind' | 'id'> | undefined;
  readonly headers: HeaderPairs;
}

/** A call as it is kept, or the part of it that nobody can be shown. */
function wishOf(
  { described }: Pick<HoldDependencies, 'described'>,
  methodId: string,
  plan: UpstreamPlan,
): Wish | Undescribed {
  if (plan.tool !== undefined) {
    const read = readToolCall(plan);
    // The gateway wrote its headers.
    return read === undefined ? { member: 'tool' } : { methodId, object: read.object, headers: plan.headers };
  }
  const read = readCall(described, methodId, plan);
  return isRead(read) ? { methodId, object: calledObject(read), headers: headersToSend(plan.headers) } : read;
}

type Refused = Extract<HeldCall, { readonly kind: 'refusal' }>;

interface Waiting {
  readonly approval: Approval;
  readonly token: string;
}

async function waitingApproval(
  deps: HoldDependencies,
  call: Call,
  { key, live: { connection } }: Caller,
  plan: UpstreamPlan,
  { methodId, object, headers }: Wish,
): Promise<Waiting | Refused> {
  const { accountId, integrationId, connectionId } = connection;
  const keyId = keyIdOf(key);
  const digest = requestDigest(connection, plan);
  const nowMs = deps.clock.nowMs();
  // Others may hold the same request meanwhile, whose approval is there then, or take the seat.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const same = await deps.approvals.findSame(accountId, keyId, digest);
    if (same !== undefined && same.keyHash === key.keyHash && stateAt(same, nowMs) === 'pending') {
      const request = await openRequest(deps, same);
      if (request !== undefined) return { approval: same, token: request.token };
    }
    const room = await roomFor(deps, accountId, keyId, nowMs);
    if (typeof room !== 'number') return room;
    const token = Buffer.from(deps.random.bytes(32)).toString('base64url');
    const approval: Approval = {
      accountId,
      integrationId,
      connectionId,
      keyId,
      ulid: ulid(nowMs, deps.random.bytes(10)),
      state: 'pending',
      keyHash: key.keyHash,
      signedInUser: signedInUserOf(key),
      methodId,
      objectKind: object?.kind,
      objectId: object?.id,
      boundTo: accountOf(connection),
      seat: room,
      digest,
      tokenHash: sha256Hex(token),
      requestedAtMs: nowMs,
      expiresAtMs: nowMs + APPROVAL_LIFETIME_SEC * 1000,
      decidedBy: undefined,
      decidedAtMs: undefined,
      seen: undefined,
      runId: undefined,
      runUntilMs: undefined,
      createdId: undefined,
      endedAtMs: undefined,
      outcome: undefined,
    };
    const event = newEvent(deps.clock, deps.random, 'ApprovalRequested', {
      subject: { accountId, integrationId, connectionId },
      sequence: 0,
      endUserId: connection.endUser?.id,
      says: { ...saidOf(approval), ends_at: new Date(approval.expiresAtMs).toISOString() },
      requestId: call.request.requestId,
      actor: actorOf(key),
    });
    const parts = await sealRequest(deps, approval, { ...plan, headers }, { token, sourceIp: call.request.sourceIp });
    if (await deps.approvals.create(approval, parts, same?.ulid, event)) return { approval, token };
  }
  const message = 'The same request was sent several times at once. Send it again.';
  return { kind: 'refusal', code: 'conflict', message, details: { limit: { name: 'approve' } } };
}

/** How often a call is held that others come in between of: as often as there are seats that they can take. */
const ATTEMPTS = APPROVALS_PENDING_MAX + 2;

/** A seat for a call that waits; seats hold their number also when many calls come at once (AP-37). */
async function roomFor(
  { approvals, random }: HoldDependencies,
  accountId: string,
  keyId: string,
  nowMs: number,
): Promise<number | Refused> {
  const [ofDay, free] = await Promise.all([
    approvals.ofKey(accountId, keyId, nowMs - APPROVAL_LIFETIME_SEC * 1000),
    approvals.freeSeats(accountId, keyId, nowMs),
  ]);
  // Any of them: calls that come at the same time seldom choose the same.
  const seat = free[(random.bytes(1)[0] ?? 0) % Math.max(1, free.length)];
  if (seat !== undefined && ofDay.length < APPROVALS_PER_DAY_MAX) return seat;
  const most = seat === undefined ? APPROVALS_PENDING_MAX : APPROVALS_PER_DAY_MAX;
  const message =
    seat === undefined
      ? `${most} calls of this secret key wait for approval already: have those decided first.`
      : `This secret key has asked for approval ${most} times in a day, and may do so no more often.`;
  return { kind: 'refusal', code: 'budget_spent', message, details: { limit: { name: 'approve', most, left: 0 } } };
}

function prefersToWait({ request }: Call): boolean {
  const preferences = headerValues(request.headers, 'prefer').flatMap((value) => value.split(','));
  return preferences.some((one) => one.split(';', 1)[0]?.trim().toLowerCase() === 'respond-async');
}
