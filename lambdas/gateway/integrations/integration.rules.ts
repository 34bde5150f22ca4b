import type { StoredBudget } from '../core/budget.ts';
import type { IntegrationRef } from '../core/identifiers.ts';
import type { ManagedBy } from '../core/managed-by.rules.ts';
import type { CipherContext, Random } from '../core/ports.ts';
import { type AuthorizationServer, tokenErrorMeaning } from '../providers/authorization-server.rules.ts';
import type { StoredQuota } from '../providers/project-quota.rules.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import { explainClientFault, type SuspectedFault } from './client-fault.rules.ts';
import type { Delegation } from './delegation.rules.ts';

/** The OAuth client that an integration uses: the integrator's own, or the operator's test credentials. */
export type CredentialsSource = 'own' | 'test';

/** A configured provider. */
export interface Integration extends IntegrationRef {
  readonly provider: ProviderId;
  /** The operator's own name of it. */
  readonly displayName: string;
  /** Its name on pages for end users; absent: the operator's name. */
  readonly publicName?: string | undefined;
  /** The same in other languages, by language id. */
  readonly publicNames?: Readonly<Record<string, string>> | undefined;
  readonly credentialsSource: CredentialsSource;
  /** OAuth client id for `own`; test credentials carry theirs in the operator's secret. */
  readonly clientId: string | undefined;
  /** ARN or name of the secret with the client secret; absent for `test`. */
  readonly secretId: string | undefined;
  readonly scopes: readonly string[];
  /** Set where a service account acts for users; it has no OAuth client then. */
  readonly delegation?: Delegation | undefined;
  /** Publishing status of the app at the provider, as declared by the developer. */
  readonly publishingStatus: 'testing' | 'production';
  readonly audience: 'external' | 'internal';
  /** `live` refuses test credentials. */
  readonly mode: 'test' | 'live';
  /** Ask with include_granted_scopes on scope upgrades. */
  readonly includeGrantedScopes: boolean;
  /** Workspace domain, in lower case, to which accounts are restricted; `*` = any Workspace account. */
  readonly hostedDomain?: string | undefined;
  /** Set where the OAuth client was marked for AI agents when it was made at the provider; fixed at creation (GA-20). */
  readonly agentic?: true | undefined;
  /** Shared budget of all its connections' calls; absent: unlimited. */
  readonly budget?: StoredBudget | undefined;
  /** Quota of its Cloud project, where it differs from the provider's for new projects. */
  readonly quota?: StoredQuota | undefined;
  /** The CloudFormation stack that declares it; absent: none. */
  readonly managedBy?: ManagedBy | undefined;
  /** Set while the provider refuses this integration's OAuth client. */
  readonly clientFault: ClientFaultMark | undefined;
  /** Since when the provider has taken the OAuth client; undefined before its first success. */
  readonly clientWorksSinceEpochSec?: number | undefined;
  /** Unlisted answers of the token endpoint that may turn out to be about the OAuth client. */
  readonly suspectedFault?: SuspectedFault | undefined;
  /** Time of a consent which showed that the provider treats the app as External and in Testing, whatever was declared. */
  readonly testingSeenAtEpochSec?: number | undefined;
  /** Time of a later consent which showed that it no longer does. */
  readonly testingOverAtEpochSec?: number | undefined;
  readonly sequence: number;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * An integration's name for end users.
 *
 * @param language id of their language; undefined where unknown
 */
export function nameForEndUsers(
  { publicNames, publicName, displayName }: Pick<Integration, 'publicNames' | 'publicName' | 'displayName'>,
  language: string | undefined,
): string {
  const inTheirs = language === undefined ? undefined : publicNames?.[language];
  return inTheirs ?? publicName ?? displayName;
}

/** The provider refuses the OAuth client: no connection is at fault. */
export interface ClientFaultMark {
  readonly error: string;
  readonly sinceEpochSec: number;
  /** No token call of this integration before this moment; at most `sinceEpochSec` for a mark that pauses none. */
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

/** Whether the provider accepts an integration's OAuth client, in one word. */
export const CLIENT_HEALTH_STATUSES = ['working', 'not_checked_yet', 'refused'] as const;

/** The health of an integration. */
export interface ClientHealth {
  readonly status: (typeof CLIENT_HEALTH_STATUSES)[number];
  /** The provider's error. */
  readonly reason: string | undefined;
  /** For a refusal: false where it was inferred from several connections. */
  readonly certain: boolean | undefined;
  readonly sinceEpochSec: number | undefined;
  /** The party that can fix a refusal. */
  readonly who: 'developer' | 'operator' | undefined;
  readonly remedy: string | undefined;
}

/** The health of an integration: refused while the provider refuses its client, working from the client's first success on. */
export function clientHealthOf(
  integration: Pick<Integration, 'clientFault' | 'clientWorksSinceEpochSec' | 'credentialsSource'>,
  server: AuthorizationServer,
): ClientHealth {
  const { clientFault, clientWorksSinceEpochSec: sinceEpochSec, credentialsSource } = integration;
  const nothing = { reason: undefined, certain: undefined, who: undefined, remedy: undefined };
  const status = clientHealthWord(integration);
  if (clientFault === undefined) return { ...nothing, status, sinceEpochSec };
  const { error } = clientFault;
  return {
    status,
    reason: error,
    certain: tokenErrorMeaning(error, server) === 'client_fault' || error === 'credentials_missing',
    sinceEpochSec: clientFault.sinceEpochSec,
    who: credentialsSource === 'test' ? 'operator' : 'developer',
    remedy: explainClientFault(error, server).remedy,
  };
}

/** The health of an integration in its one word, as its events carry it. */
export function clientHealthWord(integration: {
  readonly clientFault?: unknown;
  readonly clientWorksSinceEpochSec?: unknown;
}): ClientHealth['status'] {
  if (integration.clientFault !== undefined) return 'refused';
  return integration.clientWorksSinceEpochSec === undefined ? 'not_checked_yet' : 'working';
}

const WHERE_CLIENTS_ARE = 'copy it from the Google Cloud console, Google Auth Platform, Clients';

/** Whether a text contains a client secret in Google's form; such a text is never repeated in a response. */
export function holdsClientSecret(text: string): boolean {
  return text.includes('GOCSPX-');
}

/**
 * The problem with an OAuth client id, as a sentence that says what to send; undefined for a possible id. The sent text is not
 * repeated, because it may be a secret.
 */
export function clientIdProblem(
  text: string,
  { clientIds, displayName }: Pick<AuthorizationServer, 'clientIds' | 'displayName'>,
): string | undefined {
  if (clientIds === undefined || new RegExp(clientIds.pattern).test(text)) return undefined;
  const { looks } = clientIds;
  if (holdsClientSecret(text)) return `is a client secret; it goes into client_secret. A client id ${looks}`;
  if (text.startsWith('AIza')) return `is an API key, which no user can consent to. A client id ${looks}`;
  if (text.endsWith('.gserviceaccount.com')) return `is a service account, not an OAuth client. A client id ${looks}`;
  return `is not a client id of ${displayName}; one ${looks}`;
}

/** The same without a known server: reports only ids that no server can have issued. */
export function clientIdProblemAnywhere(servers: readonly AuthorizationServer[]): (text: string) => string | undefined {
  return (text) => {
    const problems = servers.map((server) => clientIdProblem(text, server));
    return problems.includes(undefined) ? undefined : problems[0];
  };
}

/** The same for a client secret. Older ones have no fixed form. */
export function clientSecretProblem(text: string): string | undefined {
  return text.endsWith('.apps.googleusercontent.com')
    ? `is a client id; it goes into client_id. The secret is in the same place: ${WHERE_CLIENTS_ARE}`
    : undefined;
}

/** Names of secrets in Secrets Manager have no colon. */
const ROW_NAME = /^row:([0-9a-f]{32}):(.+)$/s;
const ROW_NAME_BYTES = 16;
/** `<prefix>/integration/<account>/<integration>/<random>`. */
const SECRET_NAME = /\/integration\/([^/]+)\/[^/]+\/[^/]+$/;

/** Whether a secret of this name is a row of the table, and not one of Secrets Manager. */
export function isRowName(name: string): boolean {
  return ROW_NAME.test(name);
}

/** Whether a name is one of a row of this account: an integration of another one reads none of it. */
export function isRowNameOf(name: string, accountId: string): boolean {
  return ROW_NAME.exec(name)?.[2] === accountId;
}

/** Whether the name of a secret, or of a row, contains another account. */
export function isOfOtherAccount(name: string, accountId: string): boolean {
  const owner = ROW_NAME.exec(name)?.[2] ?? SECRET_NAME.exec(name)?.[1];
  return owner !== undefined && owner !== accountId;
}

/** A new name for a row. It has the account, by which its data key is found, and not the integration, whose id can change. */
export function newRowName(accountId: string, random: Random): string {
  return `row:${Buffer.from(random.bytes(ROW_NAME_BYTES)).toString('hex')}:${accountId}`;
}

/** What the name of a row says of its place. */
export function placeOfRow(name: string): {
  readonly accountId: string;
  readonly id: string;
  readonly context: CipherContext;
} {
  const [, id = '', accountId = ''] = ROW_NAME.exec(name) ?? [];
  return {
    accountId,
    id,
    context: { accountId, integrationId: '', recordId: id, field: 'clientSecret', purpose: 'clients' },
  };
}
