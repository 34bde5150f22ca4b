import type { Connection } from '../../gateway/connections/connection.rules.ts';
import type { findConnection } from '../../gateway/connections/find-connection.ts';
import { isGatewayError } from '../../gateway/core/errors.ts';
import { type HeaderPairs, headerValue, type Upstream } from '../../gateway/core/http-message.ts';
import { RESTORED_CONTENT_MAX_BYTES } from '../../gateway/providers/google-drive/inverses.rules.ts';
import {
  type ApiRequest,
  type Found,
  type Irreversible,
  isObject,
  type JsonObject,
  type ObjectKind,
  objectsOf,
} from '../../gateway/providers/inverse.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider-ids.rules.ts';
import { challengedScopes } from '../../gateway/proxying/scope-challenge.rules.ts';
import { knownTool, standInFor } from '../../gateway/server-tools/known-tools.rules.ts';
import type { EndpointKind, PinnedList } from '../../gateway/server-tools/pins.rules.ts';
import type { PinnedListStore } from '../../gateway/server-tools/ports.ts';
import { endpointUrl } from '../../gateway/server-tools/refresh-list.ts';
import { toolRequest } from '../../gateway/server-tools/tool-call.rules.ts';
import { isOffered, type PlannedToolCall, plannedToolCall } from '../../gateway/server-tools/tool-inverses.rules.ts';
import { deadConnection, sendAsUser } from '../../gateway/tokens/access-tokens.ts';
import { type RequestedTokensDependencies, requestedTokens } from '../../gateway/tokens/requested-tokens.ts';
import {
  exchangeWhole,
  type RequestCount,
  type WholeAnswer,
  type WholeRequest,
} from '../../gateway/tokens/whole-answer.ts';
import { JOURNAL_ANSWER_MAX_BYTES, UNDO_CALL_TIMEOUT_MS } from './limits.rules.ts';
import type { UndoCallCount } from './ports.ts';
import { parsed } from './read-write.rules.ts';
import { endOfToolCall, shownBy } from './tool-writes.rules.ts';

export interface CallAsUserDependencies extends RequestedTokensDependencies {
  readonly upstream: Upstream;
  readonly counted: UndoCallCount;
}

export interface CallToolsDependencies extends CallAsUserDependencies {
  readonly pinnedLists: Pick<PinnedListStore, 'read'>;
}

/** A connection with its integration. */
export type FoundConnection = Awaited<ReturnType<typeof findConnection>>;

/** The provider gives no final answer now: the undo stops here, and continues with the next request. */
export class ProviderUnavailable extends Error {}

/** The provider's no. */
export interface Refusal {
  readonly kind: 'refused';
  readonly status: number;
}

interface Answer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly bytes: Uint8Array;
}

/** How an undo reads and writes at the provider. */
export interface UndoCaller {
  /** The current state; null: nothing exists. @throws ProviderUnavailable, and GatewayError without a token */
  read(kind: ObjectKind, ids: readonly string[]): Promise<Found | Refusal>;
  /** A list; undefined where it cannot be read. @throws as `read` */
  list(target: string): Promise<JsonObject | undefined>;
  /** Why requests cannot be sent; undefined where they can. */
  obstacle(requests: readonly ApiRequest[]): Promise<Irreversible | undefined>;
  /** @returns the status of the answer, or why nothing was done @throws as `read` */
  send(request: ApiRequest): Promise<number | Irreversible>;
}

/** Exchanges with the provider as a connection's user, for an undo. */
class Exchanges {
  readonly #deps: CallAsUserDependencies;
  readonly #integration: FoundConnection['integration'];
  readonly #requestId: string;
  readonly #restReasons: RegExp;
  #connection: Connection;

  constructor(
    deps: CallAsUserDependencies,
    { connection, integration }: FoundConnection,
    requestId: string,
    restReasons: RegExp,
  ) {
    this.#deps = deps;
    this.#connection = connection;
    this.#integration = integration;
    this.#requestId = requestId;
    this.#restReasons = restReasons;
  }

