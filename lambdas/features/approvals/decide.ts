import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { Clock, Random, TokenCipher } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { BoundCallers } from '../../gateway/keys/ports.ts';
import type { AboutCall } from './about-call.rules.ts';
import { type Approval, approvalUrl, isSameAccount, stateAt } from './approval.rules.ts';
import { endedEvent, saidOf } from './ended-event.ts';
import { sealAbout } from './held-request.ts';
import { APPROVAL_LINK_SEC } from './limits.rules.ts';
import type { ApprovalStore } from './ports.ts';

export interface DecideDependencies {
  readonly approvals: ApprovalStore;
  readonly cipher: TokenCipher;
  readonly secretKeys: { find(keyHash: string): Promise<SecretKeyRecord | undefined> };
  readonly boundCallers: Pick<BoundCallers, 'signedIn'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Who asked, as approvers see it. */
export type Asker = Pick<SecretKeyRecord, 'name' | 'keyHash'>;

/** What a person decided, and who it was. */
export interface Decision {
  readonly kind: 'approved' | 'refused';
  /** What they saw; undefined where a refusal came without it. */
  readonly about: AboutCall | undefined;
  readonly actor: string;
  readonly requestId: string;
}

/**
 * An approval that is still there: with its key it goes (AP-15).
 *
 * @throws GatewayError `not_found`
 */
export async function requireApproval(
  deps: Pick<DecideDependencies, 'secretKeys' | 'boundCallers' | 'clock'>,
  approval: Approval | undefined,
): Promise<{ readonly approval: Approval; readonly key: Asker }> {
  const key = approval === undefined ? undefined : await askerOf(deps, approval);
  if (approval === undefined || key === undefined) throw unknownApproval();
  return { approval, key };
}

/** The key that asked, or the record of a caller that signed in elsewhere; undefined where it may not ask any more. */
async function askerOf(
  { secretKeys, boundCallers, clock }: Pick<DecideDependencies, 'secretKeys' | 'boundCallers' | 'clock'>,
  { accountId, keyHash, signedInUser }: Approval,
): Promise<Asker | undefined> {
  if (signedInUser !== undefined) return boundCallers.signedIn(signedInUser, keyHash, clock.nowMs());
  const key = await secretKeys.find(keyHash);
  return key === undefined || key.revokedAt !== undefined || key.accountId !== accountId ? undefined : key;
}

/** The refusal of an id that names no approval, or one that is another's. */
export function unknownApproval(): GatewayError {
  return new GatewayError('not_found', 'There is no such approval.');
}

/**
 * Writes a person's decision, once. What is approved is sent by the function that receives the event.
 *
 * @throws GatewayError `conflict` where another was made before, `approval_expired`, `approval_impossible` for an approval of what
 *   cannot be described completely
 */
export async function decide(deps: DecideDependencies, approval: Approval, decision: Decision): Promise<Approval> {
  const nowMs = deps.clock.nowMs();
  if (stateAt(approval, nowMs) === 'expired') throw expired();
  if (decision.kind === 'approved' && decision.about?.warning !== undefined) {
    throw new GatewayError(
      'approval_impossible',
      'Not all of what this call changes could be read. Refuse it, or try again later.',
    );
  }
  const { accountId, integrationId, connectionId } = approval;
  const event = newEvent(deps.clock, deps.random, 'ApprovalDecided', {
    subject: { accountId, integrationId, connectionId },
    sequence: 0,
    says: { ...saidOf(approval), outcome: decision.kind },
    requestId: decision.requestId,
    actor: decision.actor,
  });
  const adds = {
    decidedBy: decision.actor,
    decidedAtMs: nowMs,
    ...(decision.kind === 'approved' ? { seen: decision.about?.seen } : {}),
    ...(decision.kind === 'refused' ? { endedAtMs: nowMs } : {}),
  };
  const isDecided = await deps.approvals.step(
    approval,
    'pending',
    decision.kind,
    adds,
    { notExpiredAtMs: nowMs },
    event,
    decision.about && (await sealAbout(deps, approval, decision.about)),
  );
  if (isDecided) return { ...approval, ...adds, state: decision.kind };
  throw new GatewayError('conflict', 'This has been decided already.');
}

/**
 * An approval by the account of its connection: what waits for another account is stale, and stays so (AP-33).
 *
 * @param connection undefined where it is not known, which changes nothing
 */
export async function boundApproval(
  deps: Pick<DecideDependencies, 'approvals' | 'clock' | 'random'>,
  approval: Approval,
  connection: Connection | undefined,
  requestId: string,
): Promise<Approval> {
  const isWaiting = stateAt(approval, deps.clock.nowMs()) === 'pending';
  if (!isWaiting || connection === undefined || isSameAccount(approval, connection)) return approval;
  const adds = { endedAtMs: deps.clock.nowMs(), outcome: 'other_account' };
  const event = endedEvent(deps, approval, 'stale', requestId);
  const isWritten = await deps.approvals.step(approval, 'pending', 'stale', adds, {}, event);
  return isWritten ? { ...approval, ...adds, state: 'stale' } : ((await deps.approvals.find(approval)) ?? approval);
}

function expired(): GatewayError {
  return new GatewayError('approval_expired', 'Nobody decided in time. Nothing was sent; send the request again.');
}

/** A link of the customer's backend, for one browser. */
export interface DecisionLink {
  readonly url: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/**
 * A link whose first browser decides as the end user: the backend is responsible for giving it to the right person.
 *
 * @throws GatewayError `conflict`, `approval_expired`
 */
export async function createDecisionLink(
  deps: Pick<DecideDependencies, 'approvals' | 'clock' | 'random'> & { readonly baseUrl: string },
  approval: Approval,
  by: { readonly actor: string; readonly requestId: string },
): Promise<DecisionLink> {
  const nowMs = deps.clock.nowMs();
  const state = stateAt(approval, nowMs);
  if (state === 'expired') throw expired();
  if (state !== 'pending') throw new GatewayError('conflict', 'This has been decided already.');
  const token = Buffer.from(deps.random.bytes(32)).toString('base64url');
  const untilMs = Math.min(approval.expiresAtMs, nowMs + APPROVAL_LINK_SEC * 1000);
  const endsAt = new Date(untilMs).toISOString();
  const { accountId, integrationId, connectionId } = approval;
  const event = newEvent(deps.clock, deps.random, 'ApprovalLinkCreated', {
    subject: { accountId, integrationId, connectionId },
    sequence: 0,
    says: { ...saidOf(approval), ends_at: endsAt },
    ...by,
  });
  await deps.approvals.addLink(approval, { tokenHash: sha256Hex(token), untilMs, madeBy: by.actor }, event);
  return { url: approvalUrl(deps.baseUrl, token), expires_at: endsAt };
}
