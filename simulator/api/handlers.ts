import { getColors } from '../calendar/colors.ts';
import { queryFreeBusy } from '../calendar/free-busy.ts';
import { getCalendar, getCalendarEntry, listCalendars } from '../calendar/list-calendars.ts';
import { getEvent, listEvents } from '../calendar/list-events.ts';
import { getSetting, listSettings } from '../calendar/settings.ts';
import {
  deleteEvent,
  importEvent,
  insertEvent,
  moveEvent,
  patchEvent,
  quickAddEvent,
  updateEvent,
} from '../calendar/write-events.ts';
import { getAbout } from '../drive/about.ts';
import {
  copyFile,
  createOrUpload,
  deleteFile,
  emptyTrash,
  generateIds,
  updateOrUpload,
} from '../drive/change-files.ts';
import { exportDocument, getOperation, startDownload } from '../drive/export-file.ts';
import { getFile } from '../drive/get-file.ts';
import { getStartPageToken, listChanges } from '../drive/list-changes.ts';
import { listFiles } from '../drive/list-files.ts';
import type { ApiHandler } from './call.ts';
import { stopChannel, watchCalendarList, watchChanges, watchEvents, watchFile, watchSettings } from './watch.ts';

/** Methods the simulator carries out; every other method of the table is answered with 501. */
export const HANDLERS: ReadonlyMap<string, ApiHandler> = new Map<string, ApiHandler>([
  ['drive.about.get', getAbout],
  ['drive.files.list', listFiles],
  ['drive.files.get', getFile],
  ['drive.files.create', createOrUpload],
  ['drive.files.update', updateOrUpload],
  ['drive.files.copy', copyFile],
  ['drive.files.delete', deleteFile],
  ['drive.files.emptyTrash', emptyTrash],
  ['drive.files.generateIds', generateIds],
  ['drive.files.export', exportDocument],
  ['drive.files.download', startDownload],
  ['drive.operations.get', getOperation],
  ['drive.changes.getStartPageToken', getStartPageToken],
  ['drive.changes.list', listChanges],
  ['drive.changes.watch', watchChanges],
  ['drive.files.watch', watchFile],
  ['drive.channels.stop', stopChannel],
  ['calendar.calendarList.list', listCalendars],
  ['calendar.calendarList.get', getCalendarEntry],
  ['calendar.calendars.get', getCalendar],
  ['calendar.events.list', listEvents],
  ['calendar.events.get', getEvent],
  ['calendar.events.insert', insertEvent],
  ['calendar.events.patch', patchEvent],
  ['calendar.events.update', updateEvent],
  ['calendar.events.delete', deleteEvent],
  ['calendar.events.watch', watchEvents],
  ['calendar.calendarList.watch', watchCalendarList],
  ['calendar.channels.stop', stopChannel],
  ['calendar.events.quickAdd', quickAddEvent],
  ['calendar.events.import', importEvent],
  ['calendar.events.move', moveEvent],
  ['calendar.colors.get', getColors],
  ['calendar.settings.get', getSetting],
  ['calendar.settings.list', listSettings],
  ['calendar.settings.watch', watchSettings],
  ['calendar.freebusy.query', queryFreeBusy],
]);
