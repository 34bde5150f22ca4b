import type { Connection } from '../connections/connection.rules.ts';
import { unknownConnection } from '../connections/find-connection.ts';
import { isUsed, useAt } from '../connections/health.rules.ts';
import type { ConnectionStore } from '../connections/ports.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { epochSecNow } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { canBeCheckedAgain, type GrantDeath, whatHappened } from '../core/grant-death.ts';
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../core/http-message.ts';
import { connectionRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, FORCED_REFRESH_COOL_DOWN_SEC, USE_NOTE_INTERVAL_SEC } from '../core/limits.ts';
import type { CallContext, Clock, Logger, Metrics, TokenCipher } from '../core/ports.ts';
import { explainClientFault, explainRefusal } from '../integrations/client-fault.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { Caller, CallerDirectory, LiveConnection } from '../keys/authenticate-caller.ts';
import type { AuthorizationServer, ProviderEndpoints } from '../providers/authorization-server.rules.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import { accessTokenContext } from './ciphertexts.rules.ts';
import { isKeptFresh, nextRefreshAt, type RefreshPolicy, tokenFreshness, tokenIssuedAt } from './freshness.rules.ts';
import type { ConnectionRefresher, RefreshOutcome } from './refresher.ts';
import { RereadBound } from './reread-bound.ts';

/** A usable token, and the connection's state that it belongs to. */
export interface UsableToken {
  readonly accessToken: string;
  readonly connection: Connection;
}

export interface AccessTokenDependencies {
  readonly directory: CallerDirectory;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly connections: Pick<ConnectionStore, 'read' | 'noteUse'>;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly refreshPolicy: RefreshPolicy;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
}

/** Provides callers with working access tokens, with few refreshes and in advance where possible. */
export class AccessTokens {
  readonly #deps: AccessTokenDependencies;
  readonly #rereads: RereadBound;
  /** Connections whose use was recorded recently, by creation time. */
  readonly #inUse = new BoundedCache<string>(CACHE_MAX_ENTRIES);

  constructor(deps: AccessTokenDependencies) {
    this.#deps = deps;
    this.#rereads = new RereadBound(deps.clock);
  }