  /** @param countedAs the request that it counts as, where it is another */
  async ask(
    request: Omit<WholeRequest, 'timeoutMs'>,
    countedAs?: { readonly method: string; readonly target: string },
  ): Promise<Answer> {
    const { upstream, counted, clock } = this.#deps;
    const { provider } = this.#integration;
    const { clientId, accountId, integrationId, connectionId } = this.#connection;
    const connection = { clientId, accountId, integrationId, connectionId };
    const counts: RequestCount = {
      clock,
      made: (made) => counted.made({ connection, provider, ...made, ...countedAs }),
    };
    const found = { connection: this.#connection, integration: this.#integration };
    const sent = await sendAsUser(upstream, requestedTokens(this.#deps, found, this.#requestId), {
      exchange: async (send) =>
        whole(await exchangeWhole(send, { ...request, timeoutMs: UNDO_CALL_TIMEOUT_MS }, counts)),
      isRefused: ({ status, headers }) => status === 401 && challengedScopes(headers) === undefined,
    });
    if (sent.kind === 'dead') throw deadConnection(sent.death);
    this.#connection = sent.token.connection;
    if (isUnavailable(sent.answer, this.#restReasons)) throw new ProviderUnavailable();
    return sent.answer;
  }
}

/** Calls the provider's REST API. */
export class CallAsUser implements UndoCaller {
  readonly #exchanges: Exchanges;
  readonly #origin: string;

  constructor(deps: CallAsUserDependencies, found: FoundConnection, requestId: string, restReasons: RegExp) {
    this.#exchanges = new Exchanges(deps, found, requestId, restReasons);
    this.#origin = deps.endpointsOf(found.integration.provider).apiOrigin;
  }

  async read(kind: ObjectKind, ids: readonly string[]): Promise<Found | Refusal> {
    const answer = await this.#ask({ method: 'GET', target: kind.read(ids) });
    if (answer.status === 404 || answer.status === 410) return null;
    if (answer.status >= 400) return { kind: 'refused', status: answer.status };
    const state = parsed(answer.bytes);
    return state === undefined ? undefined : (kind.stateOf ?? ((one) => one))(state);
  }

  async list(target: string): Promise<JsonObject | undefined> {
    const answer = await this.#ask({ method: 'GET', target });
    return answer.status < 300 ? parsed(answer.bytes) : undefined;
  }

  async obstacle(): Promise<undefined> {
    return undefined;
  }

  async send(request: ApiRequest): Promise<number> {
    const { bytesOf } = request;
    if (bytesOf === undefined) return (await this.#ask(request)).status;
    const content = await this.#ask({ method: 'GET', target: bytesOf.target }, undefined, RESTORED_CONTENT_MAX_BYTES);
    if (content.status >= 300) return content.status;
    return (await this.#ask(request, { bytes: content.bytes, mediaType: bytesOf.mediaType })).status;
  }

  #ask(
    { method, target, body, ifMatch }: ApiRequest,
    content?: { readonly bytes: Uint8Array; readonly mediaType: string },
    maxBytes = JOURNAL_ANSWER_MAX_BYTES,
  ): Promise<Answer> {
    const bytes = content?.bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const headers: HeaderPairs = [
      ['accept-encoding', 'identity'],
      ...(bytes === undefined ? [] : [['content-type', content?.mediaType ?? 'application/json'] as const]),
      ...(ifMatch === undefined ? [] : [['if-match', ifMatch] as const]),
    ];
    return this.#exchanges.ask({ origin: this.#origin, method, path: target, headers, body: bytes, maxBytes });
  }
}

/** Calls tools of the provider's MCP server: as they were accepted, and without answering a form for the user (GA-26). */
export class CallToolsAsUser implements UndoCaller {
  readonly #deps: CallToolsDependencies;
  readonly #exchanges: Exchanges;
  readonly #provider: ProviderId;
  readonly #accountId: string;
  #list: Promise<PinnedList | undefined> | undefined;

  constructor(deps: CallToolsDependencies, found: FoundConnection, requestId: string, restReasons: RegExp) {
    this.#deps = deps;
    this.#exchanges = new Exchanges(deps, found, requestId, restReasons);
    this.#provider = found.integration.provider;
    this.#accountId = found.connection.accountId;
  }

  async read(kind: ObjectKind, ids: readonly string[]): Promise<Found | Refusal> {
    const answer = await this.#ask('self', plannedToolCall({ target: kind.read(ids) }));
    if (answer === undefined) return undefined;
    if (answer.status >= 400) return { kind: 'refused', status: answer.status };
    const shown = shownBy(answer);
    return shown === undefined ? undefined : (kind.stateOf ?? ((one) => one))(shown);
  }

  async list(): Promise<undefined> {
    return undefined;
  }

  async obstacle(requests: readonly ApiRequest[]): Promise<Irreversible | undefined> {
    const { pinnedLists } = this.#deps;
    this.#list ??= pinnedLists.read({ accountId: this.#accountId, provider: this.#provider, endpoint: 'full' });
    const list = await this.#list;
    const calls = requests.map(plannedToolCall);
    return calls.every((call) => call !== undefined && isOffered(list, call)) ? undefined : 'no_tool';
  }

  async send(request: ApiRequest): Promise<number | Irreversible> {
    const missing = await this.obstacle([request]);
    const answer = missing === undefined ? await this.#ask('full', plannedToolCall(request)) : undefined;
    if (answer === undefined) return 'no_tool';
    const end = endOfToolCall(answer);
    if (answer.status >= 400 && end !== 'asks') return answer.status;
    // What may have been done is looked up by the next request.
    if (end === 'unknown') throw new ProviderUnavailable();
    if (end === 'asks') return 'provider_asks';
    return end === 'refused' ? 'refused' : answer.status;
  }

  async #ask(endpoint: EndpointKind, call: PlannedToolCall | undefined): Promise<Answer | undefined> {
    const url = endpointUrl(this.#deps.endpointsOf(this.#provider).toolServerEndpoint, endpoint);
    const found = call && knownTool(this.#provider, call.name);
    if (url === undefined || call === undefined || found === undefined) return undefined;
    const { origin, pathname: path } = url;
    const { method, target } = standInFor(found.server, found.known, call.args);
    const request = { origin, method: 'POST', path, ...toolRequest(call, call.args, false) };
    return this.#exchanges.ask({ ...request, maxBytes: JOURNAL_ANSWER_MAX_BYTES }, { method, target });
  }
}

function whole(answer: WholeAnswer): Answer {
  if (answer.kind === 'answered' && !answer.isCut) return answer;
  // Of any class, because this module may be lazily loaded while errors of sending are the bundle's.
  throw answer.kind === 'failed' && isGatewayError(answer.error) ? answer.error : new ProviderUnavailable();
}

/** Whether an answer is not final: too many calls, or a failure of the provider. */
function isUnavailable({ status, headers, bytes }: Answer, restReasons: RegExp): boolean {
  if (status === 429 || status >= 500) return true;
  if (status !== 403 || headerValue(headers, 'content-type')?.includes('json') !== true) return false;
  const { error } = parsed(bytes) ?? {};
  const reasons = isObject(error) ? objectsOf(error.errors).map(({ reason }) => reason) : [];
  return reasons.some((reason) => typeof reason === 'string' && restReasons.test(reason));
}
