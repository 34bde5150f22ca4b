import { READINESS_READERS } from '../features/readiness-readers.ts';
import {
  optionalBoolean,
  optionalFields,
  optionalText,
  recordList,
  text,
  textList,
  textRecord,
  type Unread,
} from '../http/fields.ts';
import { readBudget } from './budget.ts';
import { readDelegation } from './delegation.ts';
import { readByAll } from './feature-slots.ts';
import type {
  AgentReadiness,
  CredentialsFault,
  DomainReadiness,
  Integration,
  IntegrationHealth,
  Readiness,
  ReviewedScope,
} from './integration-types.ts';
import { readManagedBy } from './managed-by.ts';
import { readQuota } from './own-quota.ts';
import type * as wire from './wire.ts';

/** An integration. @throws UnexpectedAnswerError */
export function readIntegration(
  fields: Unread<wire.Integration & Pick<wire.ChangedIntegration, 'warnings'>>,
): Integration {
  return {
    uniqueKey: text(fields, 'unique_key'),
    provider: text(fields, 'provider'),
    displayName: text(fields, 'display_name'),
    publicName: optionalText(fields, 'public_name'),
    publicNames: optionalFields(fields, 'public_names') && textRecord(fields, 'public_names'),
    logo: text(fields, 'logo'),
    scopes: textList(fields, 'scopes'),
    kind: optionalText(fields, 'kind'),
    delegation: readDelegation(optionalFields(fields, 'delegation')),
    credentialsSource: optionalText(fields, 'credentials_source'),
    publishingStatus: optionalText(fields, 'publishing_status'),
    audience: optionalText(fields, 'audience'),
    mode: optionalText(fields, 'mode'),
    includeGrantedScopes: optionalBoolean(fields, 'include_granted_scopes'),
    hostedDomain: optionalText(fields, 'hosted_domain'),
    agentic: optionalBoolean(fields, 'agentic'),
    budget: readBudget(fields),
    quota: readQuota(fields),
    managedBy: readManagedBy(fields),
    testingSeenAt: optionalText(fields, 'testing_seen_at'),
    credentialsFault: readFault(optionalFields(fields, 'credentials_fault')),
    health: readHealth(optionalFields(fields, 'health')),
    clientId: optionalText(optionalFields(fields, 'credentials'), 'client_id'),
    createdAt: text(fields, 'created_at'),
    updatedAt: text(fields, 'updated_at'),
    warnings: recordList(fields, 'warnings').map((warning) => text(warning, 'message')),
  };
}

function readFault(
  fields: Unread<NonNullable<wire.Integration['credentials_fault']>> | undefined,
): CredentialsFault | undefined {
  if (fields === undefined) return undefined;
  return { error: text(fields, 'error'), since: text(fields, 'since'), retryAt: optionalText(fields, 'retry_at') };
}

function readHealth(fields: Unread<wire.Integration['health']> | undefined): IntegrationHealth | undefined {
  if (fields === undefined) return undefined;
  return {
    status: text(fields, 'status'),
    reason: optionalText(fields, 'reason'),
    certain: optionalBoolean(fields, 'certain'),
    since: optionalText(fields, 'since'),
    who: optionalText(fields, 'who'),
    remedy: optionalText(fields, 'remedy'),
  };
}

/** A readiness report. @throws UnexpectedAnswerError */
export function readReadiness(fields: Unread<wire.Readiness['data']>): Readiness {
  return {
    ready: fields.ready === true,
    publishingStatus: optionalText(fields, 'publishing_status'),
    audience: optionalText(fields, 'audience'),
    redirectUri: text(fields, 'redirect_uri'),
    javascriptOrigin: optionalText(fields, 'javascript_origin'),
    domain: readDomain(optionalFields(fields, 'domain')),
    securityEvents: undefined,
    strictestClass: text(fields, 'strictest_class'),
    scopes: recordList(fields, 'scopes').map((scope) => ({ ...readScope(scope), reviews: textList(scope, 'reviews') })),
    steps: recordList(fields, 'steps').map((step) => ({
      id: text(step, 'id'),
      needed: step.needed === true,
      done: optionalBoolean(step, 'done'),
      what: text(step, 'what'),
    })),
    alternatives: recordList(fields, 'alternatives').map((one) => ({
      insteadOf: textList(one, 'instead_of'),
      scope: text(one, 'scope'),
      what: text(one, 'what'),
    })),
    risks: textList(fields, 'risks'),
    agents: readAgents(optionalFields(fields, 'agents')),
    ...readByAll(READINESS_READERS, fields),
  };
}

function readAgents(
  fields: Unread<NonNullable<wire.Readiness['data']['agents']>> | undefined,
): AgentReadiness | undefined {
  return fields && { seen: textList(fields, 'seen'), untried: textList(fields, 'untried') };
}

function readDomain(fields: Unread<wire.Readiness['data']['domain']> | undefined): DomainReadiness | undefined {
  if (fields === undefined) return undefined;
  const losses = recordList(fields, 'losses').map((one) => ({
    capability: text(one, 'capability'),
    needs: text(one, 'needs'),
    what: text(one, 'what'),
  }));
  return { host: text(fields, 'host'), own: fields.own === true, losses };
}

/** A scope of a catalogue or a report. @throws UnexpectedAnswerError */
export function readScope(fields: Unread<wire.Scope>): ReviewedScope {
  return {
    scope: text(fields, 'scope'),
    reviewClass: text(fields, 'review_class'),
    meaning: optionalText(fields, 'meaning') ?? '',
  };
}
