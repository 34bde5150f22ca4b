/** Written by `npm run generate` from the folders of the providers. */
export const PROVIDER_IDS = ['google-drive', 'google-calendar'] as const;

/** Third parties the gateway knows. */
export type ProviderId = (typeof PROVIDER_IDS)[number];

export function isProviderId(value: string): value is ProviderId {
  return (PROVIDER_IDS as readonly string[]).includes(value);
}
