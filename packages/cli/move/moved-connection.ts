import { type Fields, isFields } from '../../client/src/http/fields.ts';
import type {
  Connection,
  ConnectionImport,
  ConnectionRef,
  ConnectionSummary,
  EndUser,
  Organization,
  SubjectConnection,
} from '../../client/src/index.ts';
import { given } from '../options.ts';

/** A connection with its refresh token, as one line of an export holds it and an import takes it. */
export type MovedGrant = ConnectionImport & ConnectionRef;

/** The same of any connection: one for whose user a service account acts has no token to take along, and names the user. */
export type MovedConnection = MovedGrant | SubjectConnection;

/** Identifies a connection in a file: a user of a service account is connected once. */
export function identityOf(connection: ConnectionRef | SubjectConnection): string {
  const { providerConfigKey } = connection;
  return 'subject' in connection
    ? JSON.stringify([providerConfigKey, 'subject', connection.subject.toLowerCase()])
    : JSON.stringify([providerConfigKey, connection.connectionId]);
}

/**
 * One line of an export: the body of `POST /connections`, so that nothing but a loop and curl is needed to read it back.
 *
 * @returns undefined where there is no refresh token to take along
 */
export function lineOf(connection: Connection): string | undefined {
  const refreshToken = connection.credentials?.refreshToken;
  if (refreshToken === undefined) return undefined;
  return JSON.stringify({
    provider_config_key: connection.providerConfigKey,
    connection_id: connection.connectionId,
    credentials: { type: 'OAUTH2', refresh_token: refreshToken },
    consented_at: connection.consentedAt,
    ...described(connection),
  });
}

/**
 * The line of a connection for whose user a service account acts, likewise the body of `POST /connections`.
 *
 * @returns undefined where the user is not known
 */
export function subjectLineOf(connection: ConnectionSummary): string | undefined {
  const subject = connection.providerAccount?.email;
  if (subject === undefined) return undefined;
  return JSON.stringify({
    provider_config_key: connection.providerConfigKey,
    subject,
    ...described(connection),
  });
}

/** The end user, tags and metadata of a connection. */
function described({ endUser, tags, metadata }: ConnectionSummary) {
  return {
    end_user: endUser && {
      id: endUser.id,
      email: endUser.email,
      display_name: endUser.displayName,
      tags: endUser.tags,
    },
    organization: endUser?.organization && {
      id: endUser.organization.id,
      display_name: endUser.organization.displayName,
    },
    tags: withoutMirrored(tags, endUser, endUser?.organization),
    metadata,
  };
}

/**
 * Reads a line of an export of this gateway, or a connection as Nango's API gives it (`GET /connections/{id}` with its
 * refresh token). Members that mean nothing here are passed over.
 *
 * @returns the connection, or every problem of the line; no problem repeats a value
 */
export function readLine(line: string): { readonly connection: MovedConnection } | { readonly problems: string[] } {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    return { problems: ['is not valid JSON'] };
  }
  if (!isFields(fields)) return { problems: ['is not a JSON object'] };
  const problems: string[] = [];
  const providerConfigKey = needed(fields, 'provider_config_key', problems);
  const endUser = isFields(fields.end_user) ? fields.end_user : undefined;
  const organization = isFields(fields.organization) ? fields.organization : endUser?.organization;
  const user = endUser && person(endUser, problems);
  const company = isFields(organization) && user !== undefined ? employer(organization, problems) : undefined;
  const tags = tagsOf(fields.tags, 'tags', problems);
  const described = given({
    endUser: user,
    organization: company,
    tags: tags && withoutMirrored(tags, user, company),
    metadata: isFields(fields.metadata) ? fields.metadata : undefined,
  });
  const connection: MovedConnection =
    fields.subject === undefined || fields.subject === null
      ? { providerConfigKey, ...grantOf(fields, problems), ...described }
      : { providerConfigKey, subject: needed(fields, 'subject', problems), ...described };
  return problems.length > 0 ? { problems } : { connection };
}

function grantOf(fields: Fields, problems: string[]) {
  const credentials = isFields(fields.credentials) ? fields.credentials : {};
  const type = credentials.type ?? 'OAUTH2';
  if (type !== 'OAUTH2') problems.push('credentials.type must be OAUTH2');
  return {
    // Without an id a second run could not recognize existing connections.
    connectionId: needed(fields, 'connection_id', problems),
    refreshToken: needed(credentials, 'refresh_token', problems, 'credentials.'),
    // Nango has no time of consent. The user agreed when the connection was made, or later.
    ...given({ consentedAt: text(fields, 'consented_at', problems) ?? text(fields, 'created_at', problems) }),
  };
}

function person(fields: Fields, problems: string[]): EndUser {
  const at = 'end_user.';
  return {
    id: needed(fields, 'id', problems, at),
    ...given({
      email: text(fields, 'email', problems, at),
      displayName: text(fields, 'display_name', problems, at),
      tags: tagsOf(fields.tags, 'end_user.tags', problems),
    }),
  };
}

function employer(fields: Fields, problems: string[]): Organization {
  const at = 'organization.';
  const displayName = text(fields, 'display_name', problems, at);
  return { id: needed(fields, 'id', problems, at), ...given({ displayName }) };
}

function needed(fields: Fields, name: string, problems: string[], at = ''): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  problems.push(`${at}${name} must be a string`);
  return '';
}

function text(fields: Fields, name: string, problems: string[], at = ''): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  problems.push(`${at}${name} must be a string`);
  return undefined;
}

function tagsOf(value: unknown, name: string, problems: string[]): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) {
    problems.push(`${name} must be an object of strings`);
    return undefined;
  }
  const tags: Record<string, string> = {};
  for (const [key, tag] of Object.entries(value)) {
    if (typeof tag === 'string') tags[key] = tag;
    else problems.push(`${name}.${key} must be a string`);
  }
  return tags;
}

/** Without the tags that only repeat the end user, because an import creates them again and their number is limited. */
function withoutMirrored(
  tags: Readonly<Record<string, string>>,
  user: EndUser | undefined,
  organization: Organization | undefined,
): Record<string, string> {
  const mirror: Readonly<Record<string, string | undefined>> = {
    end_user_id: user?.id,
    end_user_email: user?.email,
    end_user_display_name: user?.displayName,
    organization_id: organization?.id,
    organization_display_name: organization?.displayName,
  };
  return Object.fromEntries(Object.entries(tags).filter(([key, value]) => mirror[key] !== value));
}
