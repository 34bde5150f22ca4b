import {
  changedIntegration,
  deletedIntegration,
  integrationAnswer,
  integrationList,
  readiness,
} from '../answers/integrations.ts';
import type { Operations } from '../operation.ts';
import { INTEGRATION, INTEGRATION_ANSWER, SCOPE } from './sample.ts';

const tag = 'Integrations';
const named = { params: { integrationId: INTEGRATION } };
const OWN = 'drive-reports';

/** Integrations: made, shown, changed, deleted. */
export const integrationOperations: Operations = {
  'GET /integrations': {
    id: 'listIntegrations',
    tag,
    status: 200,
    answer: integrationList,
    errors: [],
    example: { answer: { data: [INTEGRATION_ANSWER], next_cursor: null } },
  },
  'POST /integrations': {
    id: 'createIntegration',
    tag,
    status: 200,
    answer: integrationAnswer,
    errors: ['conflict', 'service_unavailable'],
    example: {
      body: {
        provider: 'google-drive',
        unique_key: OWN,
        display_name: 'Reports',
        scopes: ['drive.file'],
        credentials: {
          type: 'OAUTH2',
          client_id: '123456789012-reports.apps.googleusercontent.com',
          client_secret: 'GOCSPX-example',
        },
      },
      answer: {
        data: {
          ...INTEGRATION_ANSWER,
          unique_key: OWN,
          display_name: 'Reports',
          scopes: ['https://www.googleapis.com/auth/drive.file'],
          credentials_source: 'own',
        },
      },
    },
  },
  'POST /integrations/quickstart': {
    id: 'createQuickstartIntegration',
    tag,
    description: 'For trying out: such an integration stays in test mode until it gets an OAuth client of your own.',
    status: 200,
    answer: integrationAnswer,
    errors: ['conflict'],
    example: {
      body: { provider: 'google-calendar', unique_key: 'calendar-trial' },
      answer: {
        data: {
          ...INTEGRATION_ANSWER,
          unique_key: 'calendar-trial',
          provider: 'google-calendar',
          display_name: 'Google Calendar',
          scopes: ['https://www.googleapis.com/auth/calendar.readonly'],
        },
      },
    },
  },
  'GET /integrations/{integrationId}': {
    id: 'getIntegration',
    tag,
    status: 200,
    answer: integrationAnswer,
    errors: ['unknown_integration'],
    example: { ...named, answer: { data: INTEGRATION_ANSWER } },
  },
  'PATCH /integrations/{integrationId}': {
    id: 'updateIntegration',
    tag,
    description: 'Renaming is refused while there are connections. warnings say what a change leads to.',
    status: 200,
    answer: changedIntegration,
    errors: ['unknown_integration', 'conflict', 'service_unavailable'],
    example: {
      ...named,
      body: { display_name: 'Google Drive' },
      answer: { data: INTEGRATION_ANSWER, warnings: [] },
    },
  },
  'DELETE /integrations/{integrationId}': {
    id: 'deleteIntegration',
    tag,
    description: 'With many connections it answers 503 with Retry-After while some are left: repeat the call.',
    status: 200,
    answer: deletedIntegration,
    errors: ['unknown_integration', 'conflict', 'service_unavailable'],
    example: { params: { integrationId: 'calendar-trial' }, answer: { success: true, deleted_connections: 0 } },
  },
  'GET /integrations/{integrationId}/readiness': {
    id: 'getIntegrationReadiness',
    tag,
    status: 200,
    answer: readiness,
    errors: ['unknown_integration'],
    example: {
      ...named,
      answer: {
        data: {
          ready: false,
          publishing_status: 'testing',
          audience: 'external',
          redirect_uri: 'https://gateway.example.com/v1/oauth/callback',
          javascript_origin: 'https://gateway.example.com',
          strictest_class: 'restricted',
          scopes: [{ ...SCOPE, reviews: ['app_verification', 'security_assessment'] }],
          steps: [
            {
              id: 'own_client',
              needed: true,
              done: false,
              what: 'Make an OAuth client of the type Web application in your own Google Cloud project and give it to this integration.',
            },
          ],
          alternatives: [
            {
              instead_of: [SCOPE.scope],
              scope: 'https://www.googleapis.com/auth/drive.file',
              what: 'Ask for drive.file instead and let your users choose their files in Google’s picker.',
            },
          ],
          risks: ['Google ends grants of apps in Testing seven days after consent.'],
        },
      },
    },
  },
};
