import { CALENDAR_INVERSES } from './google-calendar/inverses.rules.ts';
import { DRIVE_INVERSES } from './google-drive/inverses.rules.ts';
import type { Inverses } from './inverse.rules.ts';
import type { ProviderId } from './provider.rules.ts';

/** Inverses by provider, separate from the catalogue because few processes need them. Without a row, a provider's writes cannot be undone. */
export const INVERSES: Readonly<Partial<Record<ProviderId, Inverses>>> = {
  'google-drive': DRIVE_INVERSES,
  'google-calendar': CALENDAR_INVERSES,
};
