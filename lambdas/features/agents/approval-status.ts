import type { Clock, Random, TokenCipher } from '../../gateway/core/ports.ts';
import type { KeyLimits } from '../../gateway/keys/key-limits.rules.ts';
import {
  type HeldWait,
  type InputRequired,
  isObject,
  type JsonObject,
  type ToolCall,
  type ToolResult,
} from '../../gateway/server-tools/tool.rules.ts';
import { type Approval, approvalId, approvalRefOf, approvalUrl, stateAt } from '../approvals/approval.rules.ts';
import { openRequest, openResult } from '../approvals/held-request.ts';
import type { ApprovalStore } from '../approvals/ports.ts';
import { SERVER_TOOL_NAMES } from './agent.rules.ts';
import type { Agent } from './agent.ts';
import { providerFailure } from './failures.ts';
import { dataResult, RESULT_MAX_CHARACTERS, WAITING } from './tools/results.rules.ts';
import { definition, string } from './tools/schemas.ts';
import type { Tool } from './tools/tool.ts';
import { ToolFailure } from './tools/tool-failure.rules.ts';
import { hasTool, TOOLS } from './tools/tool-list.ts';

export interface ApprovalStatusDependencies {
  readonly approvals: Pick<ApprovalStore, 'find' | 'part' | 'holdWait' | 'endWait'>;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  /** The gateway's public address, where people decide. */
  readonly baseUrl: string;
}

/** Returns to an assistant the state of its own call that waits for approval; it decides nothing. */
export const APPROVAL_STATUS = definition(
  'gateway_approval_status',
  'Status of an approval',
  'reads',
  'What became of a call that a person has to approve. Ask when the user says that it is decided, not in a loop.',
  { 'approval_id!': string('approval_id of the result that waits', { pattern: '^apr_[0-9A-Z]{26}[0-9a-f]{12}$' }) },
);

/** Whether an agent has the tool: its limits leave it others that write, which can wait, and its list of tools leaves it. */
export function hasApprovalStatus({ tools }: Pick<Agent, 'tools'>, limits: KeyLimits | undefined): boolean {
  const rights = { tools, methods: limits?.methods, grantedScopes: undefined };
  const writes = (tool: Tool) => tool.definition.annotations?.readOnlyHint === false && hasTool(rights, tool);
  const ofServer = tools?.some((name) => SERVER_TOOL_NAMES.some((known) => known === name)) === true;
  const canWait = (limits?.approve?.length ?? 0) > 0 && (ofServer || TOOLS.some(writes));
  return canWait && (tools === undefined || tools.includes(APPROVAL_STATUS.name));
}

/** What each state means to an assistant, and what it does then. */
const MEANINGS = {
  pending: 'A person has to decide yet. Ask the user to open url.',
  approved: 'It was approved and is on its way. Ask again in some seconds.',
  running: 'It was approved and is on its way. Ask again in some seconds.',
  done: 'It was approved and has been done.',
  failed: 'It was approved, but could not be done. Nothing was changed.',
  stale: 'It had changed since the person saw it, so nothing was done. Read it again before you decide.',
  refused: 'The person refused it. Do not ask for it again unless the user says so.',
  expired: 'Nobody decided in time. Nothing was done.',
  unknown: 'It may have been done: the answer was lost. Look before you repeat it.',
} as const;

/** The refusal of an id that is none of the key's own, as of one that there is not. */
export function noSuchApproval(): ToolFailure {
  return new ToolFailure('not_found', 'There is no such approval of this assistant.');
}

/** The approval of an id, if this key asked for it. */
export async function ownApproval(
  { approvals }: ApprovalStatusDependencies,
  { key }: Agent,
  id: string,
): Promise<Approval | undefined> {
  const ref = approvalRefOf(key.accountId, id);
  const found = ref === undefined ? undefined : await approvals.find(ref);
  return found?.keyHash === key.keyHash ? found : undefined;
}

