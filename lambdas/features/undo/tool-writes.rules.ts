import type { HeaderPairs } from '../../gateway/core/http-message.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { Inverses, JsonObject } from '../../gateway/providers/inverse.rules.ts';
import type { ProviderCall, UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { knownTool, standInFor } from '../../gateway/server-tools/known-tools.rules.ts';
import { NEEDS_CAPABILITY, objectShown, readServerAnswer } from '../../gateway/server-tools/server-message.rules.ts';
import { readToolCall, selfTarget, toolRequest } from '../../gateway/server-tools/tool-call.rules.ts';
import { plannedToolCall, toolMethod } from '../../gateway/server-tools/tool-inverses.rules.ts';
import type { ReadWrite } from './read-write.rules.ts';

/** A call of a tool as it is sent. */
export type ToolPlan = Pick<UpstreamPlan, 'target' | 'body'> & Required<Pick<UpstreamPlan, 'tool'>>;

/** A reading by a tool, and the request of the REST API that it counts as. */
export interface ToolReadRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  readonly standIn?: ProviderCall;
}

/** The write of a call of a tool. */
export function readToolWrite(inverses: Inverses | undefined, plan: ToolPlan): ReadWrite {
  const read = readToolCall(plan);
  if (read === undefined) return { kind: 'not_undoable', method: null, reason: 'unknown_request' };
  if (read.known.class === 'read') return { kind: 'nothing' };
  const method = toolMethod(read.known.name);
  const writing = inverses && ownMember(inverses.methods, method);
  if (writing === undefined) return { kind: 'not_undoable', method, reason: 'no_inverse' };
  const planned = writing({ method, ids: [], query: new Map(), body: read.args, media: 'none' });
  return typeof planned === 'string'
    ? { kind: 'not_undoable', method, reason: planned }
    : { kind: 'write', method, planned };
}

/** The request that reads an object, at the endpoint that asks no user. @param planned as kinds of objects name it */
export function toolReadRequest({ tool, target }: ToolPlan, planned: string): ToolReadRequest {
  const { name = '', args = {} } = plannedToolCall({ target: planned }) ?? {};
  const found = knownTool(tool.provider, name);
  return {
    method: 'POST',
    target: selfTarget(tool, target),
    ...toolRequest({ name }, args, false),
    ...(found && { standIn: standInFor(found.server, found.known, args) }),
  };
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly bytes: Uint8Array;
}

/** The object that a tool shows; undefined where it shows none. */
export function shownBy({ status, headers, bytes }: WholeAnswer): JsonObject | undefined {
  return objectShown({ status, headers, text: Buffer.from(bytes).toString('utf8') });
}

/**
 * What an answer says of a call of a tool that writes; `asks`: the server wants to ask its user first, and has done nothing. Only the server's own
 * word counts.
 */
export function endOfToolCall({
  headers,
  bytes,
}: Omit<WholeAnswer, 'status'>): 'done' | 'refused' | 'asks' | 'unknown' {
  const answer = readServerAnswer(headers, bytes);
  if (answer.kind === 'unreadable') return 'unknown';
  if (answer.kind === 'error') return answer.code === NEEDS_CAPABILITY ? 'asks' : 'refused';
  if (answer.result.resultType === 'input_required') return 'asks';
  return answer.result.isError === true ? 'refused' : 'done';
}
