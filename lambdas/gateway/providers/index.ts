import { googleCalendar } from './google-calendar.ts';
import { googleDrive } from './google-drive.ts';
import type { Provider, ProviderId } from './provider.rules.ts';

const PROVIDERS: Readonly<Record<ProviderId, Provider>> = {
  'google-drive': googleDrive,
  'google-calendar': googleCalendar,
};

/** The definition of a provider. */
export function providerOf(id: ProviderId): Provider {
  return PROVIDERS[id];
}

/** Every provider, in the order the catalogue shows them. */
export function allProviders(): readonly Provider[] {
  return Object.values(PROVIDERS);
}