  /**
   * Fresh: use it. Ending: use it and refresh in the background. Expired: refresh first.
   *
   * @throws GatewayError `reauthorization_required`, `integration_credentials_rejected`, `token_refresh_unavailable`,
   * `unknown_connection`
   */
  async forCall(caller: Caller, { requestId, waitUntil }: CallContext): Promise<UsableToken> {
    const before = caller.live.connection.death === undefined ? caller.live : await this.#revived(caller.live);
    const { connection } = before;
    const now = this.#nowEpochSec();
    const freshness = tokenFreshness(connection, now);
    if (freshness === 'expired') {
      // The schedule should have kept this token fresh, so a caller that waits shows a fault of the gateway.
      const recently =
        connection.delegated !== true && isKeptFresh(this.#deps.refreshPolicy, connection.lastUsedAtEpochSec, now);
      this.#deps.metrics.count('CallerWaitedForRefresh', { recentlyUsed: String(recently) });
      const accepted = await this.#available(async () =>
        this.#accept(
          await this.#deps.refresher.refresh(connection, caller.integration, {
            wait: true,
            force: false,
            usedAtEpochSec: now,
            requestId,
          }),
          connection,
        ),
      );
      waitUntil(this.#noteUse(accepted.connection));
      return accepted;
    }
    const live = await this.#available(() => this.#unlocked(before));
    waitUntil(this.#noteUse(connection));
    if (freshness === 'ending') waitUntil(this.#refreshAhead(connection, caller.integration, requestId));
    return live;
  }

  /** Reads a connection again that was dead when last read. @throws GatewayError `reauthorization_required`, `unknown_connection` */
  async #revived({ connection }: LiveConnection): Promise<LiveConnection> {
    const current = this.#rereads.take(connection)
      ? await this.#available(() => this.#deps.connections.read(connection))
      : connection;
    if (current === undefined || current.status === 'deleted') throw unknownConnection('Connection-Id');
    if (current.death !== undefined) throw deadConnection(current.death);
    return this.#deps.directory.remember({ connection: current, accessToken: undefined });
  }

  /**
   * A token after the provider's API refused `used`: one that another process has stored meanwhile, else the result of one forced
   * refresh (TK-6), which reports a dead grant with its cause. Undefined when a recent forced refresh brought a token: then the caller
   * gets the provider's refusal.
   *
   * @throws GatewayError as `forCall`, for a refresh without a token
   */
  async afterRefusal(used: Connection, integration: Integration, requestId: string): Promise<UsableToken | undefined> {
    return this.#available(() => this.#renew(used, integration, requestId));
  }

  async #renew(used: Connection, integration: Integration, requestId: string): Promise<UsableToken | undefined> {
    this.#deps.directory.forget(used);
    const current = await this.#deps.connections.read(used);
    if (current === undefined || current.status === 'deleted') throw unknownConnection('Connection-Id');
    if (current.death !== undefined) throw deadConnection(current.death);
    const nowEpochSec = this.#nowEpochSec();
    if (current.tokenEpoch !== used.tokenEpoch && tokenFreshness(current, nowEpochSec) !== 'expired') {
      return this.#accept({ kind: 'fresh', connection: current, accessToken: undefined }, used);
    }
    // Compares with the last forced refresh, not the last one: a grant that was revoked just after a refresh shows as a 401, too.
    const askedAt = current.forcedRefreshAtEpochSec ?? 0;
    const hasAsked = nowEpochSec - askedAt < FORCED_REFRESH_COOL_DOWN_SEC;
    // A refresh under way is awaited, because it may explain the refusal. Where a forced refresh brought no token, the caller gets the
    // gateway's error; the provider's own 401 is returned only with a renewed token.
    const wasRenewed = (current.lastRefreshedAtEpochSec ?? 0) >= askedAt;
    if (hasAsked && wasRenewed && current.refreshLease === undefined) return undefined;
    this.#deps.metrics.count('ForcedRefresh');
    // Not forced past a back-off, so that refused calls do not add load to a provider in trouble (F30).
    const outcome = await this.#deps.refresher.refresh(current, integration, {
      wait: true,
      force: false,
      afterRefusal: true,
      usedAtEpochSec: nowEpochSec,
      requestId,
    });
    return this.#accept(outcome, used, 'after_refusal');
  }

  async #accept(
    outcome: RefreshOutcome,
    before: Connection,
    purpose: 'for_call' | 'after_refusal' = 'for_call',
  ): Promise<UsableToken> {
    switch (outcome.kind) {
      case 'fresh': {
        const live = this.#deps.directory.remember({
          connection: outcome.connection,
          accessToken: outcome.accessToken,
        });
        return this.#unlocked(live);
      }
      case 'dead':
        this.#deps.directory.remember({ connection: outcome.connection, accessToken: undefined });
        throw deadConnection(outcome.death);
      case 'gone':
        this.#deps.directory.forget(before);
        throw unknownConnection('Connection-Id');
      default:
        throw refreshError(outcome, purpose, this.#deps.endpointsOf(before.provider).server);
    }
  }

  /** Decrypts the access token once per remembered state. */
  async #unlocked(live: LiveConnection): Promise<UsableToken> {
    const { connection } = live;
    if (live.accessToken !== undefined) return { accessToken: live.accessToken, connection };
    if (connection.encryptedAccessToken === undefined) throw unknownConnection('Connection-Id');
    const accessToken = await this.#deps.cipher.decrypt(
      accessTokenContext(connection),
      connection.encryptedAccessToken,
    );
    this.#deps.directory.remember({ connection, accessToken });
    return { accessToken, connection };
  }

  async #refreshAhead(connection: Connection, integration: Integration, requestId: string): Promise<void> {
    try {
      const outcome = await this.#deps.refresher.refresh(connection, integration, {
        wait: false,
        force: false,
        // The stored row may lack this use; without it the next refresh would be scheduled weeks away.
        usedAtEpochSec: this.#nowEpochSec(),
        requestId,
      });
      if (outcome.kind === 'fresh') {
        this.#deps.directory.remember({ connection: outcome.connection, accessToken: outcome.accessToken });
      } else if (outcome.kind === 'dead' || outcome.kind === 'gone') {
        this.#deps.directory.forget(connection);
      }
    } catch (error) {
      // The old token is still valid, so a failed early refresh fails no caller (TK-5).
      this.#deps.logger.error('refresh in the background of a call failed', { requestId }, error);
    }
  }

  /** At most one write per connection and ten minutes. */
  #noteUse(connection: Connection): Promise<void> | undefined {
    const nowEpochSec = this.#nowEpochSec();
    const last = connection.lastUsedAtEpochSec ?? 0;
    const id = connectionRefKey(connection);
    if (this.#inUse.get(id, nowEpochSec * 1000) === connection.createdAt) return undefined;
    if (nowEpochSec - last < USE_NOTE_INTERVAL_SEC && isUsed(connection)) {
      this.#inUse.set(id, connection.createdAt, (last + USE_NOTE_INTERVAL_SEC) * 1000);
      return undefined;
    }
    const next = nextRefreshAt(
      connection,
      connection.accessTokenExpiresAtEpochSec,
      nowEpochSec,
      nowEpochSec,
      this.#deps.refreshPolicy,
      tokenIssuedAt(connection),
    );
    // A use only moves work forward, because a warning may be due before the keep-alive.
    const refreshAt = Math.min(next, connection.refreshAtEpochSec ?? next);
    this.#deps.directory.touch(connection, useAt(connection, nowEpochSec));
    this.#inUse.set(id, connection.createdAt, (nowEpochSec + USE_NOTE_INTERVAL_SEC) * 1000);
    return this.#deps.connections.noteUse(connection, nowEpochSec, refreshAt).catch((error: unknown) => {
      this.#deps.logger.error('use could not be noted', {}, error);
    });
  }

  /**
   * While the table, key service or secret store is unreachable, callers get a 503 and no grant is judged (F45, F51). A stored value
   * that cannot be read remains an internal error with an alarm of its own (F52).
   */
  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GatewayError && error.code !== 'service_unavailable') throw error;
      if (isUnreadable(error)) {
        this.#deps.metrics.count('StoredValueUnreadable');
        throw error;
      }
      this.#deps.metrics.count('StorageUnavailable');
      this.#deps.logger.error('a token could not be read or refreshed', {}, error);
      throw new GatewayError(
        'service_unavailable',
        'The gateway cannot reach its storage or its keys right now. The connection is not at fault; try again.',
        { retryAfterSec: 1, cause: error },
      );
    }
  }

  #nowEpochSec(): number {
    return epochSecNow(this.#deps.clock);
  }
}

