import { isDeclaredTesting } from '../../gateway/connections/health.rules.ts';
import type { OperatorMfa } from '../../gateway/core/contract.ts';
import { SERVICE_ACCOUNT_KEY_OLD_SEC } from '../../gateway/core/limits.ts';
import { type Integration, treatedAsTestingSince } from '../../gateway/integrations/integration.rules.ts';
import type { Provider, ReviewClass, ScopeDefinition } from '../../gateway/providers/provider.rules.ts';
import { canonicalScope } from '../../gateway/providers/scopes.rules.ts';
import type { DelegatedDomain } from '../../gateway/tokens/delegation.rules.ts';
import { checkDomain, type DomainCheck } from './domain-check.ts';

/** A review by Google that scopes may need. */
export type ReviewStep = 'app_verification' | 'security_assessment';

/** A scope of the integration, and the reviews that it requires. */
export interface ScopeReadiness extends ScopeDefinition {
  readonly reviews: readonly ReviewStep[];
}

/** One thing that going live takes. */
export interface ReadinessStep {
  readonly id:
    | 'own_client'
    | 'redirect_uri'
    | 'publish_app'
    | 'own_domain'
    | 'permitted_app'
    | ReviewStep
    | 'listed'
    | 'enable_services'
    | 'marked_client'
    | 'live_mode';
  /** Whether this integration needs it at all. */
  readonly needed: boolean;
  /** Undefined where only Google's console shows it. */
  readonly done: boolean | undefined;
  readonly what: string;
}

/** A way round a review. */
export interface Alternative {
  /** Scopes of the integration that it replaces. */
  readonly insteadOf: readonly string[];
  readonly scope: string;
  readonly what: string;
}

/** How close an integration is to production. */
export interface ReadinessReport {
  /** True when every required step that can be checked from here is done. */
  readonly ready: boolean;
  /** As declared by the integration, and set at Google. */
  readonly publishingStatus: Integration['publishingStatus'];
  readonly audience: Integration['audience'];
  readonly redirectUri: string;
  /** Only for front ends whose own libraries require one: the gateway needs none. */
  readonly javascriptOrigin: string;
  /** Capabilities limited by the gateway's current address. */
  readonly domain: DomainCheck;
  readonly scopes: readonly ScopeReadiness[];
  readonly strictestClass: ReviewClass;
  readonly steps: readonly ReadinessStep[];
  /** Alternative scopes with fewer reviews. */
  readonly alternatives: readonly Alternative[];
  /** Coming failures while nothing changes. */
  readonly risks: readonly string[];
  /** Undefined for an integration that is not agentic. */
  readonly marked: MarkedReadiness | undefined;
}

/** What is known of an agentic integration from its own use, and what nobody has tried (GA-29). */
export interface MarkedReadiness {
  readonly seen: readonly string[];
  readonly untried: readonly string[];
}

const WITHOUT_SECOND_FACTOR =
  'Operators may sign in to the dashboard with a password alone, and govern every connection there. Deploy with gateway:operatorMfa=required: at the next sign-in each sets up an authenticator app.';

const CLASSES: readonly ReviewClass[] = ['non-sensitive', 'sensitive', 'restricted'];
const REVIEWS: Readonly<Record<ReviewClass, readonly ReviewStep[]>> = {
  'non-sensitive': [],
  sensitive: ['app_verification'],
  restricted: ['app_verification', 'security_assessment'],
};

/**
 * Steps that going live still requires (Google, "OAuth App Verification", "Restricted scope verification"): internal apps need no
 * review; external ones do for sensitive scopes, and a yearly security assessment for restricted ones.
 */
