/** Parts of the gateway that a deployment can leave out, by the ids of its option `without`. */
export const FEATURES = ['agents', 'approvals', 'security-events', 'undo', 'webhooks'] as const;

export type Feature = (typeof FEATURES)[number];

/** Whether a page has something to show: it needs one of its features, or none. @param without features that are left out */
export function isDeployed(features: readonly Feature[] | undefined, without: ReadonlySet<string>): boolean {
  return features === undefined || features.some((one) => !without.has(one));
}
