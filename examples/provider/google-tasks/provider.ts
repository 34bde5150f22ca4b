import { GOOGLE_IDENTITY_SCOPES, GOOGLE_SCOPE_PREFIX, googleScope } from '../google/scopes.ts';
import { GOOGLE_CLIENTS_URL, google } from '../google/server.ts';
import type { ProviderDefinition } from '../provider.rules.ts';

/** Google Tasks API v1. Scopes: "OAuth 2.0 Scopes for Google APIs", developers.google.com. */
export const provider: ProviderDefinition<'google-tasks'> = {
  id: 'google-tasks',
  displayName: 'Google Tasks',
  place: 3,
  docsUrl: 'https://developers.google.com/workspace/tasks/reference/rest',
  logoUrl: 'https://www.gstatic.com/images/branding/product/2x/tasks_48dp.png',
  categories: ['productivity'],
  server: google,
  console: {
    clientsUrl: GOOGLE_CLIENTS_URL,
    enableApiUrl: 'https://console.cloud.google.com/apis/library/tasks.googleapis.com',
  },
  otherOrigins: { tasks: 'https://tasks.googleapis.com' },
  apiPaths: [{ prefix: '/tasks/v1/', origin: 'tasks' }],
  uploadPathPrefixes: [],
  batchPaths: [],
  batchMaxParts: 0,
  batchPartPrefixes: [],
  defaultScopes: [`${GOOGLE_SCOPE_PREFIX}tasks.readonly`],
  pathPatterns: [
    '/tasks/v1/users/@me/lists',
    '/tasks/v1/users/@me/lists/{}',
    '/tasks/v1/lists/{}/tasks',
    '/tasks/v1/lists/{}/tasks/{}',
    '/tasks/v1/lists/{}/tasks/{}/move',
    '/tasks/v1/lists/{}/clear',
  ],
  healthCheckPath: '/tasks/v1/users/@me/lists?maxResults=1',
  firstCall: '/tasks/v1/users/@me/lists?maxResults=5',
  sampleCalls: [{ label: 'Task lists', target: '/tasks/v1/users/@me/lists' }],
  scopes: [
    ...GOOGLE_IDENTITY_SCOPES,
    googleScope('tasks', 'sensitive', 'See, make, edit and delete all tasks.'),
    googleScope('tasks.readonly', 'sensitive', 'See all tasks.'),
  ],
};
