import { absent, type MethodEntries, whole } from '../api/coverage.ts';
import { stopChannel, watchCalendarList, watchEvents, watchSettings } from '../api/watch.ts';
import { getColors } from './colors.ts';
import { queryFreeBusy } from './free-busy.ts';
import { getCalendar, getCalendarEntry, listCalendars } from './list-calendars.ts';
import { getEvent, listEvents } from './list-events.ts';
import { getSetting, listSettings } from './settings.ts';
import {
  deleteEvent,
  importEvent,
  insertEvent,
  moveEvent,
  patchEvent,
  quickAddEvent,
  updateEvent,
} from './write-events.ts';

/** Every method of Calendar v3, with how much of it the simulator has. */
export const CALENDAR_METHODS: MethodEntries = {
  'calendar.acl.delete': absent('Calendar API v3, "Acl: delete"', 'not built yet'),
  'calendar.acl.get': absent('Calendar API v3, "Acl: get"', 'not built yet'),
  'calendar.acl.insert': absent('Calendar API v3, "Acl: insert"', 'not built yet'),
  'calendar.acl.list': absent('Calendar API v3, "Acl: list"', 'not built yet'),
  'calendar.acl.patch': absent('Calendar API v3, "Acl: patch"', 'not built yet'),
  'calendar.acl.update': absent('Calendar API v3, "Acl: update"', 'not built yet'),
  'calendar.acl.watch': absent('Calendar API v3, "Acl: watch"', 'not built yet'),
  'calendar.calendarList.delete': absent('Calendar API v3, "CalendarList: delete"', 'not built yet'),
  'calendar.calendarList.get': whole('Calendar API v3, "CalendarList: get"', getCalendarEntry),
  'calendar.calendarList.insert': absent('Calendar API v3, "CalendarList: insert"', 'not built yet'),
  'calendar.calendarList.list': whole('Calendar API v3, "CalendarList: list"', listCalendars),
  'calendar.calendarList.patch': absent('Calendar API v3, "CalendarList: patch"', 'not built yet'),
  'calendar.calendarList.update': absent('Calendar API v3, "CalendarList: update"', 'not built yet'),
  'calendar.calendarList.watch': whole('Calendar API v3, "CalendarList: watch"', watchCalendarList),
  'calendar.calendars.clear': absent('Calendar API v3, "Calendars: clear"', 'not built yet'),
  'calendar.calendars.delete': absent('Calendar API v3, "Calendars: delete"', 'not built yet'),
  'calendar.calendars.get': whole('Calendar API v3, "Calendars: get"', getCalendar),
  'calendar.calendars.insert': absent('Calendar API v3, "Calendars: insert"', 'not built yet'),
  'calendar.calendars.patch': absent('Calendar API v3, "Calendars: patch"', 'not built yet'),
  'calendar.calendars.transferOwnership': absent('Calendar API v3, "Calendars: transferOwnership"', 'not built yet'),
  'calendar.calendars.update': absent('Calendar API v3, "Calendars: update"', 'not built yet'),
  'calendar.channels.stop': whole('Calendar API v3, "Channels: stop"', stopChannel),
  'calendar.colors.get': whole('Calendar API v3, "Colors: get"', getColors),
  'calendar.events.delete': whole('Calendar API v3, "Events: delete"', deleteEvent),
  'calendar.events.get': whole('Calendar API v3, "Events: get"', getEvent),
  'calendar.events.import': whole('Calendar API v3, "Events: import"', importEvent),
  'calendar.events.insert': whole('Calendar API v3, "Events: insert"', insertEvent),
  'calendar.events.instances': absent('Calendar API v3, "Events: instances"', 'not built yet'),
  'calendar.events.list': whole('Calendar API v3, "Events: list"', listEvents),
  'calendar.events.move': whole('Calendar API v3, "Events: move"', moveEvent),
  'calendar.events.patch': whole('Calendar API v3, "Events: patch"', patchEvent),
  'calendar.events.quickAdd': whole('Calendar API v3, "Events: quickAdd"', quickAddEvent),
  'calendar.events.update': whole('Calendar API v3, "Events: update"', updateEvent),
  'calendar.events.watch': whole('Calendar API v3, "Events: watch"', watchEvents),
  'calendar.freebusy.query': whole('Calendar API v3, "Freebusy: query"', queryFreeBusy),
  'calendar.settings.get': whole('Calendar API v3, "Settings: get"', getSetting),
  'calendar.settings.list': whole('Calendar API v3, "Settings: list"', listSettings),
  'calendar.settings.watch': whole('Calendar API v3, "Settings: watch"', watchSettings),
};
