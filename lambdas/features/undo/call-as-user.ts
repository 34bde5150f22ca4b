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
import { deadConnection } from '../../gateway/tokens/access-tokens.ts';
import { type SendAsUserDependencies, sendAsUser } from '../../gateway/tokens/send-as-user.ts';
import { JOURNAL_ANSWER_MAX_BYTES, UNDO_CALL_TIMEOUT_MS } from './limits.rules.ts';
import type { UndoCallCount } from './ports.ts';
import { parsed } from './read-write.rules.ts';

export interface CallAsUserDependencies extends SendAsUserDependencies {
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
    const sent = await sendAsUser(
      this.#deps,
      { connection: this.#connection, integration: this.#integration },
      this.#requestId,
      (accessToken) => this.#sendOnce(request, content, maxBytes, accessToken),
      ({ status }) => status === 401,
    );
    if (sent.kind === 'dead') throw deadConnection(sent.death);
    this.#connection = sent.connection;
    if (isUnavailable(sent.answer, this.#restReasons)) throw new ProviderUnavailable();
    return sent.answer;
  }

  async #sendOnce(
    { method, target, body, ifMatch }: ApiRequest,
    content: { readonly bytes: Uint8Array; readonly mediaType: string } | undefined,
    maxBytes: number,
    accessToken: string,
  ): Promise<Answer> {
    const { upstream, endpointsOf, counted, clock } = this.#deps;
    const { provider } = this.#integration;
    const bytes = content?.bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const startedAtMs = clock.nowMs();
    let status: number | undefined;
    let bytesOut = 0;
    try {
      const response = await upstream.send({
        origin: endpointsOf(provider).apiOrigin,
        method,
        path: target,
        headers: [
          ['authorization', `Bearer ${accessToken}`],
          ['accept-encoding', 'identity'],
          ...(bytes === undefined ? [] : [['content-type', content?.mediaType ?? 'application/json'] as const]),
          ...(ifMatch === undefined ? [] : [['if-match', ifMatch] as const]),
        ],
        body: bytes,
        firstByteTimeoutMs: UNDO_CALL_TIMEOUT_MS,
        idleTimeoutMs: UNDO_CALL_TIMEOUT_MS,
        totalTimeoutMs: UNDO_CALL_TIMEOUT_MS,
      });
      ({ status } = response);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) {
        chunks.push(chunk);
        bytesOut += chunk.length;
        if (bytesOut > maxBytes) {
          response.abandon();
          throw new ProviderUnavailable();
        }
      }
      return { status, headers: response.headers, bytes: Buffer.concat(chunks) };
    } catch (error) {
      // Of any class, because this module may be lazily loaded while errors of sending are the bundle's.
      throw isGatewayError(error) ? error : new ProviderUnavailable();
    } finally {
      const { clientId, accountId, integrationId, connectionId } = this.#connection;
      const connection = { clientId, accountId, integrationId, connectionId };
      counted.made({
        connection,
        provider,
        method,
        target,
        status,
        bytesIn: bytes?.length ?? 0,
        bytesOut,
        startedAtMs,
      });
    }
  }
}

/** Whether an answer is not final: too many calls, or a failure of the provider. */
function isUnavailable({ status, headers, bytes }: Answer, restReasons: RegExp): boolean {
  if (status === 429 || status >= 500) return true;
  if (status !== 403 || headerValue(headers, 'content-type')?.includes('json') !== true) return false;
  const { error } = parsed(bytes) ?? {};
  const reasons = isObject(error) ? objectsOf(error.errors).map(({ reason }) => reason) : [];
  return reasons.some((reason) => typeof reason === 'string' && restReasons.test(reason));
}
