import { createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import type { ApprovalPolicy } from '../state/agents.ts';
import type { AccessTokenRecord } from '../state/records.ts';
import { CODES, type McpFault, type McpRequest, needsForms } from './protocol.ts';
import type { McpServer } from './servers.ts';
import { errorResult, type McpTool } from './tool.ts';

/** Name of the one question of a form's answer. */
const QUESTION = 'approval';
/** How long the answer to a form counts. */
const FORM_LIFETIME_MS = 10 * 60_000;

/** A call that may need the user's approval. */
export interface AskedCall {
  readonly server: McpServer;
  readonly tool: McpTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly token: AccessTokenRecord;
  readonly request: McpRequest;
}

/** What a call is answered instead of its tool's result. */
export type ApprovalAnswer = { readonly result: Readonly<Record<string, unknown>> } | { readonly fault: McpFault };

function needsApproval(policy: ApprovalPolicy, { effect }: McpTool): boolean {
  return policy === 'all' || (policy === 'changes' && effect !== 'read');
}

/** Ties an answer to the user, the client, the tool, its arguments and an end, because the server keeps nothing between two requests. */
function signature(sim: Simulation, { server, tool, args, token }: AskedCall, untilMs: number): string {
  const named = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  const signed = JSON.stringify([token.sub, token.clientId, server.host, tool.name, named, untilMs]);
  return createHmac('sha256', sim.formKey).update(signed).digest('base64url');
}

function isSigned(sim: Simulation, call: AskedCall, state: string): boolean {
  const [until = '', sent = ''] = state.split('.');
  const untilMs = Number(until);
  if (!(untilMs > sim.clock.nowMs())) return false;
  const wanted = Buffer.from(signature(sim, call, untilMs));
  const given = Buffer.from(sent);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function canShowForms({ capabilities }: McpRequest): boolean {
  const { elicitation } = capabilities;
  // A client that names no mode can show forms ("Elicitation", section "Capabilities").
  return isRecord(elicitation) && (isRecord(elicitation.form) || Object.keys(elicitation).length === 0);
}

/** The form, and what the client sends back with its answer. */
function form(sim: Simulation, call: AskedCall): Readonly<Record<string, unknown>> {
  const untilMs = sim.clock.nowMs() + FORM_LIFETIME_MS;
  const requestedSchema = {
    type: 'object',
    properties: {
      decision: {
        type: 'string',
        title: 'Decision',
        description: 'Whether this call may run.',
        enum: ['allow', 'deny'],
      },
    },
    required: ['decision'],
  };
  const message = `${call.tool.title}? An AI-powered agent wants to use ${call.tool.name} with ${JSON.stringify(call.args)}.`;
  return {
    resultType: 'input_required',
    inputRequests: { [QUESTION]: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } },
    requestState: `${untilMs}.${signature(sim, call, untilMs)}`,
  };
}

/**
 * Asks the user to approve a call where the user's policy says so, and judges the answer that a repeated call brings (form elicitation
 * of 2026-07-28).
 * @returns undefined for a call that may run
 */
export function judgeApproval(sim: Simulation, call: AskedCall): ApprovalAnswer | undefined {
  const { tool, token, request } = call;
  if (!needsApproval(sim.state.agents.policies.get(token.sub) ?? 'none', tool)) return undefined;
  if (!request.isModern) {
    return { result: errorResult(`${tool.name} needs an approval that clients of this protocol version cannot show.`) };
  }
  if (!canShowForms(request)) return { fault: needsForms(request) };
  const { requestState, inputResponses } = request.params;
  if (requestState === undefined && inputResponses === undefined) return { result: form(sim, call) };
  if (typeof requestState !== 'string' || !isSigned(sim, call, requestState)) {
    const message = 'requestState belongs to another call or has ended';
    return { fault: { status: 200, id: request.id, code: CODES.params, message } };
  }
  const answer = isRecord(inputResponses) ? inputResponses[QUESTION] : undefined;
  const content = isRecord(answer) && answer.action === 'accept' ? answer.content : undefined;
  if (isRecord(content) && content.decision === 'allow') return undefined;
  return { result: errorResult('The user did not approve this call.') };
}
