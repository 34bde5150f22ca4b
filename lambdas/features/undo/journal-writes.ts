import { GatewayError, isGatewayError } from '../../gateway/core/errors.ts';
import { type HeaderPairs, headerValue, type UpstreamResponse } from '../../gateway/core/http-message.ts';
import { type ConnectionRef, keyIdOf, ulid } from '../../gateway/core/identifiers.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from '../../gateway/core/ports.ts';
import type {
  ApiRequest,
  Found,
  Inverses,
  Irreversible,
  JsonObject,
  ObjectKind,
  ObjectRef,
  PlannedChange,
} from '../../gateway/providers/inverse.rules.ts';
import type { ProviderId, Providers } from '../../gateway/providers/provider.rules.ts';
import type { PinnedListStore } from '../../gateway/server-tools/ports.ts';
import { isOffered, plannedToolCall } from '../../gateway/server-tools/tool-inverses.rules.ts';
import { partAnswers } from './batch-answer.rules.ts';
import {
  type Change,
  changeContext,
  changedMembers,
  isThere,
  obstacleOf,
  sameObject,
  withCompanions,
} from './change.rules.ts';
import {
  JOURNAL_ANSWER_MAX_BYTES,
  JOURNAL_PARTS_MAX,
  JOURNAL_READS_AT_ONCE,
  JOURNAL_ROW_MAX_BYTES,
} from './limits.rules.ts';
import type { EndOfWrite, JournalRow, JournalWriter } from './ports.ts';
import { answerHasId, parsed, type ReadWrite, readWrite, type SentRequest, unpacked } from './read-write.rules.ts';
import {
  endOfToolCall,
  readToolWrite,
  shownBy,
  type ToolPlan,
  type ToolReadRequest,
  toolReadRequest,
} from './tool-writes.rules.ts';

