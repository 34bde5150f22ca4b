/** Written by `npm run generate` from the folders of the features. */
/** Features that the dashboard has parts of. */
export const FEATURE_IDS: readonly string[] = ['agents', 'approvals', 'feeds', 'security-events', 'undo', 'webhooks'];
