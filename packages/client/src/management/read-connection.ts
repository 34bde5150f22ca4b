import type { ConnectionDiagnosis } from '../errors.ts';
import { diagnosis } from '../http/answer-error.ts';
import {
  type Fields,
  number,
  optionalBoolean,
  optionalFields,
  optionalNumber,
  optionalText,
  recordList,
  text,
  textList,
  textRecord,
  type Unread,
} from '../http/fields.ts';
import { readBudget } from './budget.ts';
import type {
  CallFault,
  Connection,
  ConnectionCheck,
  ConnectionEvent,
  ConnectionForecasts,
  ConnectionHealth,
  ConnectionSummary,
  Credentials,
  EndUser,
  Findings,
  Organization,
  RefreshRefusal,
  Revocation,
  TriedCall,
} from './connection-types.ts';
import type * as wire from './wire.ts';

/** A connection of a list. @throws UnexpectedAnswerError */
export function readConnectionSummary(fields: Unread<wire.ConnectionListItem>): ConnectionSummary {
  return {
    ...shared(fields),
    createdAt: text(fields, 'created'),
    health: readHealth(optionalFields(fields, 'health')),
    lastUsedAt: optionalText(fields, 'last_used_at'),
  };
}

/** Results of one search over the account. @throws UnexpectedAnswerError */
export function readFindings(fields: Unread<wire.SearchAnswer['data']>): Findings {
  return {
    connections: recordList(fields, 'connections').map(readConnectionSummary),
    total: number(fields, 'total'),
    totalIsComplete: fields.total_is_complete === true,
    integrations: recordList(fields, 'integrations').map((one) => ({
      uniqueKey: text(one, 'unique_key'),
      displayName: text(one, 'display_name'),
      provider: text(one, 'provider'),
    })),
    keys: recordList(fields, 'keys').map((one) => ({
      id: text(one, 'id'),
      name: text(one, 'name'),
      right: text(one, 'right'),
      revokedAt: optionalText(one, 'revoked_at'),
    })),
  };
}

/** A connection by itself. @throws UnexpectedAnswerError */
export function readConnection(fields: Unread<wire.Connection>): Connection {
  return {
    ...shared(fields),
    createdAt: text(fields, 'created_at'),
    updatedAt: text(fields, 'updated_at'),
    diagnosis: readDiagnosis(optionalFields(fields, 'death')),
    requestedScopes: textList(fields, 'requested_scopes'),
    grantedScopes: textList(fields, 'granted_scopes'),
    missingScopes: textList(fields, 'missing_scopes'),
    consentedAt: optionalText(fields, 'consented_at'),
    accessTokenExpiresAt: optionalText(fields, 'access_token_expires_at'),
    lastUsedAt: optionalText(fields, 'last_used_at'),
    lastRefreshedAt: optionalText(fields, 'last_refreshed_at'),
    health: readHealth(optionalFields(fields, 'health')),
    refreshRefusal: readRefusal(optionalFields(fields, 'refresh_refusal')),
    budget: readBudget(fields),
    callFault: readCallFault(optionalFields(fields, 'call_fault')),
    sharesGrantWith: optionalNumber(fields, 'shares_grant_with'),
    forecasts: readForecasts(optionalFields(fields, 'forecasts')),
    credentials: readCredentials(optionalFields(fields, 'credentials')),
  };
}

function readHealth(fields: Fields | undefined): ConnectionHealth | undefined {
  if (fields === undefined) return undefined;
  return {
    status: text(fields, 'status'),
    reason: optionalText(fields, 'reason'),
    certain: optionalBoolean(fields, 'certain'),
    since: optionalText(fields, 'since'),
    endsAt: optionalText(fields, 'ends_at'),
  };
}

function readRefusal(fields: Fields | undefined): RefreshRefusal | undefined {
  if (fields === undefined) return undefined;
  return {
    providerError: text(fields, 'provider_error'),
    whatHappened: text(fields, 'what_happened'),
    remedy: text(fields, 'remedy'),
    since: text(fields, 'since'),
  };
}

function readCallFault(fields: Fields | undefined): CallFault | undefined {
  if (fields === undefined) return undefined;
  return {
    reason: text(fields, 'reason'),
    whatHappened: text(fields, 'what_happened'),
    who: text(fields, 'who'),
    remedy: text(fields, 'remedy'),
    consoleUrl: optionalText(fields, 'console_url'),
    since: text(fields, 'since'),
  };
}

/** The report on a grant after its connection was deleted. */
export function readRevocation(fields: Unread<wire.DeletedConnection['revocation']> | undefined): Revocation {
  return {
    status: optionalText(fields, 'status') ?? 'not_requested',
    reason: optionalText(fields, 'reason'),
    retryAt: optionalText(fields, 'retry_at'),
    sharesGrantWith: optionalNumber(fields, 'shares_grant_with'),
  };
}

