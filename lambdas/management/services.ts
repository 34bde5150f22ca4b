import type { Config } from '../shared/config.ts';
import type { Provider, ProviderId } from '../shared/domain/provider.ts';
import type { RefreshPolicy } from '../shared/domain/refresh-policy.ts';
import type { Upstream } from '../shared/domain/upstream.ts';
import type {
  AuditTrail,
  CensusStore,
  ClientCredentialsSource,
  ClientSecretStore,
  Clock,
  ConnectionStore,
  ConnectSessionStore,
  ConsentLog,
  IntegrationStore,
  Logger,
  Metrics,
  OperatorTokenVerifier,
  Random,
  RateCounter,
  RevocationList,
  RevocationStore,
  SecretKeyStore,
  TestCredentialsStore,
  TokenCipher,
  TokenEndpoint,
  UnconfirmedGrantStore,
} from '../shared/ports.ts';
import type { KeyDirectory } from '../shared/use-cases/keys/authenticate-key.ts';
import type { CallAdmission } from '../shared/use-cases/limits/call-admission.ts';
import type { ConnectionRefresher } from '../shared/use-cases/refresh/refresh-connection.ts';

/** What the routes stand on; every use case takes the part it needs. */
export interface Services {
  readonly baseUrl: string;
  readonly connectReturnUrls: readonly string[];
  /** Origins of apps that open or frame the connect page, the dashboard's left out. */
  readonly connectAllowedOrigins: readonly string[];
  readonly endpoints: Config['google'];
  readonly providers: readonly Provider[];
  readonly providerOf: (id: ProviderId) => Provider;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly refreshPolicy: RefreshPolicy;
  readonly upstream: Upstream;
  readonly tokenEndpoint: TokenEndpoint;
  readonly cipher: TokenCipher;
  readonly credentials: ClientCredentialsSource;
  readonly clientSecrets: ClientSecretStore;
  readonly testCredentials: TestCredentialsStore;
  readonly keys: KeyDirectory;
  readonly admission: CallAdmission;
  /** Undefined where the deployment has no dashboard. */
  readonly operatorTokens: OperatorTokenVerifier | undefined;
  /** The one origin whose pages may read answers; undefined where there is no dashboard. */
  readonly dashboardOrigin: string | undefined;
  readonly secretKeys: SecretKeyStore;
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly consents: ConsentLog;
  readonly sessions: ConnectSessionStore;
  readonly rates: RateCounter;
  readonly audit: AuditTrail;
  readonly census: Pick<CensusStore, 'read'>;
  readonly revocations: RevocationStore;
  readonly unconfirmed: UnconfirmedGrantStore;
  readonly revocationList: RevocationList;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
}
