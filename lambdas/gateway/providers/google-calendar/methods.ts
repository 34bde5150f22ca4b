import { googleMethods } from '../google/methods.ts';
import type { ApiMethod } from '../provider.rules.ts';

/** Every method of Google Calendar API v3: ids and paths from its discovery document. */
const METHODS = [
  'acl.delete DELETE calendars/{}/acl/{} request',
  'acl.get GET calendars/{}/acl/{} request',
  'acl.insert POST calendars/{}/acl request',
  'acl.list GET calendars/{}/acl request',
  'acl.patch PATCH calendars/{}/acl/{} request',
  'acl.update PUT calendars/{}/acl/{} request',
  'acl.watch POST calendars/{}/acl/watch request',
  'calendarList.delete DELETE users/me/calendarList/{} request',
  'calendarList.get GET users/me/calendarList/{} request',
  'calendarList.insert POST users/me/calendarList request',
  'calendarList.list GET users/me/calendarList request',
  'calendarList.patch PATCH users/me/calendarList/{} request',
  'calendarList.update PUT users/me/calendarList/{} request',
  'calendarList.watch POST users/me/calendarList/watch request',
  'calendars.clear POST calendars/{}/clear request',
  'calendars.delete DELETE calendars/{} request',
  'calendars.get GET calendars/{} request',
  'calendars.insert POST calendars request',
  'calendars.patch PATCH calendars/{} request',
  'calendars.transferOwnership POST calendars/{}/transferOwnership request',
  'calendars.update PUT calendars/{} request',
  'channels.stop POST channels/stop request',
  'colors.get GET colors request',
  'events.delete DELETE calendars/{}/events/{} request',
  'events.get GET calendars/{}/events/{} request',
  'events.import POST calendars/{}/events/import request',
  'events.insert POST calendars/{}/events request',
  'events.instances GET calendars/{}/events/{}/instances request',
  'events.list GET calendars/{}/events request',
  'events.move POST calendars/{}/events/{}/move request',
  'events.patch PATCH calendars/{}/events/{} request',
  'events.quickAdd POST calendars/{}/events/quickAdd request',
  'events.update PUT calendars/{}/events/{} request',
  'events.watch POST calendars/{}/events/watch request',
  'freebusy.query POST freeBusy request',
  'settings.get GET users/me/settings/{} request',
  'settings.list GET users/me/settings request',
  'settings.watch POST users/me/settings/watch request',
];

/** The methods of the Calendar API, whose quotas count requests (Google, "Manage quotas" of the Calendar API). */
export const CALENDAR_METHODS: readonly ApiMethod[] = googleMethods('calendar', '/calendar/v3/', METHODS, {
  request: 1,
});
