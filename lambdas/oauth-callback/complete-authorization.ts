import { type CallbackQuery, readCallbackQuery } from '../gateway/authorization/callback-query.rules.ts';
import {
  type ConnectSession,
  type PendingAuthorization,
  type VisibleStatus,
  visibleStatus,
} from '../gateway/authorization/connect-session.rules.ts';
import { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import { type IdentifyDependencies, identifyAccount } from '../gateway/authorization/identify-account.ts';
import type { ConnectSessionStore, PendingAuthorizationStore } from '../gateway/authorization/ports.ts';
import { type StoreDependencies, storeConnection } from '../gateway/authorization/store-connection.ts';
import type { ProviderAccount, TokenSet } from '../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import type { AuthorizedGrant } from '../gateway/connections/unconfirmed-grant.rules.ts';
import { equalDigests, sha256Hex } from '../gateway/core/digest.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import type { ConnectionRef } from '../gateway/core/identifiers.ts';
import type { Logger, Metrics } from '../gateway/core/ports.ts';
import { sessionActor } from '../gateway/events/actor.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';
import { issuerSpellingsOf, type Provider, type ProviderId } from '../gateway/providers/provider.rules.ts';
import { missingScopes, uniqueScopes } from '../gateway/providers/scopes.rules.ts';
import { accessTokenContext, refreshTokenContext } from '../gateway/tokens/ciphertexts.rules.ts';
import { isDeclaredTesting } from '../gateway/tokens/forecast.rules.ts';
import { noteGrant } from '../gateway/tokens/note-grant.ts';
import type { ConsentLog } from '../gateway/tokens/ports.ts';
import { endFailedFlow } from './end-failed-flow.ts';
import { type ExchangeDependencies, exchangeCode } from './exchange-code.ts';
import { type KeepUnconfirmedDependencies, type KeptGrant, keepUnconfirmed } from './keep-unconfirmed.ts';
import {
  type JudgedPick,
  judgePick,
  type PickDependencies,
  type ReturnedPick,
  requirePickedIds,
  widenConnection,
} from './pick-files.ts';
import { providerRefusal } from './provider-errors.ts';

export interface CompleteDependencies
  extends ExchangeDependencies,
    IdentifyDependencies,
    StoreDependencies,
    KeepUnconfirmedDependencies,
    PickDependencies {
  readonly connections: Pick<ConnectionStore, 'read' | 'saveAuthorized'>;
  readonly sessions: ConnectSessionStore;
  readonly authorizations: PendingAuthorizationStore;
  readonly integrations: Pick<IntegrationStore, 'get' | 'noteTesting'>;
  readonly consents: Pick<ConsentLog, 'note'>;
  readonly providerOf: (id: ProviderId) => Provider;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the last page may know of the flow it ends; nothing where the browser is not the flow's. */
export interface FlowContext {
  readonly returnUrl: string | undefined;
  readonly openerOrigin: string | undefined;
  readonly integrationId: string | undefined;
  /** Whether the session may be started again; of an unknown one the tab may know more. */
  readonly canStartAgain: boolean;
}

/** How a flow ended, for the page that closes it. */
export type FlowResult =
  | ({
      readonly kind: 'connected';
      readonly provider: ProviderId;
      readonly account: ProviderAccount | undefined;
      readonly missingScopes: readonly string[];
      /** Set when the app's backend is still to confirm the connection: the handle is for this browser alone. */
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
  canStartAgain: true,
};

/**
 * Finishes an authorization. Order matters: refuse malformed answers, spend the state, check the browser, then and only
 * then use the code. Everything the flow needs comes from its pending row, nothing from the request (OA-4).
 *
 * @throws whatever the table throws before a flow is known
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
    const failure = error instanceof FlowFailure ? error : new FlowFailure('internal', { cause: error });
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
  /** Everything that came, for what only some flows read. */
  readonly parameters: GatewayRequest['query'];
  readonly requestId: string;
}

type Ending = Omit<Extract<FlowResult, { kind: 'connected' }>, 'kind' | keyof FlowContext>;

async function finish(deps: CompleteDependencies, flow: Flow): Promise<Ending> {
  const { pending, session, query, requestId } = flow;
  if (pending.expiresAtEpochSec <= Math.floor(deps.clock.nowMs() / 1000)) throw new FlowFailure('timed_out');
  if (session === undefined) throw new FlowFailure('session_ended');
  const found = await deps.integrations.get(pending);
  const issuers =
    found === undefined ? [pending.issuer] : issuerSpellingsOf(deps.providerOf(found.provider), pending.issuer);
  // Plain comparison, absent accepted (RFC 9207 section 2.4; OA-7).
  if (query.issuer !== undefined && !issuers.includes(query.issuer)) throw new FlowFailure('other_issuer');
  if (query.error !== undefined) {
    // Whoever closes the picker or its consent has refused nothing that the connection had (PK-14).
    if (pending.pick !== undefined && query.error === 'access_denied') throw new FlowFailure('pick_cancelled');
    throw providerRefusal(query.error, query.errorDescription);
  }
  const integration = unchangedIntegration(found, pending);
  const ids = pending.pick === undefined ? undefined : requirePickedIds(flow.parameters);
  const tokens = await exchangeCode(deps, pending, integration, query.code ?? '');
  const pick = ids === undefined ? undefined : await returnedPick(deps, flow, session, integration, ids, tokens);
  if (pick !== undefined && pending.pick?.access === 'online') {
    await widenConnection(deps, pick.returned, pick.judged);
    return endingOf(pick.judged, integration.provider);
  }
  // A pick brings no ID token; that its account is the connection's was judged by the API (PK-13).
  const account =
    pick === undefined ? await identifyAccount(deps, pending, tokens, issuers) : pick.judged.existing?.providerAccount;
  const { accountId, integrationId, connectionId, isReconnect } = pending;
  const ref = { accountId, integrationId, connectionId };
  const grant = await encryptedGrant(deps, ref, { pending, integration, tokens, account });
  const finished = { ref, isReconnect, session, grant, requestId, pick: pick?.judged.record };
  const { provider } = integration;
  // Beside storing, and whatever comes of it: the consent has made a refresh token at the provider.
  const noted = noteGrant(
    deps,
    integration,
    {
      account,
      clientId: pending.clientId,
      consentedAtEpochSec: Math.floor(deps.clock.nowMs() / 1000),
      grantedScopes: tokens.grantedScopes ?? pending.askedScopes,
      refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
    },
    true,
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
  const { picker } = deps.providerOf(integration.provider);
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

/** What was granted, with its tokens encrypted in the connection's own places. */
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
  const [encryptedAccessToken, encryptedRefreshToken] = await Promise.all([
    deps.cipher.encrypt(accessTokenContext(ref), tokens.accessToken),
    deps.cipher.encrypt(refreshTokenContext(ref), tokens.refreshToken ?? ''),
  ]);
  return {
    provider: granted.integration.provider,
    encryptedAccessToken,
    encryptedRefreshToken,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    requestedScopes: pending.requestedScopes,
    grantedScopes: uniqueScopes(tokens.grantedScopes ?? pending.askedScopes),
    clientId: pending.clientId,
    providerAccount: granted.account,
    consentedAtEpochSec: Math.floor(deps.clock.nowMs() / 1000),
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
    testingAtConsent: isDeclaredTesting(granted.integration),
  };
}

/** The browser that started is the browser that finishes (CS-3). */
function checkBrowser(pending: PendingAuthorization, bindingCookies: readonly string[]): void {
  if (!bindingCookies.some((cookie) => equalDigests(sha256Hex(cookie), pending.browserHash))) {
    throw new FlowFailure('other_browser');
  }
}

/** The integration, if it is still what the user was shown (CS-13); the client is compared where it is used. */
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

/** A session that brought a grant which waits for confirmation, or did so in vain, is over. */
function isOver(status: VisibleStatus): boolean {
  return status === 'pending_confirmation' || status === 'not_confirmed';
}

function contextOf(
  deps: CompleteDependencies,
  pending: PendingAuthorization,
  session: ConnectSession | undefined,
): FlowContext {
  const status = session === undefined ? 'expired' : visibleStatus(session, Math.floor(deps.clock.nowMs() / 1000));
  return {
    returnUrl: session?.returnUrl,
    openerOrigin: pending.openerOrigin,
    integrationId: pending.integrationId,
    canStartAgain: status !== 'expired' && !isOver(status) && (status !== 'connected' || session?.mayAskAgain === true),
  };
}
