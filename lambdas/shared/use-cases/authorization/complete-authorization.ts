import { type CallbackQuery, readCallbackQuery } from '../../domain/callback-query.ts';
import { type ConnectSession, type PendingAuthorization, visibleStatus } from '../../domain/connect-session.ts';
import type { Connection } from '../../domain/connection.ts';
import { equalDigests, sha256Hex } from '../../domain/digest.ts';
import type { GatewayRequest } from '../../domain/http-message.ts';
import type { Integration } from '../../domain/integration.ts';
import { issuerSpellingsOf, type Provider, type ProviderId } from '../../domain/provider.ts';
import { missingScopes } from '../../domain/scopes.ts';
import type {
  ConnectSessionStore,
  ConsentLog,
  IntegrationStore,
  Logger,
  Metrics,
  PendingAuthorizationStore,
} from '../../ports.ts';
import { noteGrant } from '../connections/note-grant.ts';
import { endFailedFlow } from './end-failed-flow.ts';
import { type ExchangeDependencies, exchangeCode } from './exchange-code.ts';
import { FlowFailure } from './flow-failure.ts';
import { type IdentifyDependencies, identifyAccount } from './identify-account.ts';
import { providerRefusal } from './provider-errors.ts';
import { type StoreDependencies, type StoredConnection, storeConnection } from './store-connection.ts';

export interface CompleteDependencies extends ExchangeDependencies, IdentifyDependencies, StoreDependencies {
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
      readonly connection: Connection;
      readonly missingScopes: readonly string[];
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
    const stored = await finish(deps, { pending, session, query, requestId: request.requestId });
    deps.metrics.count('Authorization', { outcome: stored.missingScopes.length === 0 ? 'connected' : 'partial' });
    return {
      kind: 'connected',
      ...stored,
      ...contextOf(deps, pending, session),
      canStartAgain: stored.missingScopes.length > 0,
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
  readonly requestId: string;
}

async function finish(deps: CompleteDependencies, flow: Flow): Promise<StoredConnection> {
  const { pending, session, query, requestId } = flow;
  if (pending.expiresAtEpochSec <= Math.floor(deps.clock.nowMs() / 1000)) throw new FlowFailure('timed_out');
  if (session === undefined) throw new FlowFailure('session_ended');
  const found = await deps.integrations.get(pending);
  const issuers =
    found === undefined ? [pending.issuer] : issuerSpellingsOf(deps.providerOf(found.provider), pending.issuer);
  // Plain comparison, absent accepted (RFC 9207 section 2.4; OA-7).
  if (query.issuer !== undefined && !issuers.includes(query.issuer)) throw new FlowFailure('other_issuer');
  if (query.error !== undefined) throw providerRefusal(query.error, query.errorDescription);
  const integration = unchangedIntegration(found, pending);
  const tokens = await exchangeCode(deps, pending, integration, query.code ?? '');
  const account = await identifyAccount(deps, pending, tokens, issuers);
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
    return await storeConnection(deps, { pending, session, integration, tokens, account, requestId });
  } finally {
    await noted;
  }
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
    canStartAgain: status !== 'expired' && (status !== 'connected' || session?.mayAskAgain === true),
  };
}
