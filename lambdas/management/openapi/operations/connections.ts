import { success } from '../answers/common.ts';
import { connection, connectionList, deletedConnection, metadataEcho, searchAnswer } from '../answers/connections.ts';
import type { Operations } from '../operation.ts';
import { CONNECTION, CONNECTION_ANSWER, END_USER, INTEGRATION, LIST_ITEM } from './sample.ts';

const tag = 'Connections';
const named = { params: { connectionId: CONNECTION }, query: { provider_config_key: INTEGRATION } };
const unknown = ['unknown_integration', 'unknown_connection'] as const;
const refreshing = [
  'reauthorization_required',
  'integration_credentials_rejected',
  'token_refresh_unavailable',
] as const;
const metadata = { connection_id: CONNECTION, provider_config_key: INTEGRATION, metadata: { folder: 'reports' } };

/** Connections: listed, read, made, described, deleted. */
export const connectionOperations: Operations = {
  'GET /search': {
    id: 'search',
    tag,
    description:
      'Every word has to be part of something that is said of it: of a connection the end user’s name, e-mail and id, the organization, the provider account, the connection id, tags as key=value; of an integration its name and unique_key; of a secret key its name and id. Case and accents do not matter. Secret keys are found by whoever may list them. total counts connections; total_is_complete is false where there are more than a search finds.',
    status: 200,
    answer: searchAnswer,
    errors: [],
    example: {
      query: { q: 'first user' },
      answer: {
        data: {
          connections: [{ ...LIST_ITEM, last_used_at: null }],
          total: 1,
          total_is_complete: true,
          integrations: [],
          keys: [],
        },
      },
    },
  },
  'GET /connections': {
    id: 'listConnections',
    tag,
    description:
      'Without limit up to 2000 come at once. Follow next_cursor for more; page counts at most 10,000 connections. search and every sort but -created read the whole list first: a search finds at most 1,000 connections, a sort takes at most 2,000.',
    status: 200,
    answer: connectionList,
    errors: [],
    example: { query: { endUserId: 'user-42', limit: '50' }, answer: { connections: [LIST_ITEM], next_cursor: null } },
  },
  'POST /connections': {
    id: 'importConnection',
    tag,
    status: 201,
    answer: connection,
    errors: ['unknown_integration', 'conflict', 'integration_credentials_rejected', 'token_refresh_unavailable'],
    example: {
      body: {
        provider_config_key: INTEGRATION,
        connection_id: CONNECTION,
        credentials: { type: 'OAUTH2', refresh_token: '1//0g-example-refresh-token' },
        end_user: END_USER,
      },
      answer: CONNECTION_ANSWER,
    },
  },
  'GET /connections/{connectionId}': {
    id: 'getConnection',
    tag,
    description:
      'credentials is empty unless the secret key may read credentials. A dead grant is shown with its diagnosis; only a key that may read credentials gets 424 for it.',
    status: 200,
    answer: connection,
    errors: [...unknown, ...refreshing],
    example: { ...named, answer: CONNECTION_ANSWER },
  },
  'PATCH /connections/{connectionId}': {
    id: 'updateConnection',
    tag,
    status: 200,
    answer: success,
    errors: [...unknown, 'conflict'],
    example: { ...named, body: { end_user: END_USER, tags: { plan: 'team' } }, answer: { success: true } },
  },
  'DELETE /connections/{connectionId}': {
    id: 'deleteConnection',
    tag,
    description:
      'Tokens are erased at once. Ending the grant at the provider ends every connection that shares it: revoke=true refuses with conflict and names them, or with account_not_known where nobody knows whose grant it is; revoke=if_last leaves a shared grant alone, revoke=force ends it for all.',
    status: 200,
    answer: deletedConnection,
    errors: [...unknown, 'conflict', 'account_not_known'],
    example: {
      ...named,
      answer: {
        success: true,
        revocation: { status: 'not_requested', reason: null, retry_at: null, shares_grant_with: null },
      },
    },
  },
  'POST /connections/metadata': {
    id: 'setMetadata',
    tag,
    status: 201,
    answer: metadataEcho,
    errors: [...unknown, 'conflict'],
    example: { body: metadata, answer: metadata },
  },
  'PATCH /connections/metadata': {
    id: 'updateMetadata',
    tag,
    description: 'Merges one level deep. One unknown connection changes none.',
    status: 200,
    answer: metadataEcho,
    errors: [...unknown, 'conflict'],
    example: { body: metadata, answer: metadata },
  },
};
