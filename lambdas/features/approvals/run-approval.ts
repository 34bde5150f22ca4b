import { SERVER_TOOL_PREFIX } from '../../gateway/core/contract.ts';
import { GatewayError, isGatewayError } from '../../gateway/core/errors.ts';
import { type GatewayResponse, headerValues } from '../../gateway/core/http-message.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { CallContext, Logger, Random } from '../../gateway/core/ports.ts';
import type { DoorDependencies } from '../../gateway/forwarding/door-operations.ts';
import type { Caller } from '../../gateway/keys/authenticate-caller.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { BoundCallers, CallerStore } from '../../gateway/keys/ports.ts';
import type { DescribedMethods } from '../../gateway/providers/described-methods.rules.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import type { ReadToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
import { seenVersion } from './about-call.rules.ts';
import {
  type Approval,
  type ApprovalRef,
  type ApprovalResult,
  type ApprovalState,
  isSameAccount,
  runUntil,
  stateAt,
} from './approval.rules.ts';
import { calledObject, createdPath, effectPath, type Reading, settled } from './called-object.rules.ts';
import { describeCall } from './describe.ts';
import { endedEvent } from './ended-event.ts';
import { openPlan, sealResult } from './held-request.ts';
import { APPROVAL_RESULT_MAX_BYTES } from './limits.rules.ts';
import type { ApprovalStep, ApprovalStore, SealedPart } from './ports.ts';
import { type PrepareToolDependencies, prepareTool } from './prepare-tool.ts';
import { isRead, type ReadCall, readCall } from './read-call.rules.ts';
import { type Owner, readObject } from './read-object.ts';

export interface RunDependencies extends Pick<DoorDependencies, 'book' | 'forwardPlan'>, PrepareToolDependencies {
  readonly approvals: ApprovalStore;
  readonly random: Random;
  readonly callers: Pick<CallerStore, 'load'>;
  readonly boundCallers: BoundCallers;
  readonly logger: Logger;
  /** What of each method a person is shown. */
  readonly described: DescribedMethods;
  /** What is known of calls of tools, loaded with the first. */
  readonly heldTools: () => Promise<typeof import('./held-tools.lazy.ts')>;
}

/** Nothing is repeated: what was sent once is settled by reading. */
const ONCE = { retries: 0, retryOn: new Set<number>(), baseUrlOverride: undefined } as const;

/** What is left of a run when its call has to end: whether a lost call was carried out is read then. */
const READS_WITHIN_MS = 10_000;

/** What is to be sent: a request of the REST API, or a call of a tool of the provider's server. */
type Waiting = { readonly rest: ReadCall } | { readonly tool: ReadToolCall };

/** A call that is to be sent, with all that it stands on. */
interface Run {
  readonly approval: Approval;
  readonly runId: string;
  readonly caller: Caller;
  readonly plan: UpstreamPlan;
  readonly waiting: Waiting;
  /** Where the call came from. */
  readonly sourceIp: string;
  readonly context: CallContext;
}

/**
 * Sends what a person has approved, once, and keeps the answer for the caller (AP-14). A run that another process began and did not
 * end is settled by reading what is there; nothing is sent again.
 *
 *   approved   taken by one process: from here on it is never sent by another
 *   running    what the person saw is compared, then the request is sent
 *   done       the provider carried it out; failed: it did not; stale: what was seen is no more
 *   unknown    reading does not tell whether it did
 *
 * @returns how it stands afterwards; undefined for no approval
 */
export async function runApproval(
  deps: RunDependencies,
  ref: ApprovalRef,
  context: CallContext,
): Promise<ApprovalState | undefined> {
  const approval = await deps.approvals.find(ref);
  if (approval === undefined) return undefined;
  const state = stateAt(approval, deps.clock.nowMs());
  if (state === 'unknown') return settle(deps, approval, context);
  if (state !== 'approved') return state;
  const runId = Buffer.from(deps.random.bytes(16)).toString('hex');
  const taken = { runId, runUntilMs: runUntil(deps.clock.nowMs()) };
  if (!(await deps.approvals.step(approval, 'approved', 'running', taken))) return 'running';
  const running = { ...approval, ...taken, state: 'running' as const };
  const held = await openPlan(deps, approval);
  const caller = await callerOf(deps, approval);
  if (held === undefined || caller === undefined) {
    return end(deps, running, runId, 'failed', { outcome: 'connection_gone' }, context);
  }
  if (!isSameAccount(approval, caller.live.connection)) {
    return end(deps, running, runId, 'stale', { outcome: 'other_account' }, context);
  }
  const { plan, sourceIp } = held;
  const waiting = await waitingOf(deps, approval, plan);
  // Held by a version that described less, or knew more tools.
  if (waiting === undefined) return end(deps, running, runId, 'failed', { outcome: 'approval_impossible' }, context);
  return send(deps, { approval: running, runId, caller, plan, waiting, sourceIp, context });
}

