import type * as z from 'zod';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import type { Components, Json } from './json-schema.ts';
import type { Example } from './operation.ts';

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  connectionId: 'Id of the connection within its integration, percent-encoded.',
  integrationId: 'The integration’s unique_key, percent-encoded.',
  batchId: 'The batch’s id.',
  keyId: 'The id from GET /account/keys: SHA-256 of the key in hex.',
  requestId: 'x-request-id of the answer, or request_id of its error.',
  provider: `${new Intl.ListFormat('en', { type: 'disjunction' }).format(PROVIDER_IDS)}.`,
};

/** Descriptions of query parameters whose name is not enough. */
const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  provider_config_key: 'The unique_key of the connection’s integration.',
  q: 'Words; each must be part of a text of the result.',
  search:
    'Words; each must be part of the end user’s name, e-mail or id, the organization, the provider account, the connection id, or a tag as key=value.',
  sort: 'Order; - reverses it. The default is -created, newest first.',
  end_user_id: 'Your id of the end user: that of end_user, or of the tag end_user_id where there is no end_user.',
  end_user_organization_id: 'Only connections of this organization.',
  status: 'Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.',
  since: 'Only entries that happened, or ended, at or after this time (ISO 8601).',
  until: 'Only entries before this time (ISO 8601).',
  actor: 'An actor such as key:f3a1c5d2e4b6, a kind of actor (operator, key, session, gateway), or a name.',
  object: 'Id of an integration, a connection or an end user, or key: followed by the id of a secret key.',
  type: 'One type of event.',
  by: 'Whose calls are counted.',
  connection_id: 'Only the connections with this id.',
  cause: 'Only connections that need a new authorization for this reason.',
  tags: 'Only connections with all of these: tags[key]=value.',
  limit: 'Maximum number of results.',
  page: 'Starts at 0; for long lists, use cursor.',
  cursor: 'next_cursor of the previous page.',
  force_refresh: 'Refresh the access token first.',
  refresh_token: 'Also return the refresh token; only for keys that may read credentials.',
  refresh_github_app_jwt_token: 'Accepted for compatibility; has no effect.',
  revoke:
    'Also revoke the grant at the provider. If other connections share the grant: true refuses and names them, if_last keeps the grant, force revokes it for all. For a whole integration, true means force.',
  include: 'Additional parts of the answer.',
};

/** Path and query parameters of an operation. */
export function parameters(
  pattern: string,
  query: z.ZodType | undefined,
  example: Example,
  components: Components,
): Json[] {
  const inPath = [...pattern.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Json => ({
      name,
      in: 'path',
      required: true,
      ...described(PATH_PARAMETERS[name]),
      schema: { type: 'string' },
      ...exampled(example.params?.[name]),
    }),
  );
  const schema = query === undefined ? {} : components.inline(query, 'input');
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members: object = typeof schema.properties === 'object' && schema.properties !== null ? schema.properties : {};
  const inQuery = Object.entries(members).map(
    ([name, member]): Json => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...described(ownDescription(member) ?? QUERY_PARAMETERS[name]),
      ...(isDeprecated(member) ? { deprecated: true } : {}),
      ...(name === 'tags' ? { style: 'deepObject', explode: true } : {}),
      schema: member,
      ...exampled(isWhole(member) ? numberIn(example.query?.[name]) : example.query?.[name]),
    }),
  );
  return [...inPath, ...inQuery];
}

function described(description: string | undefined): Json {
  return description === undefined ? {} : { description };
}

function ownDescription(schema: unknown): string | undefined {
  const isDescribed = typeof schema === 'object' && schema !== null && 'description' in schema;
  return isDescribed && typeof schema.description === 'string' ? schema.description : undefined;
}

function isDeprecated(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'deprecated' in schema && schema.deprecated === true;
}

function isWhole(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'integer';
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function exampled(example: string | number | undefined): Json {
  return example === undefined ? {} : { example };
}
