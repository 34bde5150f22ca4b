import type { ReconnectBatch, ReconnectBatchStore } from '../../../../lambdas/gateway/authorization/ports.ts';
import type { Census } from '../../../../lambdas/gateway/connections/census.rules.ts';
import type { ChangeRow } from '../../../../lambdas/gateway/connections/change-counts.rules.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { sha256Hex } from '../../../../lambdas/gateway/core/digest.ts';
import type { GatewayRequest } from '../../../../lambdas/gateway/core/http-message.ts';
import { connectionRefKey, integrationRefKey } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { ClientCredentials, Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { ClientSecretStore } from '../../../../lambdas/gateway/integrations/ports.ts';
import { KeyDirectory } from '../../../../lambdas/gateway/keys/authenticate-key.ts';
import type { SecretKeyRecord } from '../../../../lambdas/gateway/keys/credentials.rules.ts';
import { allProviders, providerOf } from '../../../../lambdas/gateway/providers/index.ts';
import { CallAdmission, type CallLimits } from '../../../../lambdas/gateway/rate-limits/call-admission.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { TokenCallResult, TokenEndpoint } from '../../../../lambdas/gateway/tokens/ports.ts';
import type { RefreshOutcome } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { ADDRESS_PLACE } from '../../../../lambdas/management/reference/document-routes.ts';
import { serveRequest } from '../../../../lambdas/management/serve-request.ts';
import type { Services } from '../../../../lambdas/management/services.ts';
import { apiDocument } from '../../../../tools/api-document.ts';
import { memoryCallTotals } from '../../support/memory-call-totals.ts';
import { memoryConsents } from '../../support/memory-consents.ts';
import { MemoryFeeds } from '../../support/memory-feeds.ts';
import { memoryRates } from '../../support/memory-rates.ts';
import { memoryDeliveries, memoryWebhooks } from '../../support/memory-webhooks.ts';
import { secretKeyRecord } from '../../support/secret-key.ts';
import { memoryCipher } from './memory-cipher.ts';
import { memoryConnections } from './memory-connections.ts';
import { MemoryEvents } from './memory-events.ts';
import { memoryIntegrations } from './memory-integrations.ts';
import { memorySecretKeys, memorySessions } from './memory-keys-and-sessions.ts';
import { memoryTestCredentials } from './memory-test-credentials.ts';
import { notUsed } from './not-used.ts';
import { connectionRow, integrationRow } from './rows.ts';
import { scriptedProvider } from './scripted-provider.ts';
import { countingRandom, StandingClock } from './time-and-chance.ts';

export const ACCOUNT = 'default';
export const FULL_KEY = secretKey('full');

/** A well-formed secret key that is the same in every run. */
export function secretKey(seed: string, accountId = ACCOUNT): string {
  return `sk_${accountId}_${Buffer.from(sha256Hex(seed), 'hex').toString('base64url')}`;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Of a refusal: its code, and the places that it names. */
  readonly code: unknown;
  readonly paths: readonly unknown[] | undefined;
}

/** What a call has besides method and target; its key is the full one unless another is named. */
export interface CallOptions {
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly key?: string | undefined;
  readonly headers?: readonly (readonly [string, string])[];
}

/** What a test has otherwise: limits of calls (@default none), or something in the place of a fake. */
export interface ManagementVariation extends Partial<Services> {
  readonly callLimits?: Partial<CallLimits>;
}

/** The management API on fakes that refuse what the real stores refuse. */
export function managementGateway({ callLimits = {}, ...instead }: ManagementVariation = {}) {
  const clock = new StandingClock();
  const random = countingRandom();
  const events = new MemoryEvents();
  const integrations = memoryIntegrations(events);
  const connections = memoryConnections(events);
  const keys = memorySecretKeys(events);
  const sessions = memorySessions(events);
  connections.hooks.endSession = ({ sessionHash, outcome, mayAskAgain }) => {
    const row = sessions.rows.get(sessionHash);
    if (row?.status !== 'pending_confirmation') return false;
    sessions.rows.set(sessionHash, { ...row, status: 'connected', outcome, mayAskAgain });
    return true;
  };
  const rates = memoryRates();
  const secrets = new Map<string, ClientCredentials>();
  const deletedSecrets = new Set<string>();
  let secretNames = 0;
  const testClient: { current: ClientCredentials | undefined } = {
    current: { clientId: '900-test', clientSecret: 'test-secret', previousClientSecret: undefined },
  };
  const failures = { secretWrite: false };
  const clientSecrets: ClientSecretStore = {
    newName: (ref) => `stack/integration/${ref.accountId}/${encodeURIComponent(ref.integrationId)}/${++secretNames}`,
    async create(secretId, credentials) {
      if (failures.secretWrite) throw new Error('Secrets Manager is not reachable');
      if (secrets.has(secretId) || deletedSecrets.has(secretId)) throw new Error(`The name ${secretId} is taken`);
      secrets.set(secretId, credentials);
    },
    read: async (secretId) => secrets.get(secretId),
    async write(secretId, credentials) {
      if (failures.secretWrite) throw new Error('Secrets Manager is not reachable');
      secrets.set(secretId, credentials);
    },
    async delete(secretId) {
      // Its name stays taken: the real one deletes in the background.
      if (secrets.delete(secretId)) deletedSecrets.add(secretId);
    },
  };
  const tokenCalls: { readonly kind: 'refresh' | 'revoke'; readonly token: string }[] = [];
  const tokenAnswers: { refresh: TokenCallResult; revoke: TokenCallResult } = {
    refresh: answered(400, { error: 'invalid_grant' }),
    revoke: answered(200, {}),
  };
  const tokenEndpoint: TokenEndpoint = {
    async refresh(_endpoints, _clientId, _clientSecret, token) {
      tokenCalls.push({ kind: 'refresh', token });
      return tokenAnswers.refresh;
    },
    async revoke(_endpoints, token) {
      tokenCalls.push({ kind: 'revoke', token });
      return tokenAnswers.revoke;
    },
    exchangeCode: notUsed,
  };
  const provider = scriptedProvider();
  const refreshes: { readonly force: boolean }[] = [];
  const refreshing: { outcome: (connection: Connection) => RefreshOutcome } = {
    outcome: (connection) => ({ kind: 'fresh', connection, accessToken: undefined }),
  };
  const logged: string[] = [];
  const logger = {
    info: (message: string) => logged.push(message),
    warn: (message: string) => logged.push(message),
    error: (message: string) => logged.push(message),
  };
  const metrics = { count: () => undefined };
  const census = new Map<string, Census>();
  const changes: ChangeRow[] = [];
  const callTotals = memoryCallTotals();
  const consents = memoryConsents();
  const admission = new CallAdmission(
    { totals: callTotals, clock, logger, metrics },
    { perKey: 0, perConnection: 0, perAddress: 0, ...callLimits },
  );
  const services: Services = {
    baseUrl: 'https://gateway.example/prod',
    builtFile: async () => Buffer.from(JSON.stringify(apiDocument(ADDRESS_PLACE))),
    connectReturnUrls: ['https://app.example/done'],
    connectAllowedOrigins: [],
    endpointsOf: () => provider.endpoints,
    providers: allProviders(),
    providerOf,
    clock,
    random,
    logger,
    metrics,
    upstream: provider.upstream,
    tokenEndpoint,
    cipher: memoryCipher,
    credentials: {
      get: async (integration) =>
        integration.credentialsSource === 'test' ? testClient.current : secrets.get(integration.secretId ?? ''),
    },
    clientSecrets,
    testCredentials: memoryTestCredentials(testClient, failures),
    operatorTokens: undefined,
    dashboardOrigin: undefined,
    keys: new KeyDirectory({ secretKeys: keys.store, clock, logger, admission }),
    admission,
    secretKeys: keys.store,
    integrations: integrations.store,
    connections: connections.store,
    search: connections.search,
    lists: connections.lists,
    consents: consents.log,
    sessions: sessions.store,
    rates,
    audit: events,
    census: { read: async (accountId) => census.get(accountId) },
    changeCounts: { ofDay: async (_, day) => changes.filter((row) => row.day === day) },
    revocations: connections.revocations,
    unconfirmed: connections.unconfirmedGrants,
    reconnectBatches: memoryReconnectBatches(),
    calls: {
      list: async () => ({ calls: [], next: undefined }),
      find: async () => undefined,
      noteDeleted: async () => {},
    },
    auditList: { page: async () => ({ events: [], next: undefined }) },
    operatorNames: { all: async () => new Map(), put: async () => {} },
    usage: { ofDay: async () => [] },
    callLog: { mode: 'errors', tableName: 'calls', retentionDays: 7 },
    refreshPolicy: DEFAULT_REFRESH_POLICY,
    revocationList: connections.revocationList,
    webhooks: memoryWebhooks().store,
    deliveries: memoryDeliveries().store,
    eventHistory: { page: notUsed },
    webhookEgress: provider.upstream,
    webhookTargets: { ownHosts: ['gateway.example'], allowLoopback: false },
    refresher: {
      async refresh(connection, _integration, options) {
        refreshes.push({ force: options.force });
        return refreshing.outcome(connection);
      },
    },
    feedWork: {
      feeds: new MemoryFeeds(),
      connections: connections.store,
      integrations: integrations.store,
      caller: { call: async () => ({ kind: 'unavailable', reason: 'not scripted', retryAfterSec: undefined }) },
      quota: { admit: async () => undefined, block: async () => undefined },
      cipher: memoryCipher,
      clock,
      random,
      logger,
      metrics,
      inboxAddress: 'https://gateway.example/prod/inbox/google/channel',
      owner: 'this process',
      pause: async () => undefined,
    },
    ...instead,
  };

  const addKey = (text: string, record: Partial<SecretKeyRecord> = {}): string => {
    const keyHash = sha256Hex(text);
    const accountId = text.split('_')[1] ?? ACCOUNT;
    const lastUsedAtEpochSec = clock.nowEpochSec();
    keys.rows.set(keyHash, secretKeyRecord({ accountId, keyHash, lastUsedAtEpochSec, ...record }));
    return text;
  };
  addKey(FULL_KEY);

  /** The answer with its body as bytes. */
  const raw = async (method: string, target: string, options: CallOptions = {}) => {
    const response = await serveRequest(request(method, target, options), services);
    if (response.body !== undefined && !(response.body instanceof Uint8Array)) throw new Error('a stream');
    const headers: Readonly<Record<string, string>> = Object.fromEntries(
      response.headers.map(([name, value]) => [name.toLowerCase(), value]),
    );
    return { status: response.status, headers, body: response.body };
  };

  return {
    services,
    clock,
    events,
    integrations: integrations.rows,
    connections: connections.rows,
    pending: connections.pending,
    unconfirmed: connections.unconfirmed,
    wait: connections.wait,
    hooks: connections.hooks,
    keys: keys.rows,
    sessions: sessions.rows,
    census,
    changes,
    secrets,
    testClient,
    failures,
    tokenCalls,
    tokenAnswers,
    provider,
    refreshes,
    refreshing,
    logged,
    addKey,
    addIntegration(fields: Partial<Integration> = {}): Integration {
      const row = integrationRow(fields);
      integrations.rows.set(integrationRefKey(row), row);
      return row;
    },
    async addConnection(fields: Partial<Connection> = {}): Promise<Connection> {
      const row = await connectionRow(fields);
      connections.rows.set(connectionRefKey(row), row);
      return row;
    },
    raw,
    async call(method: string, target: string, options: CallOptions = {}): Promise<Reply> {
      const { status, headers, body: bytes } = await raw(method, target, options);
      const body: unknown = bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString('utf8'));
      const errors = member(body, 'error', 'errors');
      const paths = Array.isArray(errors) ? errors.map((problem) => member(problem, 'path')) : undefined;
      return { status, headers, body, code: member(body, 'error', 'code'), paths };
    },
  };
}

