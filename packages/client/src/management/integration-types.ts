import type { Budget } from './budget.ts';
import type { Delegation, DelegationChanges, NewDelegation } from './delegation.ts';
import type { ManagedBy } from './managed-by.ts';
import type { OwnQuota } from './own-quota.ts';
import type * as wire from './wire.ts';

/** Providers that a gateway of this version ships; a deployment may have others of its own. */
export type ProviderName = wire.Provider['name'] | (string & {});

/** Names for end users by the language of the pages. */
export type PublicNames = Readonly<Partial<Record<'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja', string>>>;

/** A configured provider setup. */
export interface Integration {
  /** Its id, `providerConfigKey` in calls. */
  readonly uniqueKey: string;
  readonly provider: string;
  readonly displayName: string;
  /** How pages that end users see name it; undefined: by `displayName`. */
  readonly publicName: string | undefined;
  /** The same for readers of these languages; undefined: in none. */
  readonly publicNames?: PublicNames | undefined;
  /** URL of the provider's logo. */
  readonly logo: string;
  /** Requested scopes, in full spelling. */
  readonly scopes: readonly string[];
  /** `oauth`: users consent; `delegated`: a service account acts for users of Workspace domains. */
  readonly kind?: string | undefined;
  /** Of `delegated`: how. */
  readonly delegation?: Delegation | undefined;
  /** `own`: your OAuth client; `test`: the operator's. */
  readonly credentialsSource: string | undefined;
  /** `testing` or `production`, as set at Google. */
  readonly publishingStatus: string | undefined;
  /** `external` or `internal`, as set at Google. */
  readonly audience: string | undefined;
  /** `test` or `live`. */
  readonly mode: string | undefined;
  readonly includeGrantedScopes: boolean | undefined;
  /** Workspace domain to which accounts are restricted; `*` = any Workspace account. */
  readonly hostedDomain: string | undefined;
  /** Whether its OAuth client is marked for AI agents at Google: no proxy, feeds or file picker. */
  readonly agentic?: boolean | undefined;
  /** Shared budget of all its connections' calls; undefined: unlimited. */
  readonly budget?: Budget | undefined;
  /** Google's quotas of its Cloud project, where they differ from those of new projects. */
  readonly quota?: OwnQuota | undefined;
  /** Present while the provider refuses the OAuth client. */
  readonly credentialsFault: CredentialsFault | undefined;
  /** Whether the provider accepts the OAuth client; undefined from a gateway that does not send it. */
  readonly health: IntegrationHealth | undefined;
  /** The CloudFormation stack that declares it; undefined = none. */
  readonly managedBy?: ManagedBy | undefined;
  /**
   * Consent that showed Google to treat the app as External and in Testing, whatever `publishingStatus` says: its grants end
   * after seven days. ISO 8601 UTC.
   */
  readonly testingSeenAt: string | undefined;
  /** Only where it was asked for. */
  readonly clientId: string | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Consequences of a change, such as connections that must be authorized again; empty otherwise. */
  readonly warnings: readonly string[];
}

/** The provider refuses the OAuth client of an integration. */
export interface CredentialsFault {
  /** The provider's code, such as `invalid_client`. */
  readonly error: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly retryAt: string | undefined;
}

/** Whether the provider takes the OAuth client of an integration. */
export interface IntegrationHealth {
  /** `working` from its first success on, `not_checked_yet` before, or `refused`. */
  readonly status: string;
  /** The provider's error about the OAuth client. */
  readonly reason: string | undefined;
  /** Of a refusal: false where it is only likely. */
  readonly certain: boolean | undefined;
  /** ISO 8601 UTC. */
  readonly since: string | undefined;
  /** The party that can fix a refusal: `developer`, or `operator` where the client is the test credentials'. */
  readonly who: string | undefined;
  readonly remedy: string | undefined;
}

/** Settings of every integration. */
export interface IntegrationSettings {
  displayName?: string;
  /** How pages that end users see name it; null: by `displayName`. */
  publicName?: string | null;
  /** The same for readers of these languages, all of them at once; null: for none. */
  publicNames?: PublicNames | null;
  /** Full or short spellings (`drive.readonly`). @default the provider's default scopes */
  scopes?: readonly string[];
  publishingStatus?: 'testing' | 'production';
  audience?: 'external' | 'internal';
  mode?: 'test' | 'live';
  includeGrantedScopes?: boolean;
  /** Workspace domain to which accounts are restricted; `*` = any Workspace account; null removes it. */
  hostedDomain?: string | null;
  /** Shared budget of all its connections' calls; null removes it. */
  budget?: Budget | null;
  /** Google's quotas of its Cloud project, as the Cloud console shows them; null = those of new projects. */
  quota?: OwnQuota | null;
}

