/** Written by `npm run generate` from the folders of the providers. */
import { provider as googleCalendar } from './google-calendar/provider.ts';
import { provider as googleDrive } from './google-drive/provider.ts';
import type { Provider } from './provider.rules.ts';
import type { ProviderId } from './provider-ids.rules.ts';

/** Definitions by id, in the order of lists. */
export const PROVIDERS: Readonly<Record<ProviderId, Provider>> = {
  'google-drive': googleDrive,
  'google-calendar': googleCalendar,
};
