/** Written by `npm run generate` from the folders of the features. */
import type { Feature } from './feature.rules.ts';
import { feature as undo } from './undo/feature.ts';

/** Every feature of this gateway. */
export const FEATURES: readonly Feature[] = [undo];
/** Their ids. */
export const FEATURE_IDS = ['undo'] as const;
/** Error codes, with the HTTP status. */
export const FEATURE_ERRORS = { ...undo.errors } as const;
/** When each error comes. */
export const FEATURE_ERROR_WORDS = { ...undo.errorWords } as const;
/** Errors that a proxied call can get. */
export const FEATURE_CALL_ERRORS = [...undo.callErrors] as const;
/** Types of lifecycle events. */
export const FEATURE_EVENTS = [...undo.events] as const;
/** Members that only their events have. */
export const FEATURE_EVENT_MEMBERS = [...undo.eventMembers] as const;
/** Names of metrics. */
export const FEATURE_METRICS = { ...undo.metrics } as const;
/** Names of environment variables, by setting. */
export const FEATURE_ENVIRONMENT = { ...undo.environment } as const;
/** Limits of keys. */
export const FEATURE_KEY_LIMITS = { ...undo.keyLimits } as const;
/** What is sealed. */
export const FEATURE_SEALED_FIELDS = { ...undo.sealedFields } as const;
/** Positions in lists. */
export const FEATURE_CURSORS = [...undo.cursors] as const;
/** Groups of routes in the API's document. */
export const FEATURE_TAGS = { ...undo.tags } as const;
/** Claims about security. */
export const FEATURE_STATEMENTS = [...undo.statements] as const;
