/** Written by `npm run generate` from the folders of the features. */
import { feature as undo } from './undo/feature.ts';

/** Every feature of this gateway. */
export const FEATURES = [undo] as const;
/** Their error codes, with the HTTP status. */
export const FEATURE_ERRORS = { ...undo.errors } as const;
/** Types of their lifecycle events. */
export const FEATURE_EVENTS = [...undo.events] as const;
/** Members that only their events have. */
export const FEATURE_EVENT_MEMBERS = [...undo.eventMembers] as const;
/** Names of their metrics. */
export const FEATURE_METRICS = { ...undo.metrics } as const;
/** Names of their environment variables, by setting. */
export const FEATURE_ENVIRONMENT = { ...undo.environment } as const;
