import { type CallbackQuery, issuerSpellingsOf, readCallbackQuery } from '../gateway/authorization/callback.rules.ts';
import {
  type ConnectSession,
  type PendingAuthorization,
  type VisibleStatus,
  visibleStatus,
} from '../gateway/authorization/connect-session.rules.ts';
import { FlowFailure, type FlowFailureKind } from '../gateway/authorization/flow-failure.ts';
import { type IdentifyDependencies, identifyAccount } from '../gateway/authorization/identify-account.ts';
import type { ConnectSessionStore, PendingAuthorizationStore } from '../gateway/authorization/ports.ts';
import { reusableConnections, reusedConnection } from '../gateway/authorization/reusable-connection.ts';
import { type StoreDependencies, storeConnection } from '../gateway/authorization/store-connection.ts';
import type { ProviderAccount, TokenSet } from '../gateway/connections/connection.rules.ts';
import { isDeclaredTesting } from '../gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import type { AuthorizedGrant } from '../gateway/connections/unconfirmed-grant.rules.ts';
import { epochSecNow } from '../gateway/core/clock.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { type ConnectionRef, equalDigests, keptPrints, sha256Hex } from '../gateway/core/identifiers.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from '../gateway/core/ports.ts';
import { newEvent, sessionActor } from '../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../gateway/integrations/ports.ts';
import type { Language } from '../gateway/languages/language.rules.ts';
import {
  type AuthorizationServer,
  callbackErrorMeaning,
  exchangeErrorMeaning,
} from '../gateway/providers/authorization-server.rules.ts';
import type { ProviderEndpoints, ProviderId, Providers } from '../gateway/providers/provider.rules.ts';
import { missingScopes, onlyIdentityScopes, uniqueScopes } from '../gateway/providers/scopes.rules.ts';
import { accessTokenContext, codeVerifierContext, refreshTokenContext } from '../gateway/tokens/ciphertexts.rules.ts';
import { noteGrant } from '../gateway/tokens/note-grant.ts';
import type { ConsentLog, TokenEndpoint } from '../gateway/tokens/ports.ts';
import { judgeTokenResponse } from '../gateway/tokens/token-response.rules.ts';
import { type KeepUnconfirmedDependencies, type KeptGrant, keepUnconfirmed } from './keep-unconfirmed.ts';
import {
  type JudgedPick,
  judgePick,
  type PickDependencies,
  type ReturnedPick,
  requirePickedIds,
  widenConnection,
} from './pick-files.ts';

/** Longest text of the provider that is displayed. */
const SHOWN_MAX = 300;

/**
 * The meaning of an error that came back from the provider (RFC 6749 section 4.1.2.1). An unknown one is quoted.
 *
 * @param server undefined where it is not known which was asked
 */
export function providerRefusal(
  error: string,
  description: string | undefined,
  server?: AuthorizationServer,
): FlowFailure {
  const kind = callbackErrorMeaning(error, description, server) ?? 'provider_refused';
  return new FlowFailure(kind, { providerSaid: saidBy({ error, description }) });
}

export interface ExchangeDependencies {
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>;
  readonly cipher: TokenCipher;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
}

/**
 * Exchanges the code for tokens, once: a code that may have been used must not be tried again (RFC 6749 section 4.1.2).
 *
 * @throws FlowFailure also for a grant that could not work
 */
