import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StartDependencies } from '../../../lambdas/connect/start-authorization.ts';
import type {
  ConnectSession,
  PendingAuthorization,
} from '../../../lambdas/gateway/authorization/connect-session.rules.ts';
import type { PickRecord } from '../../../lambdas/gateway/authorization/pick.rules.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { UnconfirmedGrant } from '../../../lambdas/gateway/connections/unconfirmed-grant.rules.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/digest.ts';
import type { HeaderPairs } from '../../../lambdas/gateway/core/http-message.ts';
import type { LifecycleEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { providerOf } from '../../../lambdas/gateway/providers/index.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import type { CompleteDependencies } from '../../../lambdas/oauth-callback/complete-authorization.ts';
import { integration } from '../refresh/support/connection.ts';
import { endpointsAt } from '../support/google.ts';
import { memoryConsents } from '../support/memory-consents.ts';
import { memoryRates } from '../support/memory-rates.ts';

export const NOW_MS = Date.parse('2026-11-01T12:00:00Z');
export const NOW_SEC = NOW_MS / 1000;
export const CLIENT_ID = '123456789012-own.apps.googleusercontent.com';
export const DRIVE_READ = 'https://www.googleapis.com/auth/drive.readonly';
export const DRIVE_FILE = 'https://www.googleapis.com/auth/drive.file';

export const ENDPOINTS = endpointsAt({
  issuer: 'https://accounts.example',
  authorizationEndpoint: 'https://accounts.example/auth',
  tokenEndpoint: 'https://token.example/token',
  revocationEndpoint: 'https://token.example/revoke',
  userinfoEndpoint: 'https://token.example/userinfo',
  jwksUri: 'https://keys.example/certs',
  apiOrigin: 'https://api.example',
});

export const INTEGRATION = integration({ clientId: CLIENT_ID, scopes: [DRIVE_READ], mode: 'live' });

export function session(changes: Partial<ConnectSession> = {}): ConnectSession {
  return {
    sessionHash: sha256Hex('cs_token'),
    accountId: 'default',
    endUser: undefined,
    tags: {},
    allowedIntegrations: ['drive'],
    defaults: {},
    reconnect: undefined,
    allowAccountChange: false,
    returnUrl: undefined,
    status: 'pending',
    outcome: undefined,
    browserHash: undefined,
    createdAtEpochSec: NOW_SEC,
    expiresAtEpochSec: NOW_SEC + 1800,
    ...changes,
  };
}

/** A world in memory: what was started and stored, and what the token endpoint will say. */
export interface World {
  readonly start: StartDependencies;
  readonly complete: CompleteDependencies;
  readonly pending: Map<string, PendingAuthorization>;
  readonly connections: Map<string, Connection>;
  readonly events: LifecycleEvent[];
  readonly unconfirmed: UnconfirmedGrant[];
  readonly exchanges: { readonly code: string; readonly codeVerifier: string }[];
  session: ConnectSession;
  integration: Integration;
  tokenAnswer: TokenCallResult;
  nowMs: number;
  readonly picks: PickRecord[];
  /** What the provider's API answers to a path and an access token. */
  api: (path: string, accessToken: string) => { readonly status: number; readonly body: unknown };
}

function tokenOf(headers: HeaderPairs): string {
  return (headers.find(([name]) => name === 'authorization')?.[1] ?? '').replace('Bearer ', '');
}

export function tokenAnswer(body: unknown, status = 200): TokenCallResult {
  return {
    kind: 'answered',
    response: { status, body: typeof body === 'string' ? body : JSON.stringify(body), retryAfter: undefined },
  };
}

export const GRANT = {
  access_token: 'ya29.access',
  refresh_token: '1//refresh',
  token_type: 'Bearer',
  expires_in: 3599,
  scope: `openid email ${DRIVE_READ}`,
  id_token: 'id-token',
};

/** `idToken` says what the verified token claims; the nonce is the flow's own unless given. */
export function makeWorld(
  claims: { subject: string; email?: string; nonce?: string; hostedDomain?: string } = { subject: '1' },
): World {
  const pending = new Map<string, PendingAuthorization>();
  const connections = new Map<string, Connection>();
  const spent = new Set<string>();
  const clock = { nowMs: () => world.nowMs };
  const random = { bytes: (length: number) => new Uint8Array(randomBytes(length)), number: () => 0.5 };
  const credentials = {
    get: async (integration: Integration) =>
      integration.clientId === undefined
        ? undefined
        : { clientId: integration.clientId, clientSecret: 'shh', previousClientSecret: undefined },
  };
  const cipher = {
    encrypt: async (context: object, text: string) => JSON.stringify([context, text]),
    decrypt: async (context: object, text: string) => {
      const [stored, plain]: [object, string] = JSON.parse(text);
      if (JSON.stringify(stored) !== JSON.stringify(context)) throw new Error('wrong context');
      return plain;
    },
  };
  const key = (ref: { integrationId: string; connectionId: string }) => `${ref.integrationId}#${ref.connectionId}`;
  const sessions: CompleteDependencies['sessions'] = {
    create: async () => {},
    find: async (hash) => (hash === world.session.sessionHash ? world.session : undefined),
    start: async (started, authorization, event) => {
      const { session: now } = world;
      if (now.browserHash !== undefined && now.browserHash !== authorization.browserHash) return false;
      if (now.status === 'connected' && now.mayAskAgain !== true) return false;
      pending.set(authorization.stateHash, authorization);
      world.events.push(event);
      world.session = { ...started, status: 'authorizing', browserHash: authorization.browserHash };
      return true;
    },
    finish: async (_hash, status, outcome, event) => {
      world.events.push(event);
      if (world.session.status !== 'connected') world.session = { ...world.session, status, outcome };
    },
    delete: async () => {},
  };
  const connectionStore = {
    read: async (ref: { integrationId: string; connectionId: string }) => connections.get(key(ref)),
    saveAuthorized: async (
      ...[connection, , events, end]: Parameters<CompleteDependencies['connections']['saveAuthorized']>
    ) => {
      if (world.session.status === 'connected' && world.session.outcome?.connectionId !== connection.connectionId) {
        return 'session_over' as const;
      }
      connections.set(key(connection), connection);
      world.events.push(...events);
      world.session = { ...world.session, status: 'connected', outcome: end.outcome, mayAskAgain: end.mayAskAgain };
      return 'saved' as const;
    },
  };
  const consents = memoryConsents();
  const testingNotes: string[] = [];
  const integrations = {
    get: async () => world.integration,
    noteTesting: async (_: unknown, what: 'seen' | 'over') => void testingNotes.push(what),
    noteClientWorks: async () => {},
    clearClientFault: async () => {},
  };
  const pickWorld: Pick<CompleteDependencies, 'picks' | 'refresher' | 'upstream'> = {
    picks: {
      async save(_ref, pick, ended, event) {
        world.picks.push(pick);
        world.events.push(event);
        world.session = { ...world.session, status: 'connected', outcome: ended.outcome };
        return 'saved';
      },
      read: async (_ref, pickId) => world.picks.find((one) => one.pickId === pickId),
    },
    refresher: { refresh: async () => ({ kind: 'transient', reason: 'not to be asked', retryAfterSec: 1 }) },
    upstream: {
      close() {},
      async send(request) {
        const { status, body } = world.api(request.path, tokenOf(request.headers));
        const chunks = [Buffer.from(JSON.stringify(body))];
        return { status, headers: [], body: Readable.from(chunks), abandon() {} };
      },
    },
  };
  const shared = {
    rates: memoryRates(),
    metrics: { count() {} },
    sessions,
    integrations,
    consents: consents.log,
    credentials,
    cipher,
    endpointsOf: () => ENDPOINTS,
    clock,
    random,
  };
  const world: World = {
    start: { ...shared, providerOf, connections: connectionStore, baseUrl: 'https://gateway.example/prod' },
    complete: {
      ...shared,
      connections: connectionStore,
      providerOf,
      ...pickWorld,
      unconfirmed: {
        async save(grant, ended, event) {
          if (world.session.status === 'connected' || world.session.status === 'pending_confirmation') return false;
          world.unconfirmed.push(grant);
          world.events.push(event);
          const { confirmUntilEpochSec } = grant;
          world.session = { ...world.session, status: 'pending_confirmation', ...ended, confirmUntilEpochSec };
          return true;
        },
      },
      authorizations: {
        spend: async (stateHash) => {
          if (spent.has(stateHash)) return undefined;
          spent.add(stateHash);
          return pending.get(stateHash);
        },
      },
      tokenEndpoint: {
        exchangeCode: async (_endpoints, exchange) => {
          world.exchanges.push(exchange);
          return world.tokenAnswer;
        },
      },
      idTokens: {
        verify: async () => {
          const nonce = [...pending.values()].at(-1)?.nonce;
          return { email: undefined, hostedDomain: undefined, nonce, ...claims };
        },
      },
      logger: { info() {}, warn() {}, error() {} },
      metrics: { count() {} },
      refreshPolicy: DEFAULT_REFRESH_POLICY,
    },
    pending,
    connections,
    events: [],
    unconfirmed: [],
    exchanges: [],
    session: session(),
    integration: INTEGRATION,
    tokenAnswer: tokenAnswer(GRANT),
    nowMs: NOW_MS,
    picks: [],
    api: () => ({ status: 500, body: {} }),
  };
  return world;
}