/** What a held request asks for; undefined where this version cannot read all of it. */
async function waitingOf(
  { described, heldTools }: Pick<RunDependencies, 'described' | 'heldTools'>,
  { methodId }: Approval,
  plan: UpstreamPlan,
): Promise<Waiting | undefined> {
  if (plan.tool !== undefined) {
    const tool = (await heldTools()).readToolCall(plan);
    return tool && { tool };
  }
  const rest = readCall(described, methodId, plan);
  return isRead(rest) ? { rest } : undefined;
}

/** Key, integration and connection as they are now; undefined where one of them is gone, or is another. */
async function callerOf(deps: RunDependencies, approval: Approval): Promise<Caller | undefined> {
  const { callers } = deps;
  const { accountId, integrationId, connectionId, keyHash } = approval;
  const integrationRef = { accountId, integrationId };
  const connectionRef = { ...integrationRef, connectionId };
  const found = await callers.load({ keyHash, integration: integrationRef, connection: connectionRef });
  const { integration, connection } = found;
  const key = await keyOf(deps, approval, found.key);
  if (key === undefined || integration === undefined || connection === undefined) return undefined;
  if (key.revokedAt !== undefined || key.accountId !== accountId || connection.status === 'deleted') return undefined;
  // It is still the end user's that the caller acts for (MC-20).
  if (!deps.boundCallers.isOf(key, connection)) return undefined;
  // One of the same name that was connected later is another.
  if (Date.parse(connection.createdAt) > approval.requestedAtMs) return undefined;
  return { key, integration, live: { connection, accessToken: undefined }, observedLimit: undefined };
}

/** The stored key, or the record of a caller that signed in elsewhere where that is still trusted. */
async function keyOf(
  { boundCallers, clock }: RunDependencies,
  { keyHash, signedInUser }: Approval,
  stored: SecretKeyRecord | undefined,
): Promise<SecretKeyRecord | undefined> {
  return signedInUser === undefined ? stored : boundCallers.signedIn(signedInUser, keyHash, clock.nowMs());
}

async function send(deps: RunDependencies, run: Run): Promise<ApprovalState> {
  const { approval, runId, caller, waiting, context } = run;
  const owner: Owner = { connection: caller.live.connection, integration: caller.integration };
  const prepared =
    'tool' in waiting
      ? await prepareTool(deps, approval, owner, run.plan, waiting.tool, context.requestId)
      : await prepare(deps, run, owner, waiting.rest);
  if (prepared.kind === 'stale') return end(deps, approval, runId, 'stale', { outcome: 'changed' }, context);
  if (prepared.kind === 'unread') return end(deps, approval, runId, 'failed', { outcome: 'unreadable' }, context);
  const { plan, createdId } = prepared;
  const withinMs = (approval.runUntilMs ?? 0) - READS_WITHIN_MS - deps.clock.nowMs();
  if (withinMs <= 0) return end(deps, approval, runId, 'failed', { outcome: 'too_late' }, context);
  // Before anything is sent: a process that ends after it must know what it would have made.
  if (createdId !== undefined) {
    const isKept = await deps.approvals.step(approval, 'running', 'running', { createdId }, { runId });
    if (!isKept) return 'running';
  }
  const known = { ...approval, createdId };
  const call = deps.book.begin({
    method: plan.method,
    rawPath: 'tool' in waiting ? SERVER_TOOL_PREFIX + waiting.tool.known.name : `/proxy${waiting.rest.path}`,
    query: [],
    headers: [],
    body: plan.body,
    requestId: context.requestId,
    sourceIp: run.sourceIp,
    byInnerDoor: true,
  });
  call.isApproved = true;
  call.isFrom(caller);
  let result: ApprovalResult;
  try {
    await reach(deps, caller, run.sourceIp);
    const response = await deps.forwardPlan(call, { ...ONCE, withinMs }, caller, plan, context);
    result = await kept(response);
    if ('tool' in waiting && response.status >= 400) {
      const { isToolDayUsedUp } = await deps.heldTools();
      call.isToolDayUsedUp = isToolDayUsedUp(response.status, Buffer.from(result.body ?? '', 'base64'));
    }
    context.waitUntil(call.ended(response.status, true));
  } catch (error) {
    const code = isGatewayError(error) ? error.code : 'internal_error';
    call.refused(code, 0);
    context.waitUntil(call.ended(isGatewayError(error) ? error.status : 500, true));
    if (!isGatewayError(error)) {
      deps.logger.error('an approved call failed', { requestId: context.requestId }, error);
    }
    const isSure = isGatewayError(error) && error.applied !== 'unknown';
    if (!isSure) return readAfter(deps, { ...run, approval: known, plan }, code);
    return end(deps, known, runId, 'failed', { outcome: code }, context);
  }
  return judged(deps, { ...run, approval: known, plan }, result);
}

