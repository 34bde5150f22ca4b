import { epochSecNow } from '../gateway/core/clock.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { canonicalScope } from '../gateway/providers/scopes.rules.ts';
import type { ConnectDependencies } from './dependencies.ts';
import { speechFor } from './language.ts';
import { type SessionView, sessionView } from './session-view.ts';

/** Whether the request is for the preview of the page. */
export function isPreview(request: GatewayRequest): boolean {
  return request.query.some(([name]) => name === 'preview');
}

/** A made-up session for operators who check their brand: the page is the real one, but nothing can be started from it. */
export async function previewOf(deps: ConnectDependencies, request: GatewayRequest): Promise<SessionView> {
  const provider = deps.providers['google-drive'];
  const nobody = { accountId: '', sequence: 0, version: 0, createdAt: '', updatedAt: '' };
  return sessionView({
    ...(await speechFor(deps, request)),
    session: {
      sessionHash: '',
      accountId: '',
      endUser: undefined,
      tags: {},
      allowedIntegrations: [],
      defaults: {},
      reconnect: undefined,
      allowAccountChange: false,
      returnUrl: undefined,
      status: 'pending',
      outcome: undefined,
      browserHash: undefined,
      createdAtEpochSec: 0,
      expiresAtEpochSec: epochSecNow(deps.clock) + 1800,
    },
    status: 'pending',
    integrations: [
      {
        ...nobody,
        integrationId: provider.id,
        provider: provider.id,
        displayName: provider.displayName,
        credentialsSource: 'own',
        clientId: undefined,
        secretId: undefined,
        scopes: provider.defaultScopes.map(canonicalScope),
        publishingStatus: 'production',
        audience: 'external',
        mode: 'live',
        includeGrantedScopes: false,
        clientFault: undefined,
      },
    ],
    existing: undefined,
    endUser: { id: '1', email: 'alex@example.com', displayName: 'Alex Example', tags: {}, organization: null },
    picked: [],
    providers: deps.providers,
    appName: (await deps.brand()).name,
  });
}