export interface JournalWritesDependencies {
  readonly rows: JournalWriter;
  readonly cipher: TokenCipher;
  readonly providers: Providers;
  /** By provider; writes at any other cannot be undone. */
  readonly inverses: Readonly<Partial<Record<ProviderId, Inverses>>>;
  /** Of writes by tools of a provider's MCP server, likewise. */
  readonly toolInverses: Readonly<Partial<Record<ProviderId, Inverses>>>;
  readonly pinnedLists: Pick<PinnedListStore, 'read'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The key and the user of a journalled write. */
export interface JournalledCaller {
  readonly key: { readonly keyHash: string; readonly limits?: Readonly<Record<string, unknown>> | undefined };
  readonly integration: { readonly provider: ProviderId };
  readonly live: {
    readonly connection: ConnectionRef & {
      readonly providerAccount: { readonly email: string | null } | undefined;
    };
  };
}

/** A call of a journalled key, ready to be sent. */
export interface JournalledCall {
  readonly caller: JournalledCaller;
  readonly requestId: string;
  /** The requests to the provider: the call itself, or the parts of a batch. */
  readonly requests: readonly SentRequest[];
  /** Of a call of a tool of the provider's MCP server: as it is sent. */
  readonly toolPlan?: ToolPlan;
  readonly isBatch: boolean;
  /** Reads as the connection's user, once. @param asked path and query, or the request that calls a tool */
  readonly read: (asked: string | ToolReadRequest) => Promise<UpstreamResponse>;
  /** Requests sent so far. */
  readonly attempts: () => number;
  /**
   * A person has approved the write and knows that it may not be undoable: it is not refused where the key's journal is `required`.
   * @default false
   */
  readonly isApproved?: boolean;
}

/** Records the changes of writes. */
export interface WriteJournal {
  /**
   * Reads the state before, sends, and records the state after; a call that writes nothing is only sent.
   *
   * @param send of the call; its errors are rethrown
   * @returns its answer, to be read once
   * @throws GatewayError `not_undoable`, `service_unavailable` where the key's journal is `required`
   */
  around<Answer extends UpstreamResponse>(call: JournalledCall, send: () => Promise<Answer>): Promise<Answer>;
}

interface Placing extends JournalWritesDependencies {
  /** Unique milliseconds within the process. */
  readonly placeOf: () => number;
}

/** A write that is under way. */
interface Entry {
  readonly row: JournalRow;
  readonly planned: PlannedChange | undefined;
  readonly change: Change;
  /** The list's answer in which the object is found once its id is known. */
  readonly searched: JsonObject | undefined;
  /** The argument of a tool for which there is no way back. */
  readonly atFault?: string | undefined;
}

const NO_INVERSES: Inverses = { methods: {}, kinds: {}, restReasons: /^$/ };

/** The journal of a process's writes (AP-20). */
export function writeJournal(given: JournalWritesDependencies): WriteJournal {
  let lastMs = 0;
  // Rows of a process are ordered even within one millisecond, because they are undone in that order.
  const placeOf = () => {
    lastMs = Math.max(given.clock.nowMs(), lastMs + 1);
    return lastMs;
  };
  const deps = { ...given, placeOf };
  return {
    async around(call, send) {
      const { provider } = call.caller.integration;
      const { methods = [] } = deps.providers[provider];
      const { toolPlan } = call;
      const inverses = inversesOf(deps, call);
      const writes =
        toolPlan === undefined
          ? call.requests.map((request) => readWrite(methods, inverses, request))
          : [readToolWrite(inverses, toolPlan)];
      // The request of a tool does not determine its response.
      if (isRequired(call) && toolPlan === undefined) refuseWithoutId(call, writes);
      if (writes.every(({ kind }) => kind === 'nothing')) return send();
      const entries = await begun(deps, call, writes);
      const answer = await send().catch(async (error: unknown) => {
        const isSent = call.attempts() > 0;
        await endAll(deps, entries, () => ({ state: isSent ? 'unknown' : 'refused' }));
        throw error;
      });
      return noted(deps, call, entries, answer);
    },
  };
}

/** How the writes of a call are undone. */
function inversesOf(
  { inverses, toolInverses }: Pick<JournalWritesDependencies, 'inverses' | 'toolInverses'>,
  { caller, toolPlan }: Pick<JournalledCall, 'caller' | 'toolPlan'>,
): Inverses | undefined {
  return (toolPlan === undefined ? inverses : toolInverses)[caller.integration.provider];
}

function isRequired({ caller: { key }, isApproved }: JournalledCall): boolean {
  return key.limits?.journal !== true && isApproved !== true;
}

/** The rows of a call's writes, in the order of its requests; undefined for requests that write nothing or cannot have a row. */
async function begun(
  deps: Placing,
  call: JournalledCall,
  writes: readonly ReadWrite[],
): Promise<readonly (Entry | undefined)[]> {
  const required = isRequired(call);
  // Parts of a batch in order: they are undone from the last to the first.
  const rowIds = writes.map(() => ulid(deps.placeOf(), deps.random.bytes(10)));
  const entries = await eachOf(writes, async (write, index) =>
    write.kind === 'nothing' ? undefined : entryOf(deps, call, write, rowIds[index] ?? ''),
  );
  if (required) refuseNotUndoable(call, entries);
  return eachOf(entries, async (entry) => {
    if (entry === undefined) return undefined;
    try {
      const row = await sealedRow(deps, entry);
      if (required && row.notUndoable === 'too_large') throw notUndoable(row.method, row.notUndoable);
      await deps.rows.begin(row);
      return { ...entry, row };
    } catch (error) {
      if (isGatewayError(error) && error.code === 'not_undoable') throw error;
      failed(deps, call.requestId, error);
      if (!required) return undefined;
      throw unavailable('The journal of this key cannot be written right now, so its write was not made.', error);
    }
  });
}

function unavailable(message: string, cause?: unknown): GatewayError {
  return new GatewayError('service_unavailable', `${message} Try again.`, { retryAfterSec: 1, applied: 'no', cause });
}

function failed({ metrics, logger }: JournalWritesDependencies, requestId: string, error: unknown): void {
  metrics.count('JournalFailed');
  logger.warn('a write could not be journalled', {
    requestId,
    outcome: error instanceof Error ? error.name : 'unknown',
  });
}

function refuseNotUndoable(call: JournalledCall, entries: readonly (Entry | undefined)[]): void {
  for (const [index, entry] of entries.entries()) {
    const reason = entry?.row.notUndoable;
    if (entry === undefined || reason === undefined) continue;
    throw refusedPart(call, index, notUndoable(entry.row.method, reason, entry.atFault));
  }
}

/** @throws GatewayError `not_undoable` for a create whose answer would lack the id that an undo needs (AP-24) */
function refuseWithoutId(call: JournalledCall, writes: readonly ReadWrite[]): void {
  for (const [index, write] of writes.entries()) {
    const request = call.requests[index];
    const creates = write.kind === 'nothing' ? write.creates : isCreate(write) ? write.method : undefined;
    if (creates === undefined || request === undefined || answerHasId(request)) continue;
    throw refusedPart(call, index, notUndoable(creates, 'no_id'));
  }
}

function isCreate(write: ReadWrite): write is Extract<ReadWrite, { kind: 'write' }> {
  return write.kind === 'write' && write.planned.made !== undefined;
}

function refusedPart(call: JournalledCall, index: number, error: GatewayError): GatewayError {
  if (!call.isBatch) return error;
  return new GatewayError('not_undoable', `parts[${index}]: ${error.message}`, { applied: 'no' });
}

/** Suggested alternatives. */
const ADVICE: Readonly<Partial<Record<Irreversible, string>>> = {
  no_id:
    ' Name id in fields, as in fields=id,name, or leave fields out; leave alt and Accept-Encoding as they are by default.',
};

/** Characters of an argument's name that a refusal repeats. */
const ARGUMENT_SHOWN_CHARACTERS = 64;

function notUndoable(method: string | null, reason: Irreversible, argument?: string): GatewayError {
  const named = argument && ` with its argument ${JSON.stringify(argument.slice(0, ARGUMENT_SHOWN_CHARACTERS))}`;
  const what = (method ?? 'this request') + (named ?? '');
  return new GatewayError(
    'not_undoable',
    `This secret key makes only writes that can be undone, and ${what} could not be: ${reason}. Nothing was sent.${ADVICE[reason] ?? ''}`,
    { applied: 'no' },
  );
}

/** The state before a write, read as its inverse needs it. */
async function entryOf(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  write: Exclude<ReadWrite, { readonly kind: 'nothing' }>,
  rowId: string,
): Promise<Entry> {
  const { caller, requestId } = call;
  const { accountId, integrationId, connectionId } = caller.live.connection;
  const row: JournalRow = {
    ...{ accountId, integrationId, connectionId, rowId, requestId },
    keyId: keyIdOf(caller.key),
    method: write.method,
    state: 'begun',
  };
  if (write.kind === 'not_undoable') {
    const change: Change = { touched: [] };
    return { row: { ...row, notUndoable: write.reason }, planned: undefined, change, searched: undefined };
  }
  const { planned } = write;
  const inverses = inversesOf(deps, call) ?? NO_INVERSES;
  const email = caller.live.connection.providerAccount?.email ?? null;
  const object = sameObject(inverses, planned.object, email);
  const former = sameObject(inverses, planned.former, email);
  const { search, makes = false, touched, wrote } = planned;
  const searched = search === undefined ? undefined : await read(call, search.target);
  const before = await stateBefore(deps, call, former ?? object, makes || search !== undefined);
  const kind = object === undefined ? undefined : inverses.kinds[object.kind];
  const whole = isThere(before) && kind !== undefined && object !== undefined ? before : undefined;
  const parts = whole === undefined || kind?.parts === undefined ? [] : await partsBefore(call, kind, object, whole);
  const isKnownLater = search !== undefined || makes;
  const change: Change = {
    ...{ object, touched, wrote },
    before: makes ? null : before,
    ...(former === undefined ? {} : { former }),
    ...(parts === undefined || parts.length === 0 ? {} : { parts }),
  };
  // Where the write is still made, its effect is compared afterwards instead.
  const atFault = isRequired(call) && (makes || whole) ? planned.argumentAtFault?.(whole ?? {}) : undefined;
  const wayBack = isRequired(call) ? wayBackOf(planned, kind, { object, before: whole, touched }) : [];
  const never =
    planned.never ??
    (atFault === undefined ? undefined : 'no_tool') ??
    (typeof wayBack === 'string' ? wayBack : await toolMissing(deps, call, wayBack));
  const reason =
    never ??
    (isKnownLater
      ? search !== undefined && searched === undefined
        ? 'not_readable'
        : undefined
      : parts === undefined
        ? 'not_readable'
        : obstacleOf(kind, change));
  return { row: { ...row, ...(reason && { notUndoable: reason }) }, planned, change, searched, atFault };
}

/** The calls of tools that would take a write back, as far as they are known before it. */
function wayBackOf(
  { needs, argumentAtFault }: PlannedChange,
  kind: ObjectKind | undefined,
  { object, before, touched }: Pick<Change, 'object' | 'touched'> & { readonly before: JsonObject | undefined },
): readonly ApiRequest[] | Irreversible {
  if (needs !== undefined) return [needs];
  // Only tools have arguments.
  if (argumentAtFault === undefined || kind === undefined || object === undefined || before === undefined) return [];
  return touched.length === 0 ? [] : kind.restore({ ids: object.ids, before, current: before, touched });
}

/** Why a write by a tool has no way back now: the server does not offer a call that it takes. */
async function toolMissing(
  { pinnedLists }: Pick<JournalWritesDependencies, 'pinnedLists'>,
  { caller: { integration, live }, toolPlan }: JournalledCall,
  wayBack: readonly ApiRequest[],
): Promise<Irreversible | undefined> {
  const calls = wayBack.map(plannedToolCall).filter((one) => one !== undefined);
  if (calls.length === 0 || toolPlan === undefined) return undefined;
  const { accountId } = live.connection;
  const list = await pinnedLists.read({ accountId, provider: integration.provider, endpoint: 'full' });
  return calls.every((one) => isOffered(list, one)) ? undefined : 'no_tool';
}

/** Exceptions of a series; undefined where they are unreadable, or too many. */
async function partsBefore(
  call: JournalledCall,
  kind: Inverses['kinds'][string],
  object: ObjectRef | undefined,
  state: JsonObject,
): Promise<readonly JsonObject[] | undefined> {
  const target = object === undefined ? undefined : kind?.parts?.list(object.ids, state);
  if (target === undefined) return [];
  const list = await read(call, target);
  if (list === undefined || list.nextPageToken !== undefined) return undefined;
  const parts = kind?.parts?.of(list) ?? [];
  return parts.length > JOURNAL_PARTS_MAX ? undefined : parts;
}

async function stateBefore(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  object: ObjectRef | undefined,
  isNotRead: boolean,
): Promise<Found> {
  return isNotRead || object === undefined ? undefined : readState(deps, call, object);
}

/**
 * The current state; undefined where it is unreadable. @throws GatewayError where the key's journal is `required` and a later read may
 * succeed
 */
async function readState(deps: JournalWritesDependencies, call: JournalledCall, object: ObjectRef): Promise<Found> {
  const kind = inversesOf(deps, call)?.kinds[object.kind];
  if (kind === undefined) return undefined;
  const answer = await read(call, kind.read(object.ids), true);
  return answer === null || answer === undefined ? answer : (kind.stateOf ?? ((state) => state))(answer);
}

/** @returns null where nothing exists, if that was the question */
async function read(call: JournalledCall, target: string): Promise<JsonObject | undefined>;
async function read(call: JournalledCall, target: string, isObject: true): Promise<Found>;
async function read(call: JournalledCall, target: string, isObject = false): Promise<Found> {
  let status: number | undefined;
  const { toolPlan } = call;
  try {
    const response = await call.read(toolPlan === undefined ? target : toolReadRequest(toolPlan, target));
    ({ status } = response);
    const whole = await collected(response.body);
    if (whole.rest !== undefined) response.abandon();
    if (status >= 200 && status < 300 && whole.rest === undefined) {
      if (toolPlan !== undefined) return shownBy({ status, headers: response.headers, bytes: whole.bytes });
      return parsed(unpacked(whole.bytes, response.headers) ?? new Uint8Array());
    }
  } catch (error) {
    // Errors that end the call, such as a dead grant, do not concern the journal.
    if (isGatewayError(error) && !READ_FAILURES.has(error.code)) throw error;
  }
  if (isObject && (status === 404 || status === 410)) return null;
  const mayWork = status === undefined || status === 429 || status >= 500 || status === 403;
  if (mayWork && status !== 403 && isRequired(call)) {
    throw unavailable('What this write would change cannot be read right now, so it was not made.');
  }
  return undefined;
}

const READ_FAILURES: ReadonlySet<string> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_invalid_response',
]);