export type ManagementGateway = ReturnType<typeof managementGateway>;

/** The same with the integration `drive`. */
export function integratedGateway(integration: Partial<Integration> = {}): ManagementGateway {
  const gateway = managementGateway();
  gateway.addIntegration(integration);
  return gateway;
}

/** The same with its connection `first`. */
export async function connectedGateway(connection: Partial<Connection> = {}): Promise<ManagementGateway> {
  const gateway = integratedGateway();
  await gateway.addConnection(connection);
  return gateway;
}

/** A member deep inside an answer; undefined where the path ends early. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.getOwnPropertyDescriptor(found, name)?.value;
  }
  return found;
}

/** The same for a text. @throws when it is none */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = member(value, ...path);
  if (typeof found !== 'string') throw new Error(`${path.join('.')} is no text in ${JSON.stringify(value)}`);
  return found;
}

/** A complete answer of a token endpoint. */
export function answered(status: number, body: unknown, retryAfter?: string): TokenCallResult {
  return { kind: 'answered', response: { status, body: JSON.stringify(body), retryAfter } };
}

function request(method: string, target: string, options: CallOptions): GatewayRequest {
  const [rawPath = '', search = ''] = target.split('?');
  const text = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const key = 'key' in options ? options.key : FULL_KEY;
  const hasType = options.headers?.some(([name]) => name.toLowerCase() === 'content-type') ?? false;
  return {
    method,
    rawPath,
    query: [...new URLSearchParams(search)],
    headers: [
      ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
      ...(text === undefined || hasType ? [] : [['Content-Type', 'application/json'] as const]),
      ...(options.headers ?? []),
    ],
    body: text === undefined ? undefined : new TextEncoder().encode(text),
    requestId: 'request-1',
    sourceIp: '192.0.2.1',
  };
}

/** Batches of reconnect links in memory. */
function memoryReconnectBatches(): ReconnectBatchStore {
  const rows = new Map<string, ReconnectBatch>();
  return {
    async create(batch) {
      rows.set(batch.batchId, batch);
    },
    async read(accountId, batchId) {
      const batch = rows.get(batchId);
      return batch?.accountId === accountId ? batch : undefined;
    },
    list: async (accountId, limit) =>
      [...rows.values()]
        .filter((batch) => batch.accountId === accountId)
        .toSorted((a, b) => (a.batchId < b.batchId ? 1 : -1))
        .slice(0, limit),
    async markRevoked(batch, revokedAt) {
      rows.set(batch.batchId, { ...batch, revokedAt: batch.revokedAt ?? revokedAt });
    },
  };
}