/** Whether the key may still be used for this connection. @throws GatewayError */
async function reach(
  { book, clock }: RunDependencies,
  { key, live: { connection } }: Caller,
  sourceIp: string,
): Promise<void> {
  const { integrationId, connectionId, tags } = connection;
  if (key.integrationIds !== undefined && !key.integrationIds.includes(integrationId)) {
    throw new GatewayError('forbidden', 'This secret key is limited to other integrations.');
  }
  if (key.limits === undefined) return;
  await book.limits.reach(key, { sourceIp, integrationId, connectionId, tags }, clock.nowMs());
}

type Prepared =
  | { readonly kind: 'ready'; readonly plan: UpstreamPlan; readonly createdId: string | undefined }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unread' };

/** Compares what the person saw with what is there, as late as can be, and gives what will be created an id. */
async function prepare(
  deps: RunDependencies,
  { approval, plan, context }: Run,
  owner: Owner,
  waiting: ReadCall,
): Promise<Prepared> {
  const version = seenVersion(approval.seen);
  const etag = version?.startsWith('etag:') === true ? version.slice('etag:'.length) : undefined;
  const asked = headerValues(plan.headers, 'if-match');
  // A version that the caller asks for may narrow what the person saw, and never replaces it (AP-33).
  if (etag !== undefined && asked.some((one) => one !== '*' && one !== etag)) return { kind: 'stale' };
  const others = plan.headers.filter(([name]) => etag === undefined || name.toLowerCase() !== 'if-match');
  let ready: UpstreamPlan = {
    ...plan,
    headers: etag === undefined ? others : [...others, ['if-match', etag] as const],
  };
  let createdId: string | undefined;
  const made = await withId(deps, owner, ready, waiting, context.requestId);
  if (made !== undefined) {
    ready = made.plan;
    createdId = made.id;
  }
  // Last of all: between these readings and the call nothing else is waited for.
  const about = await describeCall(deps, owner, plan, waiting, context.requestId);
  // A provider that is down shows nothing: that something has changed would be a guess.
  if (about.warning === 'cannot_name') return { kind: 'unread' };
  if (about.seen !== approval.seen) return { kind: 'stale' };
  return { kind: 'ready', plan: ready, createdId };
}

/** The same create with an id of ours, if it takes one: by it can be read whether it was carried out. */
async function withId(
  deps: RunDependencies,
  owner: Owner,
  plan: UpstreamPlan,
  waiting: ReadCall,
  requestId: string,
): Promise<{ readonly plan: UpstreamPlan; readonly id: string } | undefined> {
  const { body: members } = waiting;
  if (createdPath(waiting, '') === undefined) return undefined;
  if (typeof members.id === 'string') return { plan, id: members.id };
  const id =
    waiting.methodId === 'calendar.events.insert'
      ? sha256Hex(deps.random.bytes(16)).slice(0, 32)
      : await driveId(deps, owner, plan.origin, requestId);
  if (id === undefined) return undefined;
  const body = Buffer.from(JSON.stringify({ ...members, id }));
  const others = plan.headers.filter(([name]) => !/^content-(?:type|length)$/i.test(name));
  return { id, plan: { ...plan, body, headers: [...others, ['content-type', 'application/json']] } };
}

async function driveId(
  deps: RunDependencies,
  owner: Owner,
  origin: string,
  requestId: string,
): Promise<string | undefined> {
  const reading = await readObject(deps, owner, origin, '/drive/v3/files/generateIds?count=1', requestId);
  const [id]: readonly unknown[] = Array.isArray(reading?.json.ids) ? reading.json.ids : [];
  return typeof id === 'string' ? id : undefined;
}

/** The answer as it is kept: headers that say what it is, and a body of up to 64 KB. */
async function kept({ status, headers, body }: GatewayResponse): Promise<ApprovalResult> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (body instanceof Uint8Array) {
    chunks.push(body);
    length = body.length;
  } else {
    // Read to its end: the provider may not have finished before.
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length <= APPROVAL_RESULT_MAX_BYTES) chunks.push(chunk);
    }
  }
  const isWhole = length <= APPROVAL_RESULT_MAX_BYTES;
  return {
    status,
    headers: headers.filter(([name]) => /^(?:content-type|etag|x-gateway-hint)$/i.test(name)),
    body: isWhole ? Buffer.concat(chunks).toString('base64') : undefined,
  };
}