export function reportReadiness(
  integration: Integration,
  provider: Provider,
  redirectUri: string,
  operatorMfa: OperatorMfa | undefined,
  nowEpochSec = 0,
  domains: readonly Pick<DelegatedDomain, 'domain' | 'status'>[] = [],
): ReadinessReport {
  /** With a service account there is no consent, and therefore no client, address or status to set. */
  const consents = integration.delegation === undefined;
  const wanted = new Set(integration.scopes.map(canonicalScope));
  const { server } = provider;
  const isReviewedThere = server.grants.hasTestingMode === true;
  const external = isReviewedThere && integration.audience === 'external';
  const scopes = provider.scopes
    .filter(({ scope }) => wanted.has(canonicalScope(scope)))
    .map((one) => ({ ...one, reviews: external ? REVIEWS[one.reviewClass] : [] }));
  const strictest = Math.max(0, ...scopes.map(({ reviewClass }) => CLASSES.indexOf(reviewClass)));
  const strictestClass = CLASSES[strictest] ?? 'non-sensitive';
  const isReviewed = (step: ReviewStep): boolean => scopes.some(({ reviews }) => reviews.includes(step));
  const restricted = scopes.filter(({ reviews }) => reviews.includes('security_assessment'));
  const ownClient = integration.credentialsSource === 'own';
  const published = integration.publishingStatus === 'production';
  const domain = checkDomain(redirectUri, isReviewedThere);
  const steps: ReadinessStep[] = [
    ...markedSteps(integration, provider),
    {
      id: 'own_client',
      needed: consents,
      done: ownClient,
      what: isReviewedThere
        ? 'Create an OAuth client of the type Web application in your own Google Cloud project and set it in this integration.'
        : `Create your own OAuth client at ${server.displayName} (${provider.console.clientsUrl}) and set it in this integration.`,
    },
    {
      id: 'redirect_uri',
      needed: consents,
      done: undefined,
      what: `Register ${redirectUri} as a redirect URI of that client.`,
    },
    {
      id: 'publish_app',
      needed: external && consents,
      done: published,
      what: 'Set the publishing status of the app to In production in the Google Cloud console, then also here (publishing_status).',
    },
    listedStep(consents, domains),
    {
      id: 'own_domain',
      needed: consents && isReviewed('app_verification'),
      done: domain.own ? undefined : false,
      what: 'Serve the gateway under your own domain: Google verifies only apps on domains whose ownership has been proven.',
    },
    {
      id: 'permitted_app',
      needed: restricted.length > 0 && provider.restrictedScopes !== undefined,
      done: undefined,
      what: `Make sure that your kind of app is allowed to have restricted scopes. ${provider.restrictedScopes?.permittedApps ?? ''}`.trim(),
    },
    {
      id: 'app_verification',
      needed: isReviewed('app_verification'),
      done: undefined,
      what: 'Have Google verify the app, because its scopes are sensitive or restricted. Apps for at most 100 people you know are exempt. The steps in order: docs/go-live.md.',
    },
    {
      id: 'security_assessment',
      needed: isReviewed('security_assessment'),
      done: undefined,
      what: 'Pass the yearly security assessment (CASA), which is required for restricted scopes when data passes through a server. What to expect: docs/go-live.md.',
    },
    {
      id: 'live_mode',
      needed: consents,
      done: integration.mode === 'live',
      what: 'Set mode to live. While it is set, test credentials are refused.',
    },
  ];
  return {
    ready: steps.every(({ needed, done }) => !needed || done !== false),
    publishingStatus: integration.publishingStatus,
    audience: integration.audience,
    redirectUri,
    javascriptOrigin: new URL(redirectUri).origin,
    domain,
    scopes,
    strictestClass,
    steps,
    // Without a file picker, a scope for picked files opens none.
    alternatives: consents ? alternativesTo(restricted, provider) : [],
    risks: [
      ...testingRisk(integration),
      ...oldKeyRisk(integration, nowEpochSec),
      ...(consents ? risksOf(external, published, ownClient, strictestClass) : []),
      ...(operatorMfa === 'optional' ? [WITHOUT_SECOND_FACTOR] : []),
    ],
    marked: markedReadiness(integration),
  };
}

