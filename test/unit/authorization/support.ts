import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import type { StartDependencies } from '../../../lambdas/connect/start-authorization.ts';
import type {
  ConnectSession,
  PendingAuthorization,
} from '../../../lambdas/gateway/authorization/connect-session.rules.ts';
import { pickFromItem, pickStore } from '../../../lambdas/gateway/authorization/pick.store.ts';
import {
  authorizationFromItem,
  connectSessionStore,
  pendingAuthorizationStore,
  sessionFromItem,
  sessionToItem,
} from '../../../lambdas/gateway/authorization/session.store.ts';
import { rateCounter } from '../../../lambdas/gateway/calls/rate-counter.store.ts';
import type { PickRecord } from '../../../lambdas/gateway/connections/authorized-session.rules.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionFromItem, connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { unconfirmedGrantStore } from '../../../lambdas/gateway/connections/unconfirmed-grant.store.ts';
import type { HeaderPairs } from '../../../lambdas/gateway/core/http-message.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { eventFromItem } from '../../../lambdas/gateway/events/event.store.ts';
import type { LifecycleEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { integrationStore } from '../../../lambdas/gateway/integrations/integration.store.ts';
import {
  integrationFromItem,
  integrationToItem,
} from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import {
  authorizationItemKey,
  integrationItemKey,
  sessionItemKey,
} from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { consentLog } from '../../../lambdas/gateway/tokens/consent-log.store.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import type { CompleteDependencies } from '../../../lambdas/oauth-callback/complete-authorization.ts';
import { integration } from '../refresh/support/connection.ts';
import { endpointsAt } from '../support/google.ts';

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

const SESSION_HASH = sha256Hex('cs_token');

export function session(changes: Partial<ConnectSession> = {}): ConnectSession {
  return {
    sessionHash: SESSION_HASH,
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

/** A gateway's flows over a table in memory: what was started and stored, and what the token endpoint will say. */
export interface World {
  readonly start: StartDependencies;
  readonly complete: CompleteDependencies;
  /** What is pending under the hash of a state. */
  pendingOf(stateHash: string): PendingAuthorization | undefined;
  readonly pending: readonly PendingAuthorization[];
  readonly connections: readonly Connection[];
  /** Puts a connection into the table, past every condition. */
  put(connection: Connection): void;
  readonly events: readonly LifecycleEvent[];
  readonly exchanges: { readonly code: string; readonly codeVerifier: string }[];
  session: ConnectSession;
  integration: Integration;
  tokenAnswer: TokenCallResult;
  nowMs: number;
  readonly picks: readonly PickRecord[];
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
  const memory = new MemoryTable();
  const { table } = memory;
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
  const pickWorld: Pick<CompleteDependencies, 'picks' | 'refresher' | 'upstream'> = {
    picks: pickStore(table),
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
    rates: rateCounter(table),
    metrics: { count() {} },
    sessions: connectSessionStore(table),
    integrations: integrationStore(table),
    connections: connectionStore(table),
    consents: consentLog(table),
    credentials,
    clientIds: { clientIdOf: async ({ clientId }: Integration) => clientId },
    cipher,
    endpointsOf: () => ENDPOINTS,
    clock,
    random,
  };
  const world: World = {
    start: { ...shared, providers: PROVIDERS, baseUrl: 'https://gateway.example/prod' },
    complete: {
      ...shared,
      providers: PROVIDERS,
      ...pickWorld,
      unconfirmed: unconfirmedGrantStore(table),
      authorizations: pendingAuthorizationStore(table),
      tokenEndpoint: {
        exchangeCode: async (_endpoints, exchange) => {
          world.exchanges.push(exchange);
          return world.tokenAnswer;
        },
      },
      idTokens: {
        verify: async () => {
          const nonce = world.pending.at(-1)?.nonce;
          return { email: undefined, hostedDomain: undefined, nonce, ...claims };
        },
      },
      logger: { info() {}, warn() {}, error() {} },
      metrics: { count() {} },
      refreshPolicy: DEFAULT_REFRESH_POLICY,
    },
    pendingOf(stateHash) {
      const item = memory.get(authorizationItemKey(stateHash));
      return item === undefined ? undefined : authorizationFromItem(item);
    },
    get pending() {
      return memory.ofType('pending_authorization').map(authorizationFromItem);
    },
    get connections() {
      return memory.ofType('connection').map(connectionFromItem);
    },
    put: (connection) => memory.put(connectionToItem(connection)),
    get events() {
      return memory.ofType('event').map(eventFromItem);
    },
    exchanges: [],
    get session() {
      return sessionFromItem(memory.get(sessionItemKey(SESSION_HASH)) ?? {});
    },
    set session(next) {
      memory.put(sessionToItem(next));
    },
    get integration() {
      return integrationFromItem(memory.get(integrationItemKey(INTEGRATION)) ?? {});
    },
    set integration(next) {
      memory.put(integrationToItem(next));
    },
    tokenAnswer: tokenAnswer(GRANT),
    nowMs: NOW_MS,
    get picks() {
      return memory.ofType('pick').map(pickFromItem);
    },
    api: () => ({ status: 500, body: {} }),
  };
  world.session = session();
  world.integration = INTEGRATION;
  return world;
}
