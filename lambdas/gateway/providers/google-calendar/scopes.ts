import { GOOGLE_IDENTITY_SCOPES, googleScope } from '../google/scopes.ts';
import type { ScopeDefinition } from '../provider.rules.ts';

/** Scopes of the Google Calendar API, with their meaning for users. */
export const CALENDAR_SCOPES: readonly ScopeDefinition[] = [
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
  googleScope('calendar.calendars', 'sensitive', 'See and change properties of calendars, and create secondary ones.'),
  googleScope('calendar.calendars.readonly', 'sensitive', 'See the title, description and time zone of calendars.'),
  googleScope('calendar.acls', 'sensitive', 'See and change who calendars are shared with.'),
  googleScope('calendar.acls.readonly', 'sensitive', 'See who calendars are shared with.'),
];
