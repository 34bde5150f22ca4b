/** Written by dev/tools/providers.ts from the folders beside it: change those, then run it. */
export const PROVIDER_IDS = ['google-drive', 'google-calendar'] as const;

/** Third parties the gateway knows. */
export type ProviderId = (typeof PROVIDER_IDS)[number];

export function isProviderId(value: string): value is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(value);
}
