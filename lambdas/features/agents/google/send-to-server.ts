import { SERVER_TOOL_PREFIX } from '../../../gateway/core/contract.ts';
import type { GatewayRequest } from '../../../gateway/core/http-message.ts';
import type { TokenCipher } from '../../../gateway/core/ports.ts';
import type { UpstreamPlan } from '../../../gateway/proxying/upstream-request.rules.ts';
import type { RefreshListDependencies } from '../../../gateway/server-tools/refresh-list.ts';
import { NEEDS_CAPABILITY, readServerAnswer } from '../../../gateway/server-tools/server-message.rules.ts';
import type { JsonObject, ToolOutcome, ToolResult } from '../../../gateway/server-tools/tool.rules.ts';
import { readToolCall } from '../../../gateway/server-tools/tool-call.rules.ts';
import type { ProviderAnswer, SendDependencies, SendingAs } from '../send-as-agent.ts';
import { cut, failureResult, PROVIDER_MESSAGE_MAX_CHARACTERS, UNTRUSTED } from '../tools/results.rules.ts';
import { ToolFailure } from '../tools/tool-failure.rules.ts';
import { formNeeded, serverFailure } from './server-failure.ts';

/** Whose approval a call has: of nobody yet, of a person at the gateway, or of the provider's user, who is asked by the provider itself. */
export type Consent = 'none' | 'given' | 'left_to_provider';

export interface GoogleToolsDependencies extends RefreshListDependencies {
  readonly cipher: TokenCipher;
  readonly connectLink: SendDependencies['connectLink'];
  /** Sends a call as all calls of agents go. What it throws would be of a class that is not this module's, so refusals are results. */
  readonly send: (
    sending: SendingAs,
    asked: Pick<GatewayRequest, 'method' | 'rawPath' | 'query' | 'headers' | 'body'>,
    plan: UpstreamPlan,
    consent: Consent,
  ) => Promise<{ readonly answer: ProviderAnswer } | { readonly refused: ToolResult }>;
}

/** What an assistant reads of a failure. @throws what is none */
export function failureOf(error: unknown): ToolResult {
  if (error instanceof RefusedCall) return error.result;
  if (error instanceof ToolFailure) return failureResult(error);
  throw error;
}

/** What the server answered, sent as all calls of agents go. @throws RefusedCall */
export async function sentToServer(
  deps: GoogleToolsDependencies,
  sending: SendingAs,
  plan: UpstreamPlan,
  consent: Consent,
): Promise<ProviderAnswer> {
  const read = readToolCall(plan);
  if (read === undefined) throw new ToolFailure('not_available', 'This version of the gateway does not know the tool.');
  const { body } = plan;
  const asked = { method: 'POST', rawPath: SERVER_TOOL_PREFIX + read.known.name, query: [], headers: [], body };
  const answered = await deps.send(sending, asked, { ...plan, standIn: read.standIn }, consent);
  if ('refused' in answered) throw new RefusedCall(answered.refused);
  return answered.answer;
}

/** A refusal on its way out of this module, as the result that says it. */
export class RefusedCall extends Error {
  readonly result: ToolResult;
  constructor(result: ToolResult) {
    super('The call is refused');
    this.result = result;
  }
}

/** The result of a server's answer. @throws ToolFailure for an answer that is none */
export async function judgedAnswer(
  deps: GoogleToolsDependencies,
  { agent, ref, request }: SendingAs,
  answer: ProviderAnswer,
): Promise<JsonObject> {
  const read = readServerAnswer(answer.headers, answer.body);
  if (read.kind === 'error' && read.code === NEEDS_CAPABILITY) throw formNeeded();
  if (answer.status >= 400) throw await serverFailure(answer, () => deps.connectLink(ref, agent, request.requestId));
  if (read.kind === 'unreadable') {
    throw new ToolFailure('upstream_invalid_response', 'Google’s MCP server gave an answer that cannot be read.');
  }
  if (read.kind === 'error') {
    throw new ToolFailure('provider_failed', 'Google’s MCP server refuses the call.', {
      provider_code: read.code,
      provider_message: cut(read.message, PROVIDER_MESSAGE_MAX_CHARACTERS),
    });
  }
  return read.result;
}

/** A result as the assistant gets it. */
export function passed({ resultType: _, _meta: __, ...result }: JsonObject): ToolOutcome {
  return { passed: { ...result, _meta: UNTRUSTED } };
}
