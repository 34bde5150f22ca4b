import { absent, type MethodEntries, partial, whole } from '../api/coverage.ts';
import { stopChannel, watchCalendarList, watchEvents, watchRules, watchSettings } from '../api/watch.ts';
import { deleteRule, getRule, insertRule, listRules, patchRule, updateRule } from './acl.ts';
import {
  deleteCalendarEntry,
  getCalendarEntry,
  insertCalendarEntry,
  listCalendars,
  patchCalendarEntry,
  updateCalendarEntry,
} from './calendar-list.ts';
import {
  clearCalendar,
  deleteCalendar,
  getCalendar,
  insertCalendar,
  patchCalendar,
  updateCalendar,
} from './calendars.ts';
import { getColors } from './colors.ts';
import { queryFreeBusy } from './free-busy.ts';
import { getEvent, listEvents, listInstances } from './list-events.ts';
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
  'calendar.acl.delete': whole('Calendar API v3, "Acl: delete"', deleteRule),
  'calendar.acl.get': whole('Calendar API v3, "Acl: get"', getRule),
  'calendar.acl.insert': partial('Calendar API v3, "Acl: insert"', 'no mail is sent', insertRule),
  'calendar.acl.list': whole('Calendar API v3, "Acl: list"', listRules),
  'calendar.acl.patch': partial('Calendar API v3, "Acl: patch"', 'no mail is sent', patchRule),
  'calendar.acl.update': partial('Calendar API v3, "Acl: update"', 'no mail is sent', updateRule),
  'calendar.acl.watch': whole('Calendar API v3, "Acl: watch"', watchRules),
  'calendar.calendarList.delete': whole('Calendar API v3, "CalendarList: delete"', deleteCalendarEntry),
  'calendar.calendarList.get': whole('Calendar API v3, "CalendarList: get"', getCalendarEntry),
  'calendar.calendarList.insert': whole('Calendar API v3, "CalendarList: insert"', insertCalendarEntry),
  'calendar.calendarList.list': whole('Calendar API v3, "CalendarList: list"', listCalendars),
  'calendar.calendarList.patch': whole('Calendar API v3, "CalendarList: patch"', patchCalendarEntry),
  'calendar.calendarList.update': whole('Calendar API v3, "CalendarList: update"', updateCalendarEntry),
  'calendar.calendarList.watch': whole('Calendar API v3, "CalendarList: watch"', watchCalendarList),
  'calendar.calendars.clear': whole('Calendar API v3, "Calendars: clear"', clearCalendar),
  'calendar.calendars.delete': whole('Calendar API v3, "Calendars: delete"', deleteCalendar),
  'calendar.calendars.get': partial('Calendar API v3, "Calendars: get"', 'working hours', getCalendar),
  'calendar.calendars.insert': whole('Calendar API v3, "Calendars: insert"', insertCalendar),
  'calendar.calendars.patch': partial(
    'Calendar API v3, "Calendars: patch"',
    'working hours, checks of labels',
    patchCalendar,
  ),
  'calendar.calendars.transferOwnership': absent(
    'Calendar API v3, "Calendars: transferOwnership"',
    'what becomes of the calendar’s access rules and lists is not documented',
  ),
  'calendar.calendars.update': partial(
    'Calendar API v3, "Calendars: update"',
    'working hours, checks of labels',
    updateCalendar,
  ),
  'calendar.channels.stop': whole('Calendar API v3, "Channels: stop"', stopChannel),
  'calendar.colors.get': whole('Calendar API v3, "Colors: get"', getColors),
  'calendar.events.delete': partial('Calendar API v3, "Events: delete"', 'no mail is sent', deleteEvent),
  'calendar.events.get': whole('Calendar API v3, "Events: get"', getEvent),
  'calendar.events.import': partial('Calendar API v3, "Events: import"', 'single instances of a series', importEvent),
  'calendar.events.insert': partial(
    'Calendar API v3, "Events: insert"',
    'no mail is sent, and a conference is never pending',
    insertEvent,
  ),
  'calendar.events.instances': whole('Calendar API v3, "Events: instances"', listInstances),
  'calendar.events.list': partial(
    'Calendar API v3, "Events: list"',
    'hidden invitations, and the translated keywords of `q`',
    listEvents,
  ),
  'calendar.events.move': partial('Calendar API v3, "Events: move"', 'no mail is sent', moveEvent),
  'calendar.events.patch': partial(
    'Calendar API v3, "Events: patch"',
    'no mail is sent, and a conference is never pending',
    patchEvent,
  ),
  'calendar.events.quickAdd': partial(
    'Calendar API v3, "Events: quickAdd"',
    'texts other than an English day, times and a place',
    quickAddEvent,
  ),
  'calendar.events.update': partial(
    'Calendar API v3, "Events: update"',
    'no mail is sent, and a conference is never pending',
    updateEvent,
  ),
  'calendar.events.watch': whole('Calendar API v3, "Events: watch"', watchEvents),
  'calendar.freebusy.query': whole('Calendar API v3, "Freebusy: query"', queryFreeBusy),
  'calendar.settings.get': whole('Calendar API v3, "Settings: get"', getSetting),
  'calendar.settings.list': whole('Calendar API v3, "Settings: list"', listSettings),
  'calendar.settings.watch': whole('Calendar API v3, "Settings: watch"', watchSettings),
};
