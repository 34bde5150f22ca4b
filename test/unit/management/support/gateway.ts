import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { apiDocument } from '../../../../dev/tools/api-document.ts';
import { feedStore } from '../../../../lambdas/features/feeds/feed.store.ts';
import { FEATURES } from '../../../../lambdas/features/index.ts';
import { connectSessionStore } from '../../../../lambdas/gateway/authorization/session.store.ts';
import { CallAdmission, type CallLimits } from '../../../../lambdas/gateway/calls/admission.ts';
import { bookReader } from '../../../../lambdas/gateway/calls/book.store.ts';
import { callTotals, callTotalsReader } from '../../../../lambdas/gateway/calls/call-totals.store.ts';
import { pageReader } from '../../../../lambdas/gateway/calls/page.store.ts';
import { rateCounter } from '../../../../lambdas/gateway/calls/rate-counter.store.ts';
import { usageRows } from '../../../../lambdas/gateway/calls/usage-rows.store.ts';
import type { Census } from '../../../../lambdas/gateway/connections/census.rules.ts';
import type { ChangeRow } from '../../../../lambdas/gateway/connections/change-counts.rules.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../../lambdas/gateway/connections/connection.store.ts';
import { connectionFromItem } from '../../../../lambdas/gateway/connections/connection-item.store.ts';
import { connectionSearch } from '../../../../lambdas/gateway/connections/connection-search.store.ts';
import { writeConnection } from '../../../../lambdas/gateway/connections/connection-write.store.ts';
import { revocationStore } from '../../../../lambdas/gateway/connections/due.store.ts';
import { connectionLists } from '../../../../lambdas/gateway/connections/listed-rows.store.ts';
import { unconfirmedGrantStore } from '../../../../lambdas/gateway/connections/unconfirmed-grant.store.ts';
import { grantMethods, isOfGrants } from '../../../../lambdas/gateway/core/contract.ts';
import type { GatewayRequest } from '../../../../lambdas/gateway/core/http-message.ts';
import { connectionRefKey, integrationRefKey, sha256Hex } from '../../../../lambdas/gateway/core/identifiers.ts';
import { auditList, auditTrail, eventFromItem } from '../../../../lambdas/gateway/events/event.store.ts';
import type { ClientCredentials, Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { integrationStore } from '../../../../lambdas/gateway/integrations/integration.store.ts';
import {
  integrationFromItem,
  integrationToItem,
} from '../../../../lambdas/gateway/integrations/integration-item.store.ts';
import type { ClientSecretStore } from '../../../../lambdas/gateway/integrations/ports.ts';
import { KeyDirectory } from '../../../../lambdas/gateway/keys/authenticate-key.ts';
import { boundCallersOf } from '../../../../lambdas/gateway/keys/bound-callers.ts';
import type { SecretKeyRecord } from '../../../../lambdas/gateway/keys/credentials.rules.ts';
import {
  secretKeyFromItem,
  secretKeyStore,
  secretKeyToItem,
} from '../../../../lambdas/gateway/keys/secret-key.store.ts';
import { searchCheckItemKey } from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { PROVIDERS } from '../../../../lambdas/gateway/providers/catalogue.ts';
import { DESCRIBED_METHODS } from '../../../../lambdas/gateway/providers/described.ts';
import { pinnedListStore } from '../../../../lambdas/gateway/server-tools/pinned-list.store.ts';
import { consentLog } from '../../../../lambdas/gateway/tokens/consent-log.store.ts';
import { delegatedDomainStore } from '../../../../lambdas/gateway/tokens/delegated-domain.store.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { TokenCallResult, TokenEndpoint } from '../../../../lambdas/gateway/tokens/ports.ts';
import { DelegatedDomains } from '../../../../lambdas/gateway/tokens/refresh-for-subject.ts';
import type { RefreshOutcome } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { operatorNames } from '../../../../lambdas/management/audit/operator-name.store.ts';
import { revocationList } from '../../../../lambdas/management/connections/revocation-list.store.ts';
import { creationGate } from '../../../../lambdas/management/creations/creation-gate.store.ts';
import { noteToWrite, requestNotes } from '../../../../lambdas/management/creations/request-notes.store.ts';
import { reachedShares } from '../../../../lambdas/management/overview/reached-shares.store.ts';
import { ADDRESS_PLACE } from '../../../../lambdas/management/reference/document-routes.ts';
import { GRANT_ROUTES } from '../../../../lambdas/management/routes/of-grants.ts';
import { MANAGEMENT_ROUTES } from '../../../../lambdas/management/routes/own.ts';
import { serveRequest } from '../../../../lambdas/management/serve-request.ts';
import type { GrantServices, Services } from '../../../../lambdas/management/services.ts';
import { reconnectBatchStore } from '../../../../lambdas/management/sessions/reconnect-batch.store.ts';
import { secretKeyRecord } from '../../support/secret-key.ts';
import { memoryCipher } from './memory-cipher.ts';
import { memoryTestCredentials } from './memory-test-credentials.ts';
import { connectionRow, integrationRow } from './rows.ts';
import { scriptedProvider } from './scripted-provider.ts';
import { StoredRows } from './stored-rows.ts';
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

/** What a call has in addition to method and target; its key is the full one unless another is named. */
export interface CallOptions {
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly key?: string | undefined;
  readonly headers?: readonly (readonly [string, string])[];
}

/** What a test has otherwise: limits of calls (@default none), or something in the place of a fake. */
export interface ManagementVariation extends Partial<GrantServices> {
  readonly callLimits?: Partial<CallLimits>;
}

/** Serves a request by the function to which API Gateway would send it. */
export function serve(asked: GatewayRequest, services: GrantServices) {
  return isOfGrants(asked.method, asked.rawPath)
    ? serveRequest(asked, services, { routes: GRANT_ROUTES })
    : serveRequest<Services>(asked, services, { routes: MANAGEMENT_ROUTES, elsewhere: grantMethods });
}

/** The management API with its real stores, on a table in memory. */
export function managementGateway({ callLimits = {}, ...instead }: ManagementVariation = {}) {
  const clock = new StandingClock();
  const random = countingRandom();
  const memory = new MemoryTable();
  const table = { ...memory.table, extraWrite: noteToWrite };
  memory.put({ ...searchCheckItemKey(ACCOUNT), lists: 'complete' });
  const events = {
    get all() {
      return memory.ofType('event').map(eventFromItem);
    },
    types: () => events.all.map(({ eventType }) => eventType),
    forget() {
      for (const item of memory.ofType('event')) memory.delete(item);
    },
    /** No event can be written, nor what is written with it. */
    set failing(failing: boolean) {
      memory.fails = ({ type }) => failing && type === 'event';
    },
  };
  const secrets = new Map<string, ClientCredentials>();
  const deletedSecrets = new Set<string>();
  let secretNames = 0;
  const testClient: { current: ClientCredentials | undefined } = {
    current: { clientId: '900-test', clientSecret: 'test-secret', previousClientSecret: undefined },
  };
  /** `misplaced`: what names of secrets begin with that are not where new ones are kept. */
  const failures = { secretWrite: false, misplaced: 'elsewhere/' };
  const clientSecrets: ClientSecretStore = {
    isOwn: (accountId, secretId) => secretId.startsWith(`stack/integration/${accountId}/`),
    isInPlace: (secretId) => !secretId.startsWith(failures.misplaced),
    newName: (ref) => `stack/integration/${ref.accountId}/${encodeURIComponent(ref.integrationId)}/${++secretNames}`,
    async create(secretId, credentials) {
      if (failures.secretWrite) throw new Error('Secrets Manager is not reachable');
      if (secrets.has(secretId) || deletedSecrets.has(secretId)) throw new Error(`The name ${secretId} is taken`);
      secrets.set(secretId, credentials);
    },
    read: async (_accountId, secretId) => secrets.get(secretId),
    async write(_accountId, secretId, credentials) {
      if (failures.secretWrite) throw new Error('Secrets Manager is not reachable');
      secrets.set(secretId, credentials);
    },
    async delete(_accountId, secretId) {
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
    exchangeAssertion: () => Promise.reject(new Error('No assertion is exchanged here')),
    exchangeCode: () => Promise.resolve(answered(400, { error: 'invalid_grant' })),
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
  const admission = new CallAdmission(
    { totals: callTotals(table), clock, logger, metrics },
    { perKey: 0, perConnection: 0, perAddress: 0, ...callLimits },
  );
  const secretKeys = secretKeyStore(table);
  const connections = connectionStore(table);
  const integrations = integrationStore(table);
  const services: GrantServices = {
    pinnedLists: pinnedListStore(table),
    serverTools: () => import('../../../../lambdas/management/server-tools.ts'),
    docsPage: () => import('../../../../lambdas/management/docs-page.ts'),
    described: DESCRIBED_METHODS,
    baseUrl: 'https://gateway.example/prod',
    builtFile: async () => Buffer.from(JSON.stringify(apiDocument(ADDRESS_PLACE))),
    connectReturnUrls: ['https://app.example/done'],
    connectAllowedOrigins: [],
    endpointsOf: () => provider.endpoints,
    providers: PROVIDERS,
    without: new Set(),
    boundCallers: boundCallersOf({}, { config: { without: new Set() } }),
    forFeatures: {
      ...{ table, clock, random, logger, metrics, cipher: memoryCipher },
      config: {
        callLog: { mode: 'errors', tableName: 'calls', retentionDays: 7 },
        setting: (name) => (name === 'agentSignIn' ? '' : name),
        without: new Set(),
      },
      later: (name) => import(`../../../../lambdas/features/${featureWith(name)}/${name}.lazy.ts`),
    },
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
    operatorMfa: undefined,
    dashboardOrigin: undefined,
    keys: new KeyDirectory({ secretKeys, clock, logger, admission }),
    admission,
    secretKeys,
    integrations,
    connections,
    search: connectionSearch(table),
    lists: connectionLists(table),
    consents: consentLog(table),
    sessions: connectSessionStore(table),
    rates: rateCounter(table),
    creations: creationGate(table),
    requestNotes: requestNotes(table),
    audit: auditTrail(table),
    census: { read: async (accountId) => census.get(accountId) },
    reachedShares: reachedShares(table),
    callTotals: callTotalsReader(table),
    changeCounts: { ofDay: async (_, day) => changes.filter((row) => row.day === day) },
    revocations: revocationStore(table),
    unconfirmed: unconfirmedGrantStore(table),
    reconnectBatches: reconnectBatchStore(table),
    calls: {
      list: async () => ({ calls: [], next: undefined }),
      failures: async () => ({ calls: [], next: undefined }),
      find: async () => undefined,
      noteDeleted: async () => {},
    },
    auditList: auditList(table),
    operatorNames: operatorNames(table),
    usage: { pages: pageReader(table), book: bookReader(table), rows: usageRows(table) },
    callLog: { mode: 'errors', tableName: 'calls', retentionDays: 7 },
    refreshPolicy: DEFAULT_REFRESH_POLICY,
    revocationList: revocationList(table),
    endpointEgress: provider.upstream,
    endpointTargets: { ownHosts: ['gateway.example'], allowLoopback: false },
    refresher: {
      async refresh(connection, _integration, options) {
        refreshes.push({ force: options.force });
        return refreshing.outcome(connection);
      },
    },
    checks: { made: () => undefined, assertRoom: async () => undefined },
    delegation: {
      tokens: {
        ask: async () => ({ kind: 'failed', reason: 'not scripted', retryAfterSec: undefined, isAnswer: false }),
      },
      domains: new DelegatedDomains({
        store: delegatedDomainStore(table),
        clock,
        random,
        endpointsOf: () => provider.endpoints,
      }),
    },
    delegatedDomains: delegatedDomainStore(table),
    clientIds: {
      clientIdOf: async ({ credentialsSource, clientId }) =>
        credentialsSource === 'test' ? testClient.current?.clientId : clientId,
    },
    parts: {
      feeds: {
        feeds: feedStore(table),
        connections,
        integrations,
        caller: { call: async () => ({ kind: 'unavailable', reason: 'not scripted', retryAfterSec: undefined }) },
        quota: { admit: async () => undefined, block: async () => undefined },
        isDayFilling: async () => false,
        cipher: memoryCipher,
        clock,
        random,
        logger,
        metrics,
        owner: 'this process',
        pause: async () => undefined,
      },
    },
    ...instead,
  };

  const addKey = (text: string, record: Partial<SecretKeyRecord> = {}): string => {
    const keyHash = sha256Hex(text);
    const accountId = text.split('_')[1] ?? ACCOUNT;
    const lastUsedAtEpochSec = clock.nowEpochSec();
    memory.put(secretKeyToItem(secretKeyRecord({ accountId, keyHash, lastUsedAtEpochSec, ...record })));
    return text;
  };
  addKey(FULL_KEY);

  /** The answer with its body as bytes. */
  const raw = async (method: string, target: string, options: CallOptions = {}) => {
    const response = await serve(request(method, target, options), services);
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
    memory,
    integrations: new StoredRows(memory, 'integration', integrationFromItem, integrationRefKey),
    connections: new StoredRows(memory, 'connection', connectionFromItem, connectionRefKey),
    pending: new StoredRows(
      memory,
      'revocation',
      (item) => item,
      ({ pk }) => String(pk),
    ),
    unconfirmed: new StoredRows(
      memory,
      'unconfirmed_grant',
      (item) => item,
      ({ pk }) => String(pk),
    ),
    keys: new StoredRows(memory, 'secret_key', secretKeyFromItem, ({ keyHash }) => keyHash),
    sessions: new StoredRows(
      memory,
      'connect_session',
      (item) => item,
      ({ sessionHash }) => String(sessionHash),
    ),
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
      memory.put(integrationToItem(row));
      return row;
    },
    async addConnection(fields: Partial<Connection> = {}): Promise<Connection> {
      const row = await connectionRow(fields);
      const before = await connections.read(row);
      await writeConnection(table, { happened: { kind: 'saved' }, before, after: row });
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

/** A request as a front door hands it to a function. */
export function request(method: string, target: string, options: CallOptions = {}): GatewayRequest {
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

/** The feature that a lazily loaded module belongs to. */
function featureWith(module: string): string {
  const feature = FEATURES.find(({ lazy }) => Object.hasOwn(lazy, module));
  if (feature === undefined) throw new Error(`No feature has ${module}.`);
  return feature.id;
}
