import type { GrantParts } from '../features/grant-parts.ts';
import type { ConnectSessionStore, ReconnectBatchStore } from '../gateway/authorization/ports.ts';
import type { CallAdmission } from '../gateway/calls/admission.ts';
import type { BackgroundCalls } from '../gateway/calls/background-calls.ts';
import type { CallLogReader, CallTotalsReader, RateCounter, ReachedShares } from '../gateway/calls/ports.ts';
import type { ReadUsageDependencies } from '../gateway/calls/read-usage.ts';
import type { Config } from '../gateway/config.ts';
import type {
  CensusStore,
  ChangeCountReader,
  ConnectionLists,
  ConnectionSearch,
  ConnectionStore,
  RevocationList,
  RevocationStore,
  UnconfirmedGrantStore,
} from '../gateway/connections/ports.ts';
import type { OperatorMfa } from '../gateway/core/contract.ts';
import type { EndpointTargets } from '../gateway/core/endpoint-targets.ts';
import type { Upstream } from '../gateway/core/http-message.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from '../gateway/core/ports.ts';
import type { AuditList, AuditTrail } from '../gateway/events/ports.ts';
import type { FeatureDependencies } from '../gateway/feature-dependencies.ts';
import type {
  ClientCredentialsSource,
  ClientIdSource,
  ClientSecretStore,
  IntegrationStore,
  TestCredentialsStore,
} from '../gateway/integrations/ports.ts';
import type { KeyDirectory } from '../gateway/keys/authenticate-key.ts';
import type { BoundCallers, OperatorNames, OperatorTokenVerifier, SecretKeyStore } from '../gateway/keys/ports.ts';
import type { DescribedMethods } from '../gateway/providers/described-methods.rules.ts';
import type { Providers } from '../gateway/providers/provider.rules.ts';
import type { PinnedListStore } from '../gateway/server-tools/ports.ts';
import type { RefreshPolicy } from '../gateway/tokens/freshness.rules.ts';
import type { ConsentLog, DelegatedDomainStore, TokenEndpoint } from '../gateway/tokens/ports.ts';
import type { DelegationServices } from '../gateway/tokens/refresh-for-subject.ts';
import type { ConnectionRefresher } from '../gateway/tokens/refresher.ts';
import type { CreationGate, RequestNotes } from './creations/ports.ts';

/** Dependencies of the routes of both functions; every use case takes the part it needs. */
export interface Services {
  readonly baseUrl: string;
  /** Address of proxied calls, where they have a front door of their own; otherwise undefined. */
  readonly proxyUrl?: string | undefined;
  /** Built files: the API's OpenAPI document, with a placeholder for the address, and the script of its page. */
  readonly builtFile: (name: 'openapi.json' | 'reference.js.br') => Promise<Buffer>;
  readonly connectReturnUrls: readonly string[];
  /** Origins of apps that open or frame the connect page, without the dashboard's. */
  readonly connectAllowedOrigins: readonly string[];
  readonly endpointsOf: Config['endpointsOf'];
  readonly providers: Providers;
  /** Ids of features that the deployment leaves out. */
  readonly without: ReadonlySet<string>;
  readonly boundCallers: BoundCallers;
  /** Dependencies of the features' own services. */
  readonly forFeatures: FeatureDependencies;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly refreshPolicy: RefreshPolicy;
  readonly upstream: Upstream;
  readonly tokenEndpoint: TokenEndpoint;
  readonly cipher: TokenCipher;
  readonly clientIds: ClientIdSource;
  readonly keys: KeyDirectory;
  readonly admission: CallAdmission;
  /** Undefined where the deployment has no dashboard. */
  readonly operatorTokens: OperatorTokenVerifier | undefined;
  /** The operators' issuer's rule for second factors; undefined where there is no dashboard. */
  readonly operatorMfa: OperatorMfa | undefined;
  /** The one origin whose pages may read responses; undefined where there is no dashboard. */
  readonly dashboardOrigin: string | undefined;
  readonly secretKeys: SecretKeyStore;
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly search: ConnectionSearch;
  readonly lists: ConnectionLists;
  readonly consents: ConsentLog;
  readonly sessions: ConnectSessionStore;
  readonly rates: RateCounter;
  readonly creations: CreationGate;
  readonly requestNotes: RequestNotes;
  readonly audit: AuditTrail;
  readonly census: Pick<CensusStore, 'read'>;
  readonly changeCounts: ChangeCountReader;
  readonly reachedShares: ReachedShares;
  readonly callTotals: CallTotalsReader;
  readonly revocations: RevocationStore;
  readonly unconfirmed: UnconfirmedGrantStore;
  readonly reconnectBatches: ReconnectBatchStore;
  readonly revocationList: RevocationList;
  readonly auditList: AuditList;
  readonly operatorNames: OperatorNames;
  /** Calls by day, from pages and rows of earlier versions. */
  readonly usage: Omit<ReadUsageDependencies, 'clock'>;
  readonly calls: CallLogReader;
  /** Which calls leave a row, and for how many days. */
  readonly callLog: Config['callLog'];
  /** The way out to endpoints that customers name: public addresses only. */
  readonly endpointEgress: Upstream;
  readonly endpointTargets: EndpointTargets;
  readonly delegatedDomains: DelegatedDomainStore;
  readonly pinnedLists: PinnedListStore;
  /** What shows and accepts the tools of providers' own servers, loaded when it is first needed. */
  readonly serverTools: () => Promise<typeof import('./server-tools.ts')>;
  /** The API's page, likewise. */
  readonly docsPage: () => Promise<typeof import('./docs-page.ts')>;
}

/** What routes that use a grant or the secret of a client need in addition; only the function `grants` has it. */
export interface GrantServices extends Services {
  /** Descriptions of each method for a person. */
  readonly described: DescribedMethods;
  readonly credentials: ClientCredentialsSource;
  readonly clientSecrets: ClientSecretStore;
  readonly testCredentials: TestCredentialsStore;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  /** Checks of connections without a person, and the state of their domains. */
  readonly delegation: DelegationServices;
  /** Counts the checks' use of the providers' quotas. */
  readonly checks: Pick<BackgroundCalls, 'made' | 'assertRoom'>;
  /** What features open once in a process that uses grants. */
  readonly parts: GrantParts;
}
