import type { ServedTool } from '../../gateway/proxying/upstream-request.rules.ts';
import {
  NEEDS_CAPABILITY,
  readServerAnswer,
  type ServerAnswer,
} from '../../gateway/server-tools/server-message.rules.ts';
import { type ApprovalResult, PROVIDER_ASKS } from './approval.rules.ts';

/** How an approved call of a tool ended. */
export interface EndOfTool {
  readonly state: 'done' | 'failed' | 'unknown';
  readonly outcome: string;
}

/** A kept answer of a server; undefined where it was too long to be kept. */
export function keptAnswer({ headers, body }: ApprovalResult): ServerAnswer | undefined {
  return body === undefined ? undefined : readServerAnswer(headers, Buffer.from(body, 'base64'));
}

/** What a server's answer to an approved call means. The server may have acted although it failed: only its own word counts. */
export function judgedTool({ asksToo }: Pick<ServedTool, 'asksToo'>, result: ApprovalResult): EndOfTool {
  const { status } = result;
  const answer = keptAnswer(result);
  if (status >= 500) return { state: 'unknown', outcome: String(status) };
  if (answer?.kind === 'error' && answer.code === NEEDS_CAPABILITY) return { state: 'failed', outcome: ASKS_ELSEWHERE };
  if (status >= 400) return { state: 'failed', outcome: String(status) };
  // What is too long to be kept is no form and no failure.
  if (answer === undefined) return { state: 'done', outcome: String(status) };
  if (answer.kind === 'unreadable') return { state: 'unknown', outcome: 'upstream_invalid_response' };
  if (answer.kind === 'error') return { state: 'failed', outcome: `error ${answer.code}` };
  if (answer.result.resultType === 'input_required') {
    return { state: 'failed', outcome: asksToo ? PROVIDER_ASKS : ASKS_ELSEWHERE };
  }
  return answer.result.isError === true
    ? { state: 'failed', outcome: 'tool_error' }
    : { state: 'done', outcome: String(status) };
}

/** The provider wants to ask its user, and nobody is there to be shown its form. */
export const ASKS_ELSEWHERE = 'approval_needed';