/** What the provider's answer means: a failure of its own may have come after the change. */
async function judged(deps: RunDependencies, run: Run, result: ApprovalResult): Promise<ApprovalState> {
  const { approval, runId, waiting, context } = run;
  if ('tool' in waiting) {
    const { judgedTool } = await deps.heldTools();
    const { state, outcome } = judgedTool(waiting.tool.tool, result);
    return end(deps, approval, runId, state, { outcome }, context, await sealResult(deps, approval, result));
  }
  const { status } = result;
  const outcome = String(status);
  if (status >= 500) return readAfter(deps, run, outcome);
  const isStale = status === 412 && approval.seen !== undefined;
  const state = isStale ? 'stale' : status < 400 ? 'done' : 'failed';
  return end(deps, approval, runId, state, { outcome }, context, await sealResult(deps, approval, result));
}

/** Nobody knows whether the provider carried it out: what is there now may say so. */
async function readAfter(deps: RunDependencies, run: Run, outcome: string): Promise<ApprovalState> {
  const { approval, runId, caller, plan, waiting, context } = run;
  const owner = { connection: caller.live.connection, integration: caller.integration };
  const verdict = (await verdictOf(deps, owner, plan, waiting, approval, context.requestId)) ?? 'unknown';
  return end(deps, approval, runId, verdict, { outcome }, context);
}

/** Settles a run that ended without a word, or one that nothing was known of before. */
async function settle(deps: RunDependencies, approval: Approval, context: CallContext): Promise<ApprovalState> {
  const plan = (await openPlan(deps, approval))?.plan;
  const caller = await callerOf(deps, approval);
  const waiting = plan && (await waitingOf(deps, approval, plan));
  const isKnown = caller !== undefined && isSameAccount(approval, caller.live.connection);
  const verdict =
    plan === undefined || waiting === undefined || !isKnown
      ? undefined
      : await verdictOf(
          deps,
          { connection: caller.live.connection, integration: caller.integration },
          plan,
          waiting,
          approval,
          context.requestId,
        );
  const state = verdict ?? 'unknown';
  if (approval.state === 'unknown' && state === 'unknown') return state;
  const nowMs = deps.clock.nowMs();
  const outcome = state === 'done' ? 'read_back' : state === 'failed' ? 'not_sent' : 'lost';
  const adds = { endedAtMs: nowMs, outcome };
  // The run that was cut off must be over: another process may still wait for the provider.
  const condition = approval.state === 'running' ? { runEndedAtMs: nowMs } : {};
  const event = endedEvent(deps, approval, state, context.requestId);
  const isWritten = await deps.approvals.step(approval, approval.state, state, adds, condition, event);
  return isWritten ? state : 'running';
}

/** Whether the call was carried out, by what is there. */
async function verdictOf(
  deps: RunDependencies,
  owner: Owner,
  plan: UpstreamPlan,
  asked: Waiting,
  approval: Approval,
  requestId: string,
): Promise<'done' | 'failed' | undefined> {
  // What a tool leaves is the server's to say: that something is there or gone does not say who did it.
  if ('tool' in asked) return undefined;
  const waiting = asked.rest;
  const read = (path: string): Promise<Reading | undefined> => readObject(deps, owner, plan.origin, path, requestId);
  const judge = async (path: string | undefined, of: 'object' | 'created' | 'effect') => {
    const reading = path === undefined ? undefined : await read(path);
    return reading && settled(waiting, seenVersion(approval.seen), reading, of);
  };
  if (approval.createdId !== undefined) return judge(createdPath(waiting, approval.createdId), 'created');
  // A create that never got its id was never sent.
  if (createdPath(waiting, '') !== undefined && waiting.body.id === undefined) {
    return 'failed';
  }
  const effect = effectPath(waiting);
  if (effect !== undefined) return judge(effect, 'effect');
  const object = calledObject(waiting);
  return judge(object?.partPath ?? object?.readPath, 'object');
}

/** The last step of a run, with the event that reports it. */
async function end(
  deps: RunDependencies,
  approval: Approval,
  runId: string,
  state: 'done' | 'failed' | 'stale' | 'unknown',
  adds: ApprovalStep,
  context: CallContext,
  result?: SealedPart,
): Promise<ApprovalState> {
  const event = endedEvent(deps, approval, state, context.requestId);
  const all = { ...adds, endedAtMs: deps.clock.nowMs() };
  const isWritten = await deps.approvals.step(approval, 'running', state, all, { runId }, event, result);
  return isWritten ? state : 'running';
}