/** A row with its change encrypted. Data that is too large is left out, and the write cannot be undone. */
async function sealedRow({ cipher }: JournalWritesDependencies, { row, change }: Entry): Promise<JournalRow> {
  const sealed = await cipher.encrypt(changeContext(row, row.rowId), JSON.stringify(change));
  return sealed.length > JOURNAL_ROW_MAX_BYTES ? { ...row, notUndoable: 'too_large' } : { ...row, sealed };
}

/** Processes the answer for each row, and returns the answer unread. */
async function noted<Answer extends UpstreamResponse>(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  entries: readonly (Entry | undefined)[],
  answer: Answer,
): Promise<Answer> {
  const { status } = answer;
  if (status === 308) {
    await endAll(deps, entries, () => ({ state: 'refused' }));
    return answer;
  }
  if (status >= 400) {
    const state = status >= 500 || status === 408 ? 'unknown' : 'refused';
    await endAll(deps, entries, () => ({ state }));
    return answer;
  }
  const { bytes, rest, failure } = await collected(answer.body);
  const text = rest === undefined && failure === undefined ? unpacked(bytes, answer.headers) : undefined;
  const type = headerValue(answer.headers, 'content-type') ?? '';
  const parts = call.isBatch ? partAnswers(text ?? new Uint8Array(), type, entries.length) : undefined;
  const answers = entries.map((_, index) =>
    parts === undefined ? { status, headers: answer.headers, body: text } : parts[index],
  );
  await eachOf(entries, async (entry, index) => {
    if (entry !== undefined) await ended(deps, call, entry, answers[index]);
  });
  await earlierAttempts(deps, call, entries);
  return { ...answer, body: again(bytes, rest, failure) };
}