/** A refresh that brought no token and ended no grant. */
type RefreshFailure = Exclude<RefreshOutcome, { readonly kind: 'fresh' | 'dead' }>;

/**
 * The error for a refresh without a token.
 *
 * @param purpose `for_call`: a proxied call needed the token; `after_refusal`: the provider's API had refused the token that was
 * sent; `asked`: the refresh itself was requested
 */
export function refreshError(
  outcome: RefreshFailure,
  purpose: keyof typeof UNAVAILABLE,
  server: AuthorizationServer,
): GatewayError {
  const asked = purpose === 'asked';
  switch (outcome.kind) {
    case 'gone':
      return unknownConnection();
    case 'client_fault': {
      const { explanation, remedy } = explainClientFault(outcome.error, server);
      return new GatewayError(
        'integration_credentials_rejected',
        asked
          ? `The provider refuses this integration's OAuth client (${outcome.error}). Correct its client id and secret; the connection is not at fault.`
          : `${explanation} ${remedy} The connection is not at fault.`,
      );
    }
    case 'transient': {
      return new GatewayError(
        'token_refresh_unavailable',
        outcome.refused === true
          ? refusedInWords(outcome.reason, server)
          : `${UNAVAILABLE[purpose]} The connection is not at fault; try again.`,
        { retryAfterSec: Math.max(1, outcome.retryAfterSec) },
      );
    }
    case 'busy':
      return new GatewayError(
        'token_refresh_unavailable',
        `The ${asked ? 'token' : 'access token'} is being refreshed. Try again.`,
        { retryAfterSec: 1 },
      );
  }
}