export async function exchangeCode(
  deps: ExchangeDependencies,
  pending: PendingAuthorization,
  integration: Integration,
  code: string,
): Promise<TokenSet> {
  // Bypasses the cache: with a secret replaced minutes ago the user's consent would be wasted.
  const credentials = await deps.credentials.get(integration, { fresh: true });
  if (credentials === undefined) throw new FlowFailure('credentials_missing');
  if (credentials.clientId !== pending.clientId) throw new FlowFailure('integration_changed');
  const endpoints = deps.endpointsOf(integration.provider);
  const codeVerifier = await deps.cipher.decrypt(
    codeVerifierContext(pending.accountId, pending.integrationId, pending.stateHash),
    pending.encryptedCodeVerifier,
  );
  const result = await deps.tokenEndpoint.exchangeCode(endpoints, {
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    code,
    redirectUri: pending.redirectUri,
    codeVerifier,
  });
  if (result.kind === 'failed') throw new FlowFailure('provider_unreachable', { detail: result.reason });
  const judgement = judgeTokenResponse(result.response, epochSecNow(deps.clock), endpoints.server);
  switch (judgement.kind) {
    case 'tokens':
      return workingGrant(judgement.tokens, pending);
    case 'dead_grant':
      // An error about neither the user nor the app concerns a code that is used up, old or another client's.
      throw new FlowFailure(exchangeErrorMeaning(judgement.error, endpoints.server) ?? 'code_rejected', {
        providerSaid: saidBy(judgement),
      });
    case 'client_fault':
      throw new FlowFailure('client_rejected', { providerSaid: saidBy(judgement) });
    case 'refused':
      throw new FlowFailure(exchangeErrorMeaning(judgement.error, endpoints.server) ?? refusedKind(judgement.error), {
        providerSaid: saidBy(judgement),
      });
    case 'transient':
      throw new FlowFailure('provider_unreachable', { detail: judgement.reason });
  }
}

/** Requires tokens that last, unless none is to be stored, and that grant something (OA-19). */
function workingGrant(tokens: TokenSet, pending: PendingAuthorization): TokenSet {
  const lasts = tokens.refreshToken !== undefined || pending.pick?.access === 'online';
  if (!lasts) throw new FlowFailure('no_refresh_token');
  if (onlyIdentityScopes(tokens.grantedScopes ?? pending.askedScopes)) throw new FlowFailure('only_sign_in');
  return tokens;
}

/** The developer has to correct a client that may not exchange codes at all (RFC 6749 section 5.2). */
function refusedKind(error: string): FlowFailureKind {
  return error === 'unauthorized_client' ? 'client_rejected' : 'provider_refused';
}

function saidBy({ error, description }: { readonly error: string; readonly description: string | undefined }): string {
  return (description === undefined ? error : `${error}: ${description}`).slice(0, SHOWN_MAX);
}

export interface EndDependencies {
  readonly sessions: ConnectSessionStore;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
}

/** A known flow that has failed. */
export interface FailedFlow {
  readonly pending: PendingAuthorization;
  readonly session: ConnectSession | undefined;
  readonly failure: FlowFailure;
  /** The provider sent an error instead of a code. */
  readonly byProvider: boolean;
  readonly requestId: string;
}

/**
 * Records at the session how its flow ended and writes the event: under the connection, where the flow was for one. A failure to record
 * is only logged, because the user in front of the page needs the answer.
 */
async function endFailedFlow(deps: EndDependencies, flow: FailedFlow): Promise<void> {
  const { pending, failure } = flow;
  const { accountId, integrationId, connectionId } = pending;
  const event = newEvent(deps.clock, deps.random, 'AuthorizationFailed', {
    subject: pending.isReconnect ? { accountId, integrationId, connectionId } : { accountId, integrationId },
    sequence: 0,
    endUserId: flow.session?.endUser?.id,
    says: { reason: failure.kind },
    remedy: failure.text.next,
    requestId: flow.requestId,
    actor: sessionActor(pending),
  });
  const isCancelled = failure.kind === 'pick_cancelled';
  const outcome = {
    integrationId,
    connectionId: undefined,
    errorType: isCancelled ? undefined : failure.errorType,
    message: isCancelled ? undefined : failure.message,
    ...(isCancelled ? {} : { failure: failure.kind, failureWords: { ...failure.words } }),
  };
  const status = isCancelled ? 'cancelled' : flow.byProvider ? 'refused' : 'failed';
  try {
    await deps.sessions.finish(pending.sessionHash, status, outcome, event);
  } catch (error) {
    deps.logger.error('the end of a flow could not be noted', { requestId: flow.requestId, accountId }, error);
  }
}