/** Result of a check. @throws UnexpectedAnswerError */
export function readCheck(fields: Unread<wire.ConnectionCheck['data']>): ConnectionCheck {
  return {
    works: fields.works === true,
    reason: text(fields, 'reason'),
    message: text(fields, 'message'),
    who: optionalText(fields, 'who'),
    remedy: optionalText(fields, 'remedy'),
    upstreamStatus: optionalNumber(fields, 'upstream_status'),
    diagnosis: readDiagnosis(optionalFields(fields, 'connection')),
  };
}

/** The answer to a tried call. @throws UnexpectedAnswerError */
export function readTriedCall(fields: Unread<wire.TriedCall['data']>): TriedCall {
  return {
    status: number(fields, 'status'),
    headers: textRecord(fields, 'headers'),
    contentType: optionalText(fields, 'content_type'),
    body: text(fields, 'body'),
    truncated: optionalBoolean(fields, 'truncated') ?? false,
    durationMs: number(fields, 'duration_ms'),
  };
}

/** One event of a timeline. @throws UnexpectedAnswerError */
export function readEvent(fields: Unread<wire.ConnectionEvent>): ConnectionEvent {
  return {
    eventId: text(fields, 'event_id'),
    type: text(fields, 'type'),
    sequence: number(fields, 'sequence'),
    time: text(fields, 'time'),
    endUserId: optionalText(fields, 'end_user_id'),
    cause: optionalText(fields, 'cause'),
    remedy: optionalText(fields, 'remedy'),
    actor: optionalText(fields, 'actor'),
    actorName: optionalText(fields, 'actor_name'),
    requestId: optionalText(fields, 'request_id'),
    data: textRecord(fields, 'data'),
  };
}

/** An end user, or undefined where a connection has none. @throws UnexpectedAnswerError */
export function readEndUser(fields: Unread<wire.EndUser> | undefined): ConnectionSummary['endUser'] {
  if (fields === undefined) return undefined;
  const organization = optionalFields(fields, 'organization');
  return {
    id: text(fields, 'id'),
    ...member('email', optionalText(fields, 'email')),
    ...member('displayName', optionalText(fields, 'display_name')),
    ...(optionalFields(fields, 'tags') === undefined ? {} : { tags: textRecord(fields, 'tags') }),
    ...(organization === undefined ? {} : { organization: readOrganization(organization) }),
  };
}

/** An end user in the API's spelling. */
export function endUserOnTheWire(endUser: EndUser | undefined): Fields | undefined {
  if (endUser === undefined) return undefined;
  return { id: endUser.id, email: endUser.email, display_name: endUser.displayName, tags: endUser.tags };
}

/** An organization in the API's spelling. */
export function organizationOnTheWire(organization: Organization | undefined): Fields | undefined {
  return organization && { id: organization.id, display_name: organization.displayName };
}

function shared(fields: Unread<wire.ConnectionListItem | wire.Connection>): Omit<ConnectionSummary, 'createdAt'> {
  const account = optionalFields(fields, 'provider_account');
  return {
    id: number(fields, 'id'),
    connectionId: text(fields, 'connection_id'),
    providerConfigKey: text(fields, 'provider_config_key'),
    provider: text(fields, 'provider'),
    status: text(fields, 'status'),
    cause: optionalText(fields, 'cause'),
    endUser: readEndUser(optionalFields(fields, 'end_user')),
    tags: textRecord(fields, 'tags'),
    metadata: optionalFields(fields, 'metadata'),
    providerAccount:
      account === undefined ? undefined : { subject: text(account, 'subject'), email: optionalText(account, 'email') },
  };
}

function readOrganization(fields: Unread<NonNullable<wire.EndUser['organization']>>): Organization {
  return { id: text(fields, 'id'), ...member('displayName', optionalText(fields, 'display_name')) };
}

function readDiagnosis(fields: Fields | undefined): ConnectionDiagnosis | undefined {
  return fields === undefined ? undefined : diagnosis(fields);
}

function readForecasts(fields: Unread<wire.Connection['forecasts']> | undefined): ConnectionForecasts {
  const limit = optionalFields(fields, 'refresh_token_limit');
  return {
    testingModeEndsAt: optionalText(fields, 'testing_mode_ends_at'),
    accessEndsAt: optionalText(fields, 'access_ends_at'),
    refreshTokenLimit: limit === undefined ? undefined : { live: number(limit, 'live'), limit: number(limit, 'limit') },
  };
}

function readCredentials(fields: Unread<wire.Credentials> | undefined): Credentials | undefined {
  const accessToken = optionalText(fields, 'access_token');
  if (fields === undefined || accessToken === undefined) return undefined;
  return { accessToken, expiresAt: text(fields, 'expires_at'), refreshToken: optionalText(fields, 'refresh_token') };
}

function member<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  const record: { [Key in Name]?: string } = {};
  if (value !== undefined) record[name] = value;
  return record;
}
