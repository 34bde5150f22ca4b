import { googleMethods } from '../google/methods.ts';
import type { ApiMethod } from '../provider.rules.ts';

/** Every method of Google Calendar API v3: ids and paths from its discovery document. */
const METHODS = [
  'acl.delete DELETE calendars/{}/acl/{}',
  'acl.get GET calendars/{}/acl/{}',
  'acl.insert POST calendars/{}/acl',
  'acl.list GET calendars/{}/acl',
  'acl.patch PATCH calendars/{}/acl/{}',
  'acl.update PUT calendars/{}/acl/{}',
  'acl.watch POST calendars/{}/acl/watch',
  'calendarList.delete DELETE users/me/calendarList/{}',
  'calendarList.get GET users/me/calendarList/{}',
  'calendarList.insert POST users/me/calendarList',
  'calendarList.list GET users/me/calendarList',
  'calendarList.patch PATCH users/me/calendarList/{}',
  'calendarList.update PUT users/me/calendarList/{}',
  'calendarList.watch POST users/me/calendarList/watch',
  'calendars.clear POST calendars/{}/clear',
  'calendars.delete DELETE calendars/{}',
  'calendars.get GET calendars/{}',
  'calendars.insert POST calendars',
  'calendars.patch PATCH calendars/{}',
  'calendars.transferOwnership POST calendars/{}/transferOwnership',
  'calendars.update PUT calendars/{}',
  'channels.stop POST channels/stop',
  'colors.get GET colors',
  'events.delete DELETE calendars/{}/events/{}',
  'events.get GET calendars/{}/events/{}',
  'events.import POST calendars/{}/events/import',
  'events.insert POST calendars/{}/events',
  'events.instances GET calendars/{}/events/{}/instances',
  'events.list GET calendars/{}/events',
  'events.move POST calendars/{}/events/{}/move',
  'events.patch PATCH calendars/{}/events/{}',
  'events.quickAdd POST calendars/{}/events/quickAdd',
  'events.update PUT calendars/{}/events/{}',
  'events.watch POST calendars/{}/events/watch',
  'freebusy.query POST freeBusy',
  'settings.get GET users/me/settings/{}',
  'settings.list GET users/me/settings',
  'settings.watch POST users/me/settings/watch',
];

/** The methods of the Calendar API, whose quotas count requests (Google, "Manage quotas" of the Calendar API). */
export const CALENDAR_METHODS: readonly ApiMethod[] = googleMethods('calendar', '/calendar/v3/', METHODS, {}, 1);
