import type { ToolCall, ToolOutcome, ToolResult } from '../../../gateway/server-tools/tool.rules.ts';
import { argumentsIn, toolRequest } from '../../../gateway/server-tools/tool-call.rules.ts';
import {
  type Approval,
  type ApprovalResult,
  approvalId,
  approvalRefOf,
  PROVIDER_ASKS,
  runUntil,
} from '../../approvals/approval.rules.ts';
import { endedEvent } from '../../approvals/ended-event.ts';
import { openPlan, openResult, sealResult } from '../../approvals/held-request.ts';
import { ASKS_ELSEWHERE, type EndOfTool, judgedTool, keptAnswer } from '../../approvals/judge-tool.rules.ts';
import { APPROVAL_RESULT_MAX_BYTES } from '../../approvals/limits.rules.ts';
import type { ApprovalStore } from '../../approvals/ports.ts';
import type { ProviderAnswer, SendingAs } from '../send-as-agent.ts';
import { ToolFailure } from '../tools/tool-failure.rules.ts';
import { endpointFor, openForm, question } from './forms.ts';
import {
  failureOf,
  type GoogleToolsDependencies,
  judgedAnswer,
  passed,
  RefusedCall,
  sentToServer,
} from './send-to-server.ts';
import { formNeeded } from './server-failure.ts';

export interface ApprovedCallDependencies extends GoogleToolsDependencies {
  readonly approvals: Pick<ApprovalStore, 'find' | 'part' | 'step'>;
}

/**
 * What became of a call of a tool that a person was to approve: the result, or Google's form where Google asks as well and the client can
 * show it.
 *
 * @returns undefined for a call that has not ended, or was none of a tool: the general words say that
 */
export async function endedCall(
  deps: ApprovedCallDependencies,
  sending: SendingAs,
  approval: Approval,
  call: ToolCall,
): Promise<ToolOutcome | undefined> {
  const plan = (await openPlan(deps, approval))?.plan;
  if (plan?.tool === undefined) return undefined;
  try {
    const opened = await openForm(deps, sending.agent, sending.ref, call).catch(() => undefined);
    if (opened?.held === approvalId(approval)) return await continueApproved(deps, sending, opened.held, call);
    if (approval.outcome === ASKS_ELSEWHERE) throw askedToo(approval);
    const kept = await openResult(deps, approval);
    if (kept === undefined) return undefined;
    const answer = { ...kept, body: Buffer.from(kept.body ?? '', 'base64') };
    // Too long to be kept: the state alone says that it was done.
    if (kept.body === undefined) return undefined;
    const read = await judgedAnswer(deps, sending, answer);
    if (read.resultType !== 'input_required') return passed(read);
    if (endpointFor(call.clientCapabilities) !== 'full') throw askedToo(approval);
    return await question(deps, sending.agent, sending.ref, call, read, approvalId(approval));
  } catch (error) {
    return { result: failureOf(error) };
  }
}

function askedToo({ outcome }: Approval): ToolFailure {
  const message =
    outcome === PROVIDER_ASKS
      ? 'A person has approved this at the gateway, and Google asks its user as well, in a form that this client cannot show. Nothing was done.'
      : 'A person has approved this at the gateway, but Google asks its user as well. Nothing was done. A key with approval both passes Google’s form on.';
  return new ToolFailure('approval_needed', message, { who: outcome === PROVIDER_ASKS ? 'end_user' : 'operator' });
}

/**
 * Sends the user's answer to Google's form, for a call that a person has approved at the gateway: once, however often it is repeated.
 *
 * @param id of the approval
 */
export async function continueApproved(
  deps: ApprovedCallDependencies,
  sending: SendingAs,
  id: string,
  call: ToolCall,
): Promise<ToolOutcome> {
  const { approvals, clock, random } = deps;
  const { agent, ref, request } = sending;
  const found = approvalRefOf(ref.accountId, id);
  const approval = found && (await approvals.find(found));
  const plan = approval && (await openPlan(deps, approval))?.plan;
  const kept = approval && (await openResult(deps, approval));
  const asked = kept && keptAnswer(kept);
  const isOwn = approval?.keyHash === agent.key.keyHash;
  if (approval === undefined || plan?.tool === undefined || asked?.kind !== 'result' || !isOwn) throw formEnded();
  if (approval.state !== 'failed' || approval.outcome !== PROVIDER_ASKS || approval.runId === undefined) {
    throw formEnded();
  }
  const runId = Buffer.from(random.bytes(16)).toString('hex');
  const taken = { runId, runUntilMs: runUntil(clock.nowMs()) };
  if (!(await approvals.step(approval, 'failed', 'running', taken, { runId: approval.runId }))) throw formEnded();
  const { requestState } = asked.result;
  const answers = {
    ...(typeof requestState === 'string' ? { requestState } : {}),
    ...(call.inputResponses === undefined ? {} : { inputResponses: call.inputResponses }),
  };
  const args = argumentsIn(plan.body);
  const end = async ({ state, outcome }: EndOfTool, result?: ApprovalResult) => {
    const event = endedEvent(deps, approval, state, request.requestId);
    const sealed = result && (await sealResult(deps, approval, result));
    const adds = { endedAtMs: clock.nowMs(), outcome };
    await approvals.step(approval, 'running', state, adds, { runId }, event, sealed);
  };
  let answer: ProviderAnswer;
  const again = toolRequest(plan.tool, args, true, answers, sending.report !== undefined);
  try {
    answer = await sentToServer(deps, sending, { ...plan, ...again }, 'given');
  } catch (error) {
    await end(error instanceof RefusedCall ? endOfRefused(error.result) : { state: 'unknown', outcome: 'lost' });
    throw error;
  }
  const { status, headers, body } = answer;
  const isShort = body.length <= APPROVAL_RESULT_MAX_BYTES;
  const result = { status, headers, body: isShort ? Buffer.from(body).toString('base64') : undefined };
  // Google has been given the answer: a second form is not passed on.
  await end(judgedTool({ asksToo: false }, result), result);
  const read = await judgedAnswer(deps, sending, answer);
  if (read.resultType === 'input_required') throw formNeeded();
  return passed(read);
}

/** How a call ended that has no answer: what may have reached Google is not known to be undone. */
function endOfRefused({ structuredContent = {} }: ToolResult): EndOfTool {
  const { code, applied } = structuredContent;
  const outcome = typeof code === 'string' ? code : 'lost';
  // These say that an answer was lost or too long, and not whether the provider acted.
  const mayHaveActed = applied === 'unknown' || /^(?:upstream_|answer_too_large$)/.test(outcome);
  return { state: mayHaveActed && applied !== 'no' ? 'unknown' : 'failed', outcome };
}

function formEnded(): ToolFailure {
  const message = 'This form was answered before, or belongs to a call that is over. Call the tool again.';
  return new ToolFailure('conflict', message);
}