export interface CompleteDependencies
  extends ExchangeDependencies,
    IdentifyDependencies,
    StoreDependencies,
    KeepUnconfirmedDependencies,
    PickDependencies {
  readonly connections: Pick<ConnectionStore, 'read' | 'saveAuthorized'>;
  readonly sessions: ConnectSessionStore;
  readonly authorizations: PendingAuthorizationStore;
  readonly integrations: Pick<IntegrationStore, 'get' | 'noteTesting' | 'noteClientWorks' | 'clearClientFault'>;
  readonly consents: Pick<ConsentLog, 'note'>;
  readonly providers: Providers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the last page may show about the flow; nothing where the browser is not the flow's. */
export interface FlowContext {
  readonly returnUrl: string | undefined;
  readonly openerOrigin: string | undefined;
  readonly integrationId: string | undefined;
  /** Of the page that started it. */
  readonly language: Language | undefined;
  /** Whether the session may be started again; for an unknown one the tab decides. */
  readonly canStartAgain: boolean;
}

/** How a flow ended, for the page that closes it. */
export type FlowResult =
  | ({
      readonly kind: 'connected';
      readonly provider: ProviderId;
      readonly account: ProviderAccount | undefined;
      readonly missingScopes: readonly string[];
      /** Set when the app's backend still has to confirm the connection: only this browser gets the handle. */
      readonly confirmation: KeptGrant['confirmation'] | undefined;
      /** Set when the flow was for picking files. */
      readonly picked?:
        | { readonly count: number; readonly unconfirmed: number; readonly email: string | null }
        | undefined;
    } & FlowContext)
  | ({ readonly kind: 'failed'; readonly failure: FlowFailure } & FlowContext);

/** Where no flow is known, or it is not this browser's. */
export const UNKNOWN_FLOW: FlowContext = {
  returnUrl: undefined,
  openerOrigin: undefined,
  integrationId: undefined,
  language: undefined,
  canStartAgain: true,
};

/**
 * Finishes an authorization. The order matters: refuse malformed answers, use up the state, check the browser, and only
 * then use the code. Everything the flow needs comes from its pending row, nothing from the request (OA-4).
 *
 * @throws errors of the table before a flow is known
 */
export async function completeAuthorization(
  deps: CompleteDependencies,
  request: GatewayRequest,
  bindingCookies: readonly string[],
): Promise<FlowResult> {
  const query = readCallbackQuery(request.query);
  if (query.kind === 'malformed') {
    return {
      kind: 'failed',
      failure: new FlowFailure('malformed_answer', { detail: query.message }),
      ...UNKNOWN_FLOW,
    };
  }
  const pending = await deps.authorizations.spend(sha256Hex(query.state), request.requestId);
  if (pending === undefined) return { kind: 'failed', failure: new FlowFailure('unknown_state'), ...UNKNOWN_FLOW };
  const flow: { server: AuthorizationServer | undefined } = { server: undefined };
  let session: ConnectSession | undefined;
  try {
    session = await deps.sessions.find(pending.sessionHash);
    checkBrowser(pending, bindingCookies);
    const ended = await finish(deps, {
      pending,
      session,
      query,
      parameters: request.query,
      requestId: request.requestId,
      asked: flow,
    });
    const isWhole = ended.missingScopes.length === 0;
    const isOpen = ended.confirmation !== undefined;
    deps.metrics.count('Authorization', { outcome: isOpen ? 'unconfirmed' : isWhole ? 'connected' : 'partial' });
    return {
      kind: 'connected',
      ...ended,
      ...contextOf(deps, pending, session),
      canStartAgain: !isWhole && !isOpen,
    };
  } catch (error) {
    const failed = error instanceof FlowFailure ? error : new FlowFailure('internal', { cause: error });
    const failure = failed.at(flow.server);
    if (failure.kind === 'internal') {
      deps.logger.error('authorization failed', { requestId: request.requestId, accountId: pending.accountId }, error);
    }
    deps.metrics.count('Authorization', { outcome: failure.kind });
    await endFailedFlow(deps, {
      pending,
      session,
      failure,
      byProvider: query.error !== undefined,
      requestId: request.requestId,
    });
    const context = failure.kind === 'other_browser' ? UNKNOWN_FLOW : contextOf(deps, pending, session);
    return { kind: 'failed', failure, ...context };
  }
}

interface Flow {
  readonly pending: PendingAuthorization;
  readonly session: ConnectSession | undefined;
  readonly query: Extract<CallbackQuery, { kind: 'answer' }>;
  /** All query parameters, for what only some flows read. */
  readonly parameters: GatewayRequest['query'];
  readonly requestId: string;
  /** Set to the server as soon as it is known, for the texts of a failure. */
  readonly asked: { server: AuthorizationServer | undefined };
}

type Ending = Omit<Extract<FlowResult, { kind: 'connected' }>, 'kind' | keyof FlowContext>;

async function finish(deps: CompleteDependencies, flow: Flow): Promise<Ending> {
  const { pending, session, query, requestId } = flow;
  if (pending.expiresAtEpochSec <= epochSecNow(deps.clock)) throw new FlowFailure('timed_out');
  if (session === undefined) throw new FlowFailure('session_ended');
  const found = await deps.integrations.get(pending);
  const server = found === undefined ? undefined : deps.providers[found.provider].server;
  flow.asked.server = server;
  const issuers = server === undefined ? [pending.issuer] : issuerSpellingsOf(server, pending.issuer);
  // Plain comparison, absent accepted (RFC 9207 section 2.4; OA-7).
  if (query.issuer !== undefined && !issuers.includes(query.issuer)) throw new FlowFailure('other_issuer');
  if (query.error !== undefined) {
    const failure = providerRefusal(query.error, query.errorDescription, flow.asked.server);
    // A user who closes the picker or its consent has revoked nothing that the connection had (PK-14).
    if (pending.pick !== undefined && failure.kind === 'refused') throw new FlowFailure('pick_cancelled');
    throw failure;
  }
  const integration = unchangedIntegration(found, pending);
  const ids = pending.pick === undefined ? undefined : requirePickedIds(flow.parameters);
  const tokens = await exchangeCode(deps, pending, integration, query.code ?? '');
  const pick = ids === undefined ? undefined : await returnedPick(deps, flow, session, integration, ids, tokens);
  if (pick !== undefined && pending.pick?.access === 'online') {
    await widenConnection(deps, pick.returned, pick.judged);
    return endingOf(pick.judged, integration.provider);
  }
  // A pick returns no ID token; its account was compared with the connection's by the API (PK-13).
  const account =
    pick === undefined
      ? await identifyAccount(deps, deps.endpointsOf(integration.provider), pending, tokens, issuers)
      : pick.judged.existing?.providerAccount;
  const { accountId, integrationId } = pending;
  const reused =
    pending.isReconnect || pick !== undefined || (session.reusable ?? []).length === 0
      ? undefined
      : reusedConnection(await reusableConnections(deps.connections, session, integrationId), account);
  const isReconnect = pending.isReconnect || reused !== undefined;
  const ref = { accountId, integrationId, connectionId: reused?.connectionId ?? pending.connectionId };
  const grant = await encryptedGrant(deps, ref, { pending, integration, tokens, account });
  // The session does not know what the app has noted at this connection, so a reused one keeps its own description.
  const described =
    reused === undefined ? session : { ...session, endUser: reused.endUser ?? session.endUser, tags: {} };
  const finished = { ref, isReconnect, session: described, grant, requestId, pick: pick?.judged.record };
  const { provider } = integration;
  // In parallel with storing and whatever its outcome, because the consent has created a refresh token at the provider.
  const noted = noteGrant(
    deps,
    integration,
    {
      account,
      clientId: pending.clientId,
      consentedAtEpochSec: epochSecNow(deps.clock),
      grantedScopes: tokens.grantedScopes ?? pending.askedScopes,
      refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
    },
    true,
    requestId,
  );
  try {
    if (session.confirm === true) return { provider, account, ...(await keepUnconfirmed(deps, finished)) };
    const stored = await storeConnection(deps, { ...finished, integration, actor: sessionActor(session) });
    if (pick !== undefined) return endingOf(pick.judged, provider);
    return { provider, account, missingScopes: stored.missingScopes, confirmation: undefined };
  } finally {
    await noted;
  }
}

/** Judges a pick that came back with its tokens. @throws FlowFailure */
async function returnedPick(
  deps: CompleteDependencies,
  { pending, requestId }: Flow,
  session: ConnectSession,
  integration: Integration,
  ids: readonly string[],
  tokens: TokenSet,
): Promise<{ readonly returned: ReturnedPick; readonly judged: JudgedPick }> {
  const { picker } = deps.providers[integration.provider];
  if (picker === undefined) throw new FlowFailure('integration_changed');
  const grantedScopes = tokens.grantedScopes ?? pending.askedScopes;
  const { accessToken } = tokens;
  const returned = { pending, session, integration, picker, ids, accessToken, grantedScopes, requestId };
  return { returned, judged: await judgePick(deps, returned) };
}

function endingOf({ record }: JudgedPick, provider: ProviderId): Ending {
  const unconfirmed = record.files.filter(({ confirmed }) => !confirmed).length;
  return {
    provider,
    account: undefined,
    missingScopes: [],
    confirmation: undefined,
    picked: { count: record.files.length, unconfirmed, email: record.account.email },
  };
}

/** The grant, with its tokens encrypted in the connection's contexts. */
async function encryptedGrant(
  deps: CompleteDependencies,
  ref: ConnectionRef,
  granted: {
    readonly pending: PendingAuthorization;
    readonly integration: Integration;
    readonly tokens: TokenSet;
    readonly account: ProviderAccount | undefined;
  },
): Promise<AuthorizedGrant> {
  const { pending, tokens } = granted;
  const { server } = deps.endpointsOf(granted.integration.provider);
  const [encryptedAccessToken, encryptedRefreshToken] = await Promise.all([
    deps.cipher.encrypt(accessTokenContext(ref), tokens.accessToken),
    deps.cipher.encrypt(refreshTokenContext(ref), tokens.refreshToken ?? ''),
  ]);
  return {
    provider: granted.integration.provider,
    encryptedAccessToken,
    encryptedRefreshToken,
    tokenPrints: keptPrints(tokens.refreshToken, server.grants.endsAreStated),
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    requestedScopes: pending.requestedScopes,
    grantedScopes: uniqueScopes(tokens.grantedScopes ?? pending.askedScopes),
    clientId: pending.clientId,
    providerAccount: granted.account,
    consentedAtEpochSec: epochSecNow(deps.clock),
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
    testingAtConsent: isDeclaredTesting(granted.integration),
    language: pending.language,
  };
}

/** Requires the browser that started the flow (CS-3). */
function checkBrowser(pending: PendingAuthorization, bindingCookies: readonly string[]): void {
  if (!bindingCookies.some((cookie) => equalDigests(sha256Hex(cookie), pending.browserHash))) {
    throw new FlowFailure('other_browser');
  }
}

/** Requires the integration that the user was shown (CS-13); the client is compared where it is used. */
function unchangedIntegration(integration: Integration | undefined, pending: PendingAuthorization): Integration {
  if (integration === undefined) throw new FlowFailure('integration_gone');
  const { scopes, credentialsSource, mode } = integration;
  if (credentialsSource === 'test' && mode === 'live') throw new FlowFailure('credentials_missing');
  const changed =
    missingScopes(scopes, pending.integrationScopes).length > 0 ||
    missingScopes(pending.integrationScopes, scopes).length > 0;
  if (changed) throw new FlowFailure('integration_changed');
  return integration;
}

/** A session is over once its grant waits for confirmation, or was not confirmed. */
function isOver(status: VisibleStatus): boolean {
  return status === 'pending_confirmation' || status === 'not_confirmed';
}

function contextOf(
  deps: CompleteDependencies,
  pending: PendingAuthorization,
  session: ConnectSession | undefined,
): FlowContext {
  const status = session === undefined ? 'expired' : visibleStatus(session, epochSecNow(deps.clock));
  return {
    returnUrl: session?.returnUrl,
    openerOrigin: pending.openerOrigin,
    integrationId: pending.integrationId,
    language: pending.language,
    canStartAgain: status !== 'expired' && !isOver(status) && (status !== 'connected' || session?.mayAskAgain === true),
  };
}
