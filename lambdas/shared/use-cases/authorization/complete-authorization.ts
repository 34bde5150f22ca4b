import { readCallbackQuery } from '../../domain/callback-query.ts';
import type { PendingAuthorization } from '../../domain/connect-session.ts';
import type { Connection } from '../../domain/connection.ts';
import { equalDigests, sha256Hex } from '../../domain/digest.ts';
import type { GatewayRequest } from '../../domain/http-message.ts';
import type { Integration } from '../../domain/integration.ts';
import { missingScopes } from '../../domain/scopes.ts';
import type { ConnectSessionStore, IntegrationStore, Logger, Metrics, PendingAuthorizationStore } from '../../ports.ts';
import { type ExchangeDependencies, exchangeCode, identify } from './exchange-code.ts';
import { type FlowErrorType, FlowFailure, providerRefusal } from './flow-failure.ts';
import { type StoreDependencies, storeConnection } from './store-connection.ts';

export interface CompleteDependencies extends ExchangeDependencies, StoreDependencies {
  readonly sessions: ConnectSessionStore;
  readonly authorizations: PendingAuthorizationStore;
  readonly integrations: IntegrationStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How a flow ended, for the page that closes it. */
export type FlowResult =
  | {
      readonly kind: 'connected';
      readonly connection: Connection;
      readonly missingScopes: readonly string[];
      readonly returnUrl: string | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly status: 400 | 403 | 409 | 502;
      readonly errorType: FlowErrorType;
      /** What happened and whose move it is, in plain words; holds no text from outside. */
      readonly message: string;
      /** The provider's own words, to be shown escaped. */
      readonly detail: string | undefined;
      readonly returnUrl: string | undefined;
    };

/**
 * Finishes an authorization. Order matters: refuse malformed answers, spend the state, check the browser, then and only
 * then use the code. Everything the flow needs comes from its pending row, nothing from the request (OA-4).
 */
export async function completeAuthorization(
  deps: CompleteDependencies,
  request: GatewayRequest,
  bindingCookies: readonly string[],
): Promise<FlowResult> {
  const query = readCallbackQuery(request.query);
  if (query.kind === 'malformed') return failed(new FlowFailure(400, 'url_param_err', query.message), undefined);
  const pending = await deps.authorizations.spend(sha256Hex(query.state), request.requestId);
  if (pending === undefined) {
    return failed(
      new FlowFailure(400, 'state_err', 'This authorization was already finished or never started here. Start again.'),
      undefined,
    );
  }
  const session = await deps.sessions.find(pending.sessionHash);
  try {
    checkBrowser(pending, bindingCookies);
    const nowEpochSec = Math.floor(deps.clock.nowMs() / 1000);
    if (pending.expiresAtEpochSec <= nowEpochSec) {
      throw new FlowFailure(400, 'state_err', 'This authorization took longer than ten minutes. Start again.');
    }
    if (session === undefined) throw new FlowFailure(400, 'state_err', 'The connect session has ended. Ask for a new link.');
    // Plain comparison, absent accepted (RFC 9207 section 2.4; OA-7).
    if (query.issuer !== undefined && query.issuer !== pending.issuer) {
      throw new FlowFailure(400, 'callback_err', 'The answer came from another provider than the one asked. Nothing was connected.');
    }
    if (query.error !== undefined) throw providerRefusal(query.error, query.errorDescription);
    const integration = await pinnedIntegration(deps, pending);
    const tokens = await exchangeCode(deps, pending, integration, query.code ?? '');
    const account = await identify(deps, pending, tokens);
    const connection = await storeConnection(deps, {
      pending,
      session,
      integration,
      tokens,
      account,
      requestId: request.requestId,
    });
    deps.metrics.count('Authorization', { outcome: 'connected' });
    return {
      kind: 'connected',
      connection,
      missingScopes: missingScopes(pending.requestedScopes, connection.grantedScopes),
      returnUrl: session.returnUrl,
    };
  } catch (error) {
    if (!(error instanceof FlowFailure)) {
      deps.logger.error('authorization failed', { requestId: request.requestId, accountId: pending.accountId }, error);
    }
    const failure =
      error instanceof FlowFailure
        ? error
        : new FlowFailure(502, 'unknown_err', 'Something went wrong on our side. Nothing was connected; start again.');
    await endSession(deps, pending, failure);
    deps.metrics.count('Authorization', { outcome: failure.errorType });
    return failed(failure, session?.returnUrl);
  }
}

function failed(failure: FlowFailure, returnUrl: string | undefined): FlowResult {
  return {
    kind: 'failed',
    status: failure.status,
    errorType: failure.errorType,
    message: failure.message,
    detail: failure.detail,
    returnUrl,
  };
}

/** The browser that started is the browser that finishes (CS-3). */
function checkBrowser(pending: PendingAuthorization, bindingCookies: readonly string[]): void {
  if (!bindingCookies.some((cookie) => equalDigests(sha256Hex(cookie), pending.browserHash))) {
    throw new FlowFailure(
      403,
      'state_cookie_err',
      'This authorization was started in another browser, or its cookie is gone. Nothing was connected; start again in this browser.',
    );
  }
}

/** The integration, if it still uses the client the flow began with (CS-13). */
async function pinnedIntegration(deps: CompleteDependencies, pending: PendingAuthorization): Promise<Integration> {
  const integration = await deps.integrations.get(pending);
  if (integration === undefined) {
    throw new FlowFailure(400, 'unknown_config_key', 'This integration no longer exists. Nothing was connected.');
  }
  return integration;
}

async function endSession(deps: CompleteDependencies, pending: PendingAuthorization, failure: FlowFailure): Promise<void> {
  const refused = failure.errorType === 'callback_err' && failure.status === 400;
  try {
    await deps.sessions.finish(pending.sessionHash, refused ? 'refused' : 'failed', {
      integrationId: pending.integrationId,
      connectionId: undefined,
      errorType: failure.errorType,
      message: failure.message,
    });
  } catch (error) {
    deps.logger.error('the end of a session could not be noted', { accountId: pending.accountId }, error);
  }
}
