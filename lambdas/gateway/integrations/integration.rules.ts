import type { IntegrationRef } from '../core/identifiers.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { SuspectedFault } from './client-fault.rules.ts';

/** Whose OAuth client an integration uses: the integrator's own, or the operator's test credentials. */
export type CredentialsSource = 'own' | 'test';

/** A configured provider. */
export interface Integration extends IntegrationRef {
  readonly provider: ProviderId;
  /** The operator's own name of it. */
  readonly displayName: string;
  /** How pages that end users see name it; absent: the operator's name. */
  readonly publicName?: string | undefined;
  readonly credentialsSource: CredentialsSource;
  /** OAuth client id for `own`; test credentials carry theirs in the operator's secret. */
  readonly clientId: string | undefined;
  /** ARN or name of the secret with the client secret; absent for `test`. */
  readonly secretId: string | undefined;
  readonly scopes: readonly string[];
  /** Publishing status of the app at the provider, as far as the developer told. */
  readonly publishingStatus: 'testing' | 'production';
  readonly audience: 'external' | 'internal';
  /** `live` refuses test credentials. */
  readonly mode: 'test' | 'live';
  /** Ask with include_granted_scopes on scope upgrades. */
  readonly includeGrantedScopes: boolean;
  /** Workspace domain, in lower case, whose accounts alone may connect; `*` = any Workspace account. */
  readonly hostedDomain?: string | undefined;
  /** Set while the provider refuses this integration's OAuth client. */
  readonly clientFault: ClientFaultMark | undefined;
  /** Since when the provider has taken the OAuth client; undefined before its first success. */
  readonly clientWorksSinceEpochSec?: number | undefined;
  /** Unlisted answers of the token endpoint that may turn out to be about the OAuth client. */
  readonly suspectedFault?: SuspectedFault | undefined;
  /** Consent that showed the provider to treat the app as External and in Testing, whatever was declared. */
  readonly testingSeenAtEpochSec?: number | undefined;
  /** Consent after that one which showed that it no longer does. */
  readonly testingOverAtEpochSec?: number | undefined;
  readonly sequence: number;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What end users call an integration. */
export function nameForEndUsers({ publicName, displayName }: Pick<Integration, 'publicName' | 'displayName'>): string {
  return publicName ?? displayName;
}

/** The provider refuses the OAuth client: no connection is at fault. */
export interface ClientFaultMark {
  readonly error: string;
  readonly sinceEpochSec: number;
  /** No token call of this integration before this moment; not later than `sinceEpochSec` for a mark that pauses nobody. */
  readonly retryAtEpochSec: number;
}

/** OAuth client of an integration, in clear: lives in memory only. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The secret before the last rotation, tried once when the current one is refused. */
  readonly previousClientSecret: string | undefined;
}

/** Since when grants show that the provider treats the app as External and in Testing; undefined where they do not. */
export function treatedAsTestingSince({
  testingSeenAtEpochSec: seenAt = 0,
  testingOverAtEpochSec: overAt = 0,
}: Pick<Integration, 'testingSeenAtEpochSec' | 'testingOverAtEpochSec'>): number | undefined {
  return seenAt > overAt ? seenAt : undefined;
}
