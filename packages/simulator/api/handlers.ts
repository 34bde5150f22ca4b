import { CALENDAR_METHODS } from '../calendar/methods.ts';
import { DRIVE_METHODS } from '../drive/methods.ts';
import type { MethodEntry } from './coverage.ts';

/** Every method of both APIs, with how much of it the simulator has; `METHODS.md` is written from it. */
export const HANDLERS: ReadonlyMap<string, MethodEntry> = new Map(
  Object.entries({ ...DRIVE_METHODS, ...CALENDAR_METHODS }),
);
