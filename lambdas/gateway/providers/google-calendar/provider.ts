import { GOOGLE_SCOPE_PREFIX } from '../google/scopes.ts';
import { GOOGLE_CLIENTS_URL, google } from '../google/server.ts';
import type { ProviderDefinition } from '../provider.rules.ts';
import { CALENDAR_METHOD_MEANINGS } from './method-meanings.ts';
import { CALENDAR_METHODS } from './methods.ts';
import { CALENDAR_SCOPES } from './scopes.ts';

/** Google Calendar API v3. Scope meanings: "Choose Google Calendar API scopes", developers.google.com. */
export const provider: ProviderDefinition<'google-calendar'> = {
  id: 'google-calendar',
  displayName: 'Google Calendar',
  place: 2,
  docsUrl: 'https://developers.google.com/workspace/calendar/api/v3/reference',
  logoUrl: 'https://ssl.gstatic.com/images/branding/product/2x/calendar_2020q4_48dp.png',
  categories: ['productivity'],
  server: google,
  console: {
    clientsUrl: GOOGLE_CLIENTS_URL,
    enableApiUrl: 'https://console.cloud.google.com/apis/library/calendar-json.googleapis.com',
    enableToolServerUrl: 'https://console.cloud.google.com/apis/library/calendarmcp.googleapis.com',
  },
  otherOrigins: { caldav: 'https://apidata.googleusercontent.com' },
  toolServer: { name: 'calendar_mcp', endpoint: 'https://calendarmcp.googleapis.com/mcp/v1' },
  apiPaths: [
    { prefix: '/calendar/v3/' },
    { prefix: '/batch/calendar/v3' },
    // "CalDAV API Developer's Guide", with the methods that API Gateway supports.
    { prefix: '/caldav/v2/', origin: 'caldav', moreMethods: ['OPTIONS'] },
  ],
  uploadPathPrefixes: [],
  batchPaths: ['/batch/calendar/v3'],
  batchMaxParts: 50,
  batchPartPrefixes: ['/calendar/v3/'],
  defaultScopes: [`${GOOGLE_SCOPE_PREFIX}calendar.readonly`],
  pathPatterns: [
    ...new Set(CALENDAR_METHODS.map(([, , pattern]) => pattern)),
    '/batch/calendar/v3',
    '/caldav/v2/{}/user',
    '/caldav/v2/{}/events',
    '/caldav/v2/{}/events/{}',
  ],
  methods: CALENDAR_METHODS,
  // Google, "Manage quotas" of the Calendar API, for projects since May 2026. The daily number was published as a billing threshold,
  // not as a limit.
  quota: { perMinute: 10_000, perMinuteAndUser: 600, perDay: 1_000_000 },
  methodMeanings: CALENDAR_METHOD_MEANINGS,
  healthCheckPath: '/calendar/v3/users/me/calendarList?maxResults=1',
  firstCall: '/calendar/v3/users/me/calendarList?maxResults=5',
  sampleCalls: [
    { label: 'Calendars', target: '/calendar/v3/users/me/calendarList?maxResults=10' },
    { label: 'Ten events', target: '/calendar/v3/calendars/primary/events?maxResults=10' },
  ],
  firstTryScopes: ['calendar.readonly', 'calendar.events'],
  scopes: CALENDAR_SCOPES,
};
