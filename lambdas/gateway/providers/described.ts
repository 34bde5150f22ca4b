import type { DescribedMethods } from './described-methods.rules.ts';
import { DESCRIBED_IN_CALENDAR } from './google-calendar/described.ts';
import { DESCRIBED_IN_DRIVE } from './google-drive/described.ts';

/** The methods of all providers that a person can approve. */
export const DESCRIBED_METHODS: DescribedMethods = new Map([
  ...Object.entries(DESCRIBED_IN_DRIVE).map(([id, method]) => [`drive.${id}`, method] as const),
  ...Object.entries(DESCRIBED_IN_CALENDAR).map(([id, method]) => [`calendar.${id}`, method] as const),
]);