/** An integration to make on the operator's test credentials. */
export interface QuickstartIntegration extends IntegrationSettings {
  provider: ProviderName;
  uniqueKey: string;
}

/** An OAuth client of your own. */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

/** An integration to make. */
export interface NewIntegration extends QuickstartIntegration {
  /** Instead of an OAuth client: a service account that acts for users of Workspace domains. */
  delegation?: NewDelegation;
  /** True for an OAuth client that is marked for AI agents at Google; fixed for the life of the integration. @default false */
  agentic?: boolean;
  /** Left out with `credentialsSource: 'test'`. */
  credentials?: OAuthClient;
  credentialsSource?: 'own' | 'test';
}

/** Changes of an integration; omitted members stay. */
export interface IntegrationChanges extends IntegrationSettings {
  /** Another id; refused while connections exist. */
  uniqueKey?: string;
  delegation?: DelegationChanges;
  /** Only the secret rotates when the id is left out. */
  credentials?: Partial<OAuthClient>;
  credentialsSource?: 'own' | 'test';
}

/** Steps that going live still requires. */
export interface Readiness {
  readonly ready: boolean;
  /** `testing` or `production`, as set at Google. */
  readonly publishingStatus: string | undefined;
  /** `external` or `internal`, as set at Google. */
  readonly audience: string | undefined;
  /** To be registered at Google for the OAuth client. */
  readonly redirectUri: string;
  /** To be registered only for front ends whose own libraries ask for it: the gateway needs none. */
  readonly javascriptOrigin: string | undefined;
  /** Capabilities limited by the gateway's address; undefined from a gateway before 0.2. */
  readonly domain: DomainReadiness | undefined;
  /** Undefined without an own client, for providers that send none, and from a gateway that does not take them. */
  readonly securityEvents: SecurityEventReadiness | undefined;
  /** The strictest review class among the scopes. */
  readonly strictestClass: string;
  readonly scopes: readonly ScopeReadiness[];
  readonly steps: readonly ReadinessStep[];
  /** Scopes to ask for instead, which need fewer reviews. */
  readonly alternatives: readonly ScopeAlternative[];
  readonly risks: readonly string[];
  /** Undefined for an integration that is not agentic. */
  readonly agents?: AgentReadiness | undefined;
}

/** State of an agentic integration. */
export interface AgentReadiness {
  /** Features that worked, with the time. */
  readonly seen: readonly string[];
  /** Features that were not tried yet. */
  readonly untried: readonly string[];
}

/** Effect of the gateway's address on its capabilities. */
export interface DomainReadiness {
  readonly host: string;
  /** False for an address of AWS's or of this computer. */
  readonly own: boolean;
  /** With a domain of your own: what needs it verified for the OAuth client's Cloud project. */
  readonly losses: readonly DomainLoss[];
}

/** Whether Google's security events of an OAuth client's Cloud project reach the gateway. */
export interface SecurityEventReadiness {
  readonly cloudProject: string;
  /** `not_registered`, `not_verified` or `verified`. */
  readonly state: string;
  readonly verifiedAt: string | undefined;
  readonly lastEventAt: string | undefined;
  /** Their state, and what is missing. */
  readonly what: string;
}

/** Something that works less well, or not at all. */
export interface DomainLoss {
  /** `app_verification`, `push_messages`, `security_events` or `connect_page`. */
  readonly capability: string;
  /** `own_domain` or `verified_domain`. */
  readonly needs: string;
  readonly what: string;
}

/** A scope that spares a review. */
export interface ScopeAlternative {
  /** Scopes of the integration that it replaces. */
  readonly insteadOf: readonly string[];
  readonly scope: string;
  readonly what: string;
}

/** A scope and how strictly Google reviews apps that ask for it. */
export interface ReviewedScope {
  readonly scope: string;
  /** `non-sensitive`, `sensitive` or `restricted`. */
  readonly reviewClass: string;
  /** What it permits, in words for end users. */
  readonly meaning: string;
}

/** A requested scope, and the reviews that it requires. */
export interface ScopeReadiness extends ReviewedScope {
  /** Ids of steps: none, `app_verification`, or that and `security_assessment`. */
  readonly reviews: readonly string[];
}

/** One step towards going live. */
export interface ReadinessStep {
  readonly id: string;
  readonly needed: boolean;
  /** Undefined where only Google's console shows it. */
  readonly done: boolean | undefined;
  readonly what: string;
}