/** Which step failed, where the provider gives no reason. */
const UNAVAILABLE = {
  for_call: 'The access token has expired and cannot be refreshed right now.',
  after_refusal: 'The provider does not accept the access token any more, and it cannot be refreshed right now.',
  asked: 'The token cannot be refreshed right now.',
} as const;

/** The same text in both answers, so that each of them contains all of it. */
function refusedInWords(error: string, server: AuthorizationServer): string {
  const { explanation, remedy } = explainRefusal(error, server);
  return `${explanation} No other connection is affected, and the gateway keeps asking. ${remedy}`;
}

/** 424 with cause and remedy, returned without a call to the provider. */
export function deadConnection(death: GrantDeath): GatewayError {
  const parts = [whatEnded(death), whatHappened(death), death.remedy];
  return new GatewayError('reauthorization_required', parts.filter((part) => part !== '').join(' '), { death });
}

function whatEnded(death: GrantDeath): string {
  return canBeCheckedAgain(death)
    ? 'The provider refuses the grant of this connection for now.'
    : 'The grant of this connection has ended.';
}

/** True for a stored value that will not become readable by waiting; adapters name these errors. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && (error.name === 'CipherError' || error.name === 'UnreadableItemError');
}

/** Sends one request as the user: the identity is added here and last, so no header of a caller can interfere (PX-6, PX-9). */
export type SendOne = (request: UpstreamRequest) => Promise<UpstreamResponse>;

interface SentToken {
  readonly accessToken: string;
}

/** Where the tokens of a call come from. `None` says why there is none, unless an error does. */
export interface TokenSource<Token extends SentToken, None = never, Answer = unknown> {
  first(): Promise<Token | None>;
  /** Another token after the provider refused one; undefined: there is none now, and the refusal is final. */
  renewed(refused: Token, answer: Answer): Promise<Token | None | undefined>;
}

/** How a kind of calls is sent. */
interface WayToSend<Answer> {
  /** Sends with one token and takes the answer, streamed or whole: limits, repeats and counts are those of the kind of call. */
  readonly exchange: (send: SendOne) => Promise<Answer>;
  /** Whether an answer refuses the token, such as 401. */
  readonly isRefused: (answer: Answer) => boolean;
}

/** The final answer and the token that it was for. */
export interface SentAsUser<Token, Answer> {
  readonly kind: 'sent';
  readonly answer: Answer;
  readonly token: Token;
}

/**
 * Makes a call as a user: the only code that sends an access token to a provider (TB-6). Where the provider refuses the token, the call
 * is sent once more with a renewed one (TK-6). The second answer is final.
 *
 * @throws errors of the source and of the exchange
 */
export async function sendAsUser<Token extends SentToken, None, Answer>(
  upstream: Upstream,
  tokens: TokenSource<Token, None, NoInfer<Answer>>,
  { exchange, isRefused }: WayToSend<Answer>,
): Promise<SentAsUser<Token, Answer> | None> {
  const sendWith = ({ accessToken }: Token) => {
    const identity = ['authorization', `Bearer ${accessToken}`] as const;
    return exchange((request) => upstream.send({ ...request, headers: [...request.headers, identity] }));
  };
  const first = await tokens.first();
  if (!isToken(first)) return first;
  const answer = await sendWith(first);
  const renewed = isRefused(answer) ? await tokens.renewed(first, answer) : undefined;
  if (renewed === undefined) return { kind: 'sent', answer, token: first };
  return isToken(renewed) ? { kind: 'sent', answer: await sendWith(renewed), token: renewed } : renewed;
}

function isToken<Token extends SentToken, None>(one: Token | None): one is Token {
  return typeof one === 'object' && one !== null && 'accessToken' in one;
}
