import { GOOGLE_IDENTITY_SCOPES, GOOGLE_SCOPE_PREFIX, googleScope } from '../google/scopes.ts';
import { GOOGLE_CLIENTS_URL, google } from '../google/server.ts';
import type { ProviderDefinition } from '../provider.rules.ts';
import { CALENDAR_METHODS } from './methods.ts';

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
  },
  otherOrigins: { caldav: 'https://apidata.googleusercontent.com' },
  apiPaths: [
    { prefix: '/calendar/v3/' },
    { prefix: '/batch/calendar/v3' },
    // "CalDAV API Developer's Guide", as far as API Gateway has its methods.
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
  // Google, "Manage quotas" of the Calendar API, of projects since May 2026. The day cannot be raised.
  quota: { perMinute: 10_000, perMinuteAndUser: 600, perDay: 1_000_000 },
  healthCheckPath: '/calendar/v3/users/me/calendarList?maxResults=1',
  firstCall: '/calendar/v3/users/me/calendarList?maxResults=5',
  sampleCalls: [
    { label: 'Calendars', target: '/calendar/v3/users/me/calendarList?maxResults=10' },
    { label: 'Ten events', target: '/calendar/v3/calendars/primary/events?maxResults=10' },
  ],
  firstTryScopes: ['calendar.readonly', 'calendar.events'],
  scopes: [
    ...GOOGLE_IDENTITY_SCOPES,
    googleScope('calendar.app.created', 'non-sensitive', 'Create secondary calendars and manage only those.'),
    googleScope('calendar.calendarlist.readonly', 'non-sensitive', 'See which calendars the account is subscribed to.'),
    googleScope('calendar.events.freebusy', 'non-sensitive', 'See availability on the calendars the account can see.'),
    googleScope('calendar.events.public.readonly', 'non-sensitive', 'See events of public calendars.'),
    googleScope('calendar.freebusy', 'non-sensitive', 'See when the account is free or busy.'),
    googleScope('calendar.settings.readonly', 'non-sensitive', 'See the settings of Google Calendar.'),
    googleScope('calendar', 'sensitive', 'See, edit, share and delete all calendars.'),
    googleScope('calendar.readonly', 'sensitive', 'See all calendars and their events.'),
    googleScope('calendar.events', 'sensitive', 'See and edit events on all calendars.'),
    googleScope('calendar.events.readonly', 'sensitive', 'See events on all calendars.'),
    googleScope(
      'calendar.events.owned',
      'sensitive',
      'See, create, change and delete events on calendars the account owns.',
    ),
    googleScope('calendar.events.owned.readonly', 'sensitive', 'See events on calendars the account owns.'),
    googleScope('calendar.calendarlist', 'sensitive', 'See, add and remove calendar subscriptions.'),
    googleScope(
      'calendar.calendars',
      'sensitive',
      'See and change properties of calendars, and create secondary ones.',
    ),
    googleScope('calendar.calendars.readonly', 'sensitive', 'See the title, description and time zone of calendars.'),
    googleScope('calendar.acls', 'sensitive', 'See and change who calendars are shared with.'),
    googleScope('calendar.acls.readonly', 'sensitive', 'See who calendars are shared with.'),
  ],
};
