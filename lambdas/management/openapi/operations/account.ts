import {
  createdKey,
  createdSession,
  health,
  keyList,
  providerAnswer,
  providerList,
  testCredentials,
} from '../answers/account.ts';
import { anyObject, success } from '../answers/common.ts';
import { confirmedConnection } from '../answers/connections.ts';
import type { Operations } from '../operation.ts';
import { CONNECTION, END_USER, INTEGRATION, KEY_ANSWER, LIST_ITEM, SCOPE, SESSION_ANSWER } from './sample.ts';

const PROVIDER = {
  name: 'google-drive',
  display_name: 'Google Drive',
  auth_mode: 'OAUTH2',
  logo_url: 'https://ssl.gstatic.com/images/branding/product/2x/drive_2020q4_48dp.png',
  docs: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  categories: ['storage'],
  default_scopes: [SCOPE.scope],
  recommended_scopes: ['https://www.googleapis.com/auth/drive.file'],
  has_picker: true,
  scopes: [SCOPE],
};
const TEST_CLIENT = '123456789012-test.apps.googleusercontent.com';
const TEST_CREDENTIALS = { provider: 'google-drive', configured: true, client_id: TEST_CLIENT };

/** The catalogue, connect sessions, secret keys, test credentials. */
export const accountOperations: Operations = {
  'GET /providers': {
    id: 'listProviders',
    tag: 'Providers',
    status: 200,
    answer: providerList,
    errors: [],
    example: { query: { search: 'drive' }, answer: { data: [PROVIDER] } },
  },
  'GET /providers/{provider}': {
    id: 'getProvider',
    tag: 'Providers',
    status: 200,
    answer: providerAnswer,
    errors: ['not_found'],
    example: { params: { provider: 'google-drive' }, answer: { data: PROVIDER } },
  },
  'POST /connect/sessions': {
    id: 'createConnectSession',
    tag: 'Connect sessions',
    description:
      'The session lives 30 minutes and yields at most one connection. Without allowed_integrations the user chooses among all. With confirm, what comes of it waits until POST /connect/sessions/confirm. With pick, the user selects files in Google Drive for drive.file: for the connection_id it names, or for a new connection; GET /connect/session then says which as picked. A pick names one integration in allowed_integrations.',
    status: 201,
    answer: createdSession,
    errors: [],
    example: { body: { end_user: END_USER, allowed_integrations: [INTEGRATION] }, answer: SESSION_ANSWER },
  },
  'POST /connect/sessions/reconnect': {
    id: 'createReconnectSession',
    tag: 'Connect sessions',
    status: 201,
    answer: createdSession,
    errors: [],
    example: { body: { integration_id: INTEGRATION, connection_id: CONNECTION }, answer: SESSION_ANSWER },
  },
  'POST /connect/sessions/confirm': {
    id: 'confirmConnection',
    tag: 'Connect sessions',
    description:
      'For sessions made with confirm: true. The browser that finished brings a handle to your app, as confirmation_handle of the return URL or as confirmationHandle of connect(); send it within 15 minutes, with the id of the user who is signed in to your app in that browser. Another user than the session was made for: 409, and the access is taken back. A handle counts once.',
    status: 200,
    answer: confirmedConnection,
    errors: ['not_found', 'conflict', 'unknown_integration'],
    example: {
      body: { handle: `cf_${'A'.repeat(86)}`, end_user_id: END_USER.id },
      answer: { data: { ...LIST_ITEM, missing_scopes: [], is_reconnect: false } },
    },
  },
  'GET /account/keys': {
    id: 'listSecretKeys',
    tag: 'Secret keys',
    status: 200,
    answer: keyList,
    errors: [],
    example: { answer: { data: [KEY_ANSWER], next_cursor: null } },
  },
  'POST /account/keys': {
    id: 'createSecretKey',
    tag: 'Secret keys',
    description:
      'A right is given only by who has it: can_read_credentials is for operators, and for keys that have it themselves.',
    status: 201,
    answer: createdKey,
    errors: ['conflict'],
    example: {
      body: { name: 'Nightly export', right: 'read' },
      answer: { data: { ...KEY_ANSWER, secret_key: 'sk_default_ExampleOnlyExampleOnlyExampleOnlyExampleOnl' } },
    },
  },
  'DELETE /account/keys/{keyId}': {
    id: 'revokeSecretKey',
    tag: 'Secret keys',
    status: 200,
    answer: success,
    errors: ['not_found', 'conflict'],
    example: { params: { keyId: KEY_ANSWER.id }, answer: { success: true } },
  },
  'GET /test-credentials/{provider}': {
    id: 'getTestCredentials',
    tag: 'Test credentials',
    status: 200,
    answer: testCredentials,
    errors: ['not_found'],
    example: { params: { provider: 'google-drive' }, answer: { data: TEST_CREDENTIALS } },
  },
  'PUT /test-credentials/{provider}': {
    id: 'setTestCredentials',
    tag: 'Test credentials',
    description:
      'Running functions take the new client over within five minutes. Connections made with another client end: their users connect again.',
    status: 200,
    answer: testCredentials,
    errors: ['not_found', 'service_unavailable'],
    example: {
      params: { provider: 'google-drive' },
      body: { client_id: TEST_CLIENT, client_secret: 'GOCSPX-example' },
      answer: { data: TEST_CREDENTIALS },
    },
  },
  'DELETE /test-credentials/{provider}': {
    id: 'deleteTestCredentials',
    tag: 'Test credentials',
    status: 200,
    answer: success,
    errors: ['not_found', 'service_unavailable'],
    example: { params: { provider: 'google-drive' }, answer: { success: true } },
  },
  'GET /openapi.json': {
    id: 'openApiDocument',
    tag: 'Service',
    status: 200,
    answer: anyObject,
    errors: [],
    example: { answer: { openapi: '3.1.0', info: {}, paths: {} } },
  },
  'GET /docs': { id: 'referencePage', tag: 'Service', status: 200, answer: 'html', errors: [], example: {} },
  'GET /docs/reference.js': {
    id: 'referenceScript',
    tag: 'Service',
    status: 200,
    answer: 'javascript',
    errors: [],
    example: {},
  },
  'GET /healthz': {
    id: 'health',
    tag: 'Service',
    status: 200,
    answer: health,
    errors: [],
    example: { answer: { status: 'ok' } },
  },
};
