import { CALENDAR_INVERSES } from './google-calendar/inverses.rules.ts';
import { DRIVE_INVERSES } from './google-drive/inverses.rules.ts';
import type { Inverses } from './inverse.rules.ts';
import type { ProviderId } from './provider.rules.ts';

/** Ways back by provider, alongside the catalogue: few processes need them. Writes at a provider without its row cannot be undone. */
export const INVERSES: Readonly<Partial<Record<ProviderId, Inverses>>> = {
  'google-drive': DRIVE_INVERSES,
  'google-calendar': CALENDAR_INVERSES,
};