/** What an agentic integration needs at Google before its client is made (GA-29). */
function markedSteps({ agentic, clientId }: Integration, { console, displayName }: Provider): ReadinessStep[] {
  if (agentic !== true) return [];
  const services = [console.enableApiUrl, console.enableToolServerUrl].filter((url) => url !== undefined);
  return [
    {
      id: 'enable_services',
      needed: true,
      done: undefined,
      what: `Enable two services for ${displayName} in the Cloud project of the OAuth client: ${services.join(' and ')}.`,
    },
    {
      id: 'marked_client',
      needed: true,
      done: undefined,
      what: `Check that the OAuth client ${clientId ?? ''} is marked “Use this client for an AI-powered agent”. The mark is set when a client is created and cannot be set later: without it, create another client and another integration.`,
    },
  ];
}

function markedReadiness({ agentic, clientWorksSinceEpochSec }: Integration): MarkedReadiness | undefined {
  if (agentic !== true) return undefined;
  return {
    seen:
      clientWorksSinceEpochSec === undefined
        ? []
        : [
            `Google has accepted the OAuth client since ${new Date(clientWorksSinceEpochSec * 1000).toISOString()}: users connect, and tokens are refreshed.`,
          ],
    untried: [
      'Nobody has run this version of the gateway against Google’s real MCP servers. Its tests use a simulated one.',
      'Which tools count several times against Google’s daily quota is not known.',
    ],
  };
}

/** Whether the administrators of all checked or used domains list the service account. */
function listedStep(consents: boolean, domains: readonly Pick<DelegatedDomain, 'domain' | 'status'>[]): ReadinessStep {
  const lost = domains.filter(({ status }) => status === 'lost').map(({ domain }) => domain);
  const isListed = domains.some(({ status }) => status === 'granted');
  return {
    id: 'listed',
    needed: !consents,
    done: lost.length > 0 ? false : isListed ? true : undefined,
    what: `Have the administrator of each domain list the service account, and check it (POST /connect/sessions/admin makes a link for this).${
      lost.length === 0 ? '' : ` Not listed by: ${lost.join(', ')}.`
    }`,
  };
}

/** A key that is never replaced is copied to more and more places (SA-26). */
function oldKeyRisk({ delegation }: Integration, nowEpochSec: number): string[] {
  const addedAt = delegation?.keyAddedAtEpochSec;
  if (addedAt === undefined || nowEpochSec - addedAt < SERVICE_ACCOUNT_KEY_OLD_SEC) return [];
  const since = new Date(addedAt * 1000).toISOString().slice(0, 10);
  return [
    `The key of the service account was uploaded on ${since}. Replace keys every 90 days (PATCH with delegation.key), or change to via aws, which needs none.`,
  ];
}

function alternativesTo(restricted: readonly ScopeDefinition[], provider: Provider): Alternative[] {
  const { restrictedScopes } = provider;
  if (restricted.length === 0 || restrictedScopes === undefined) return [];
  const { insteadScope, instead } = restrictedScopes;
  return [{ insteadOf: restricted.map(({ scope }) => scope), scope: insteadScope, what: instead }];
}

/** Evidence from grants overrides the integration's declaration. */
function testingRisk(integration: Integration): string[] {
  const since = treatedAsTestingSince(integration);
  if (since === undefined || isDeclaredTesting(integration)) return [];
  return [
    `Google treats this app as Testing: the consent of ${new Date(since * 1000).toISOString()} was given for seven days only. Publish the app in the Google Cloud console, or correct publishing_status here.`,
  ];
}

function risksOf(external: boolean, published: boolean, ownClient: boolean, strictestClass: ReviewClass): string[] {
  const risks: string[] = [];
  if (external && !published) {
    risks.push(
      'Google ends every grant seven days after consent while an external app is in Testing, and only listed test users may connect.',
    );
  }
  if (external && published && strictestClass !== 'non-sensitive') {
    risks.push(
      'Until the app is verified, users see a warning and at most 100 new users may connect in the lifetime of the project.',
    );
  }
  if (!ownClient) {
    risks.push(
      'Test credentials share their quota, their user limit and every revocation with all integrations that use them.',
    );
  }
  return risks;
}