/** What an assistant learns of an approval of its own. */
export async function statusResult(deps: ApprovalStatusDependencies, approval: Approval): Promise<ToolResult> {
  const state = stateAt(approval, deps.clock.nowMs());
  const said = {
    status: state === 'pending' ? WAITING : state,
    approval_id: approvalId(approval),
    message: MEANINGS[state],
  };
  if (state === 'pending') {
    const request = await openRequest(deps, approval);
    const url = request && approvalUrl(deps.baseUrl, request.token);
    return dataResult({ ...said, url, expires_at: new Date(approval.expiresAtMs).toISOString() });
  }
  const result = state === 'done' || state === 'failed' ? await openResult(deps, approval) : undefined;
  if (result === undefined) return dataResult(said);
  const body = Buffer.from(result.body ?? '', 'base64');
  if (state === 'failed' && result.status >= 400) {
    const { code, message, details } = providerFailure(result.status, result.headers, body, 'GET');
    return dataResult({ ...said, failure: { code, message, ...details } });
  }
  const shown = shownBody(body);
  return dataResult({ ...said, ...(shown === undefined ? {} : { result: shown }) });
}

/** What the provider answered, as the tool itself would have asked for it; nothing where it is too long for a result. */
function shownBody(body: Buffer): JsonObject | undefined {
  if (body.length === 0 || body.length > RESULT_MAX_CHARACTERS - 1_000) return undefined;
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The question to the person behind a client that can open a page, instead of the result that says where: such a client shows the
 * address and calls again (MC-24).
 *
 * @returns undefined for other clients, and for results that wait for nobody
 */
export function questionFor(call: ToolCall, result: ToolResult): InputRequired | undefined {
  const { structuredContent: said = {} } = result;
  const { elicitation } = call.clientCapabilities;
  if (said.status !== WAITING || !isObject(elicitation) || !isObject(elicitation.url)) return undefined;
  const { approval_id: id, url } = said;
  if (typeof id !== 'string' || typeof url !== 'string') return undefined;
  const message = 'A person has to approve this call on a page of the gateway.';
  return {
    inputRequests: { approval: { method: 'elicitation/create', params: { mode: 'url', message, url } } },
    requestState: id,
  };
}

/** The approval that a call names which is repeated after the question; undefined where it names none of the same key: then it is a call like any other. */
export async function repeatedApproval(
  deps: ApprovalStatusDependencies,
  agent: Agent,
  { requestState }: ToolCall,
): Promise<Approval | undefined> {
  return requestState === undefined ? undefined : ownApproval(deps, agent, requestState);
}

/**
 * Takes a place to wait at for the person, for a call whose approval is under way. A key holds one place, and all keys together
 * `HELD_WAITS_MAX`; every other repeat is answered at once (AP-37).
 */
export async function placeToWait(
  deps: ApprovalStatusDependencies,
  approval: Approval,
  { wasDeclined }: Pick<ToolCall, 'wasDeclined'>,
): Promise<HeldWait | undefined> {
  const nowMs = deps.clock.nowMs();
  if (wasDeclined || !isUnderWay(approval, nowMs)) return undefined;
  const first = deps.random.bytes(1)[0] ?? 0;
  const takenUntilMs = nowMs + WAIT_MS + HELD_AFTER_MS;
  const place = await deps.approvals.holdWait(approval, first, nowMs, takenUntilMs);
  return place === undefined ? undefined : { place, takenUntilMs, waitMs: WAIT_MS };
}

/** How long a repeat waits for the person: clients repeat as soon as the page is open. */
const WAIT_MS = 15_000;
/** How long a place stays taken after its wait should have ended: the last look and the answer take some time. */
const HELD_AFTER_MS = 10_000;

/** Whether a call still waits for the person, or is on its way to the provider. */
export function isUnderWay(approval: Approval, nowMs: number): boolean {
  return ['pending', 'approved', 'running'].includes(stateAt(approval, nowMs));
}
