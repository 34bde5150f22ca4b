import { type ChangeTable, changeRows } from './change-classes.rules.ts';
import { CALENDAR_CHANGES } from './google-calendar/changes.ts';
import { DRIVE_CHANGES } from './google-drive/changes.ts';

/** What the methods of all providers change. */
export const CHANGES: ChangeTable = new Map([
  ...changeRows('drive', DRIVE_CHANGES),
  ...changeRows('calendar', CALENDAR_CHANGES),
]);
