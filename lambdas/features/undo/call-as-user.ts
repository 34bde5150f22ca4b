import type { Connection } from '../../gateway/connections/connection.rules.ts';
import type { findConnection } from '../../gateway/connections/find-connection.ts';
import { isGatewayError } from '../../gateway/core/errors.ts';
import { type HeaderPairs, headerValue, type Upstream } from '../../gateway/core/http-message.ts';
import { RESTORED_CONTENT_MAX_BYTES } from '../../gateway/providers/google-drive/inverses.rules.ts';
import {
  type ApiRequest,
  type Found,
  isObject,
  type JsonObject,
  type ObjectKind,
  objectsOf,
} from '../../gateway/providers/inverse.rules.ts';
import { deadConnection, sendAsUser } from '../../gateway/tokens/access-tokens.ts';
import { type RequestedTokensDependencies, requestedTokens } from '../../gateway/tokens/requested-tokens.ts';
import { exchangeWhole, type RequestCount, type WholeAnswer } from '../../gateway/tokens/whole-answer.ts';
import { JOURNAL_ANSWER_MAX_BYTES, UNDO_CALL_TIMEOUT_MS } from './limits.rules.ts';
import type { UndoCallCount } from './ports.ts';
import { parsed } from './read-write.rules.ts';

export interface CallAsUserDependencies extends RequestedTokensDependencies {
  readonly upstream: Upstream;
  readonly counted: UndoCallCount;
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

/** Calls the provider as a connection's user, for an undo. */
export class CallAsUser {
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

  /** The current state; null: nothing exists. @throws ProviderUnavailable, and GatewayError without a token */
  async read(kind: ObjectKind, ids: readonly string[]): Promise<Found | Refusal> {
    const answer = await this.#ask({ method: 'GET', target: kind.read(ids) });
    if (answer.status === 404 || answer.status === 410) return null;
    if (answer.status >= 400) return { kind: 'refused', status: answer.status };
    const state = parsed(answer.bytes);
    return state === undefined ? undefined : (kind.stateOf ?? ((one) => one))(state);
  }

  /** A list; undefined where it cannot be read. @throws as `read` */
  async list(target: string): Promise<JsonObject | undefined> {
    const answer = await this.#ask({ method: 'GET', target });
    return answer.status < 300 ? parsed(answer.bytes) : undefined;
  }

  /** @returns the status of the answer @throws as `read` */
  async send(request: ApiRequest): Promise<number> {
    const { bytesOf } = request;
    if (bytesOf === undefined) return (await this.#ask(request)).status;
    const content = await this.#ask({ method: 'GET', target: bytesOf.target }, undefined, RESTORED_CONTENT_MAX_BYTES);
    if (content.status >= 300) return content.status;
    return (await this.#ask(request, { bytes: content.bytes, mediaType: bytesOf.mediaType })).status;
  }

  async #ask(
    request: ApiRequest,
    content?: { readonly bytes: Uint8Array; readonly mediaType: string },
    maxBytes = JOURNAL_ANSWER_MAX_BYTES,
  ): Promise<Answer> {
    const { upstream, endpointsOf, counted, clock } = this.#deps;
    const { provider } = this.#integration;
    const { method, target, body, ifMatch } = request;
    const bytes = content?.bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const headers: HeaderPairs = [
      ['accept-encoding', 'identity'],
      ...(bytes === undefined ? [] : [['content-type', content?.mediaType ?? 'application/json'] as const]),
      ...(ifMatch === undefined ? [] : [['if-match', ifMatch] as const]),
    ];
    const limits = { timeoutMs: UNDO_CALL_TIMEOUT_MS, maxBytes };
    const { clientId, accountId, integrationId, connectionId } = this.#connection;
    const connection = { clientId, accountId, integrationId, connectionId };
    const counts: RequestCount = { clock, made: (made) => counted.made({ connection, provider, ...made }) };
    const { apiOrigin: origin } = endpointsOf(provider);
    const found = { connection: this.#connection, integration: this.#integration };
    const sent = await sendAsUser(upstream, requestedTokens(this.#deps, found, this.#requestId), {
      exchange: async (send) =>
        whole(await exchangeWhole(send, { origin, method, path: target, headers, body: bytes, ...limits }, counts)),
      isRefused: ({ status }) => status === 401,
    });
    if (sent.kind === 'dead') throw deadConnection(sent.death);
    this.#connection = sent.token.connection;
    if (isUnavailable(sent.answer, this.#restReasons)) throw new ProviderUnavailable();
    return sent.answer;
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