interface AnswerOfWrite {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

async function ended(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  entry: Entry,
  answer: AnswerOfWrite | undefined,
): Promise<void> {
  if (answer === undefined || answer.status >= 500) return end(deps, entry, { state: 'unknown' });
  if (answer.status >= 400 || answer.status === 308) return end(deps, entry, { state: 'refused' });
  const ofTool = call.toolPlan && { ...answer, bytes: answer.body ?? new Uint8Array() };
  const said = ofTool === undefined ? 'done' : endOfToolCall(ofTool);
  if (said !== 'done') return end(deps, entry, { state: said === 'unknown' ? 'unknown' : 'refused' });
  if (entry.planned === undefined) return end(deps, entry, { state: 'done' });
  try {
    const body = ofTool === undefined ? answer.body && parsed(answer.body) : shownBy(ofTool);
    await end(deps, entry, await carriedOut(deps, call, entry, entry.planned, body));
  } catch (error) {
    // The write was carried out, but the state after it is unknown, so an undo uses its request.
    failed(deps, call.requestId, error);
    await end(deps, entry, { state: 'done' });
  }
}

/** The state after a write that was carried out. */
async function carriedOut(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  { row, change, searched }: Entry,
  planned: PlannedChange,
  answer: JsonObject | undefined,
): Promise<EndOfWrite> {
  const { caller } = call;
  const inverses = inversesOf(deps, call) ?? NO_INVERSES;
  const email = caller.live.connection.providerAccount?.email ?? null;
  const made = answer === undefined ? undefined : planned.made?.(answer);
  const object = sameObject(inverses, made, email) ?? change.object;
  if (object === undefined) return { state: 'done', notUndoable: 'no_id' };
  const kind = inverses.kinds[object.kind];
  const before =
    planned.search === undefined || searched === undefined
      ? change.before
      : stateIn(kind, planned.search.find(searched, object));
  // What is created by a tool and cannot be undone is known by its id, and costs no request of the day more.
  const isIdEnough = call.toolPlan !== undefined && planned.makes === true && planned.never !== undefined;
  const after = isIdEnough ? undefined : await stateAfter(deps, call, object, answer);
  const changed: Change = { ...change, object, before, after };
  const isDifferenceKnown = planned.byDifference === true && isThere(before) && isThere(after);
  const touched = withCompanions(
    kind,
    isDifferenceKnown ? changedMembers(before, after, kind?.version) : change.touched,
  );
  const final: Change = { ...changed, touched };
  const reason = row.notUndoable ?? obstacleOf(kind, final);
  const sealed = await deps.cipher.encrypt(changeContext(row, row.rowId), JSON.stringify(final));
  const isTooLarge = sealed.length > JOURNAL_ROW_MAX_BYTES;
  const notUndoable = isTooLarge ? 'too_large' : reason;
  return { state: 'done', ...(notUndoable && { notUndoable }), ...(isTooLarge ? {} : { sealed }) };
}

/** The relevant members of an object in a list; an object that was read by itself has been reduced already. */
function stateIn(kind: ObjectKind | undefined, found: Found): Found {
  return found === null || found === undefined || kind?.stateOf === undefined ? found : kind.stateOf(found);
}

/** The state after a write: from the versions in the answer, if it was complete, else read. */
async function stateAfter(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  object: ObjectRef,
  answer: JsonObject | undefined,
): Promise<Found> {
  const kind = inversesOf(deps, call)?.kinds[object.kind];
  const isWhole = kind?.version === 'etag' && answer?.etag !== undefined && answer.id !== undefined;
  const named = call.requests.some(({ target }) => /[?&](?:\$?fields|maxAttendees|timeZone)=/.test(target));
  if (isWhole && !named && !call.isBatch) return (kind.stateOf ?? ((state) => state))(answer);
  try {
    return await readState(deps, { ...call, isApproved: true }, object);
  } catch (error) {
    failed(deps, call.requestId, error);
    return undefined;
  }
}

/**
 * An earlier attempt of a retried request may have been carried out, too, without an answer. Where each attempt creates an object of
 * its own, the earlier ones are unknown: each leaves a row that records that.
 */
async function earlierAttempts(
  deps: JournalWritesDependencies,
  call: JournalledCall,
  entries: readonly (Entry | undefined)[],
): Promise<void> {
  for (const entry of entries) {
    if (entry?.planned?.made === undefined || entry.planned.object !== undefined) continue;
    for (let attempt = 1; attempt < call.attempts(); attempt++) {
      const rowId = ulid(deps.clock.nowMs(), deps.random.bytes(10));
      const { sealed: _, ...row } = entry.row;
      const unknown: JournalRow = { ...row, rowId, state: 'unknown', notUndoable: 'outcome_unknown' };
      await deps.rows.begin(unknown).catch((error: unknown) => failed(deps, call.requestId, error));
    }
  }
}

async function endAll(
  deps: JournalWritesDependencies,
  entries: readonly (Entry | undefined)[],
  endOf: (entry: Entry) => EndOfWrite,
): Promise<void> {
  await eachOf(entries, async (entry) => {
    if (entry !== undefined) await end(deps, entry, endOf(entry));
  });
}

async function end(deps: JournalWritesDependencies, { row }: Entry, outcome: EndOfWrite): Promise<void> {
  try {
    await deps.rows.end(row, outcome);
  } catch (error) {
    failed(deps, row.requestId, error);
  }
}

/** Processes all, a few at a time, and keeps their order. */
async function eachOf<T, R>(all: readonly T[], work: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) {
      const one = all[index];
      if (one !== undefined || index in all) results[index] = await work(one as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(JOURNAL_READS_AT_ONCE, all.length) }, worker));
  return results;
}

interface Collected {
  readonly bytes: Buffer;
  /** The rest, beyond the part that is inspected. */
  readonly rest: AsyncIterator<Uint8Array> | undefined;
  readonly failure: { readonly error: unknown } | undefined;
}

async function collected(body: AsyncIterable<Uint8Array>): Promise<Collected> {
  const iterator = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > JOURNAL_ANSWER_MAX_BYTES)
        return { bytes: Buffer.concat(chunks), rest: iterator, failure: undefined };
    }
    return { bytes: Buffer.concat(chunks), rest: undefined, failure: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), rest: undefined, failure: { error } };
  }
}

/** An answer's unchanged body, with its failure. */
async function* again(
  bytes: Buffer,
  rest: AsyncIterator<Uint8Array> | undefined,
  failure: Collected['failure'],
): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
  if (failure !== undefined) throw failure.error;
  if (rest === undefined) return;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
