/** Written by `npm run generate` from the folders of the features. */
import { feature as agents } from './agents/feature.ts';
import { feature as approvals } from './approvals/feature.ts';
import { type WholeFeature, whole } from './feature.rules.ts';
import { feature as feeds } from './feeds/feature.ts';
import { feature as securityEvents } from './security-events/feature.ts';
import { feature as undo } from './undo/feature.ts';
import { feature as webhooks } from './webhooks/feature.ts';

/** Every feature of this gateway. */
export const FEATURES: readonly WholeFeature[] = [approvals, agents, feeds, securityEvents, undo, webhooks].map(whole);
/** Ids of those that a deployment can leave out. */
export const FEATURE_IDS = ['approvals', 'agents', 'feeds', 'security-events', 'undo', 'webhooks'] as const;
/** Functions of their own. */
export const FEATURE_FUNCTIONS = [
  ...approvals.functions,
  ...agents.functions,
  ...feeds.functions,
  ...webhooks.functions,
] as const;
/** Those of them that ask the proxy by its inner door. */
export const FEATURE_DOOR_ALIASES = [...approvals.doorAliases, ...agents.doorAliases] as const;
/** Those of them that ask the function `core` by its inner door. */
export const FEATURE_CORE_ALIASES = [...feeds.coreAliases] as const;
/** Their memory in MB. */
export const FEATURE_MEMORY_MB = { ...approvals.memoryMb, ...agents.memoryMb, ...webhooks.memoryMb } as const;
/** Paths of routes that use grants. */
export const FEATURE_GRANT_PATHS = [...approvals.grantPaths, ...feeds.grantPaths, ...undo.grantPaths] as const;
/** Where browsers continue that return to the callback from other sign-ins. */
export const FEATURE_CALLBACK_STATES = { ...approvals.callbackStates } as const;
/** Functions of them that sweep, by the id of the feature. */
export const FEATURE_SWEEPS = { ...feeds.sweeps, ...webhooks.sweeps } as const;
/** Error codes, with the HTTP status. */
export const FEATURE_ERRORS = { ...approvals.errors, ...feeds.errors, ...undo.errors } as const;
/** When each error comes. */
export const FEATURE_ERROR_WORDS = { ...approvals.errorWords, ...feeds.errorWords, ...undo.errorWords } as const;
/** Errors that a proxied call can get. */
export const FEATURE_CALL_ERRORS = [...undo.callErrors] as const;
/** Types of lifecycle events. */
export const FEATURE_EVENTS = [
  ...approvals.events,
  ...feeds.events,
  ...securityEvents.events,
  ...undo.events,
  ...webhooks.events,
] as const;
/** Members that only their events have. */
export const FEATURE_EVENT_MEMBERS = [
  ...approvals.eventMembers,
  ...securityEvents.eventMembers,
  ...undo.eventMembers,
  ...webhooks.eventMembers,
] as const;
/** Attributes of what events are about, by member. */
export const FEATURE_EVENT_ATTRIBUTES = { ...feeds.eventAttributes } as const;
/** Names of metrics. */
export const FEATURE_METRICS = {
  ...feeds.metrics,
  ...securityEvents.metrics,
  ...undo.metrics,
  ...webhooks.metrics,
} as const;
/** Metrics that alarms watch. */
export const FEATURE_ALARMS = [...feeds.alarms, ...securityEvents.alarms, ...webhooks.alarms] as const;
/** Meanings of their entries in the runbook. */
export const FEATURE_ALARM_MEANINGS = { ...feeds.alarmMeanings, ...webhooks.alarmMeanings } as const;
/** Members that `cause` repeated until 0.4.0, by type of event. */
export const FEATURE_FORMER_CAUSES = { ...webhooks.formerCauses } as const;
/** Kinds of problems in the overview. */
export const FEATURE_ATTENTION = [
  ...approvals.attention,
  ...feeds.attention,
  ...securityEvents.attention,
  ...webhooks.attention,
] as const;
/** Families of rows in the main table. */
export const FEATURE_FAMILIES = { ...feeds.families, ...securityEvents.families, ...webhooks.families } as const;
/** First partitions of kinds of due work. */
export const FEATURE_DUE_PARTITIONS = { ...feeds.duePartitions, ...securityEvents.duePartitions } as const;
/** Names of environment variables, by setting. */
export const FEATURE_ENVIRONMENT = {
  ...approvals.environment,
  ...agents.environment,
  ...feeds.environment,
  ...securityEvents.environment,
  ...undo.environment,
} as const;
/** Names of limits of rates. */
export const FEATURE_RATE_LIMITS = [...webhooks.rateLimits] as const;
/** Limits of keys. */
export const FEATURE_KEY_LIMITS = { ...undo.keyLimits } as const;
/** Purposes of data keys. */
export const FEATURE_KEY_PURPOSES = [...approvals.keyPurposes, ...undo.keyPurposes, ...webhooks.keyPurposes] as const;
/** What is sealed. */
export const FEATURE_SEALED_FIELDS = {
  ...approvals.sealedFields,
  ...feeds.sealedFields,
  ...undo.sealedFields,
  ...webhooks.sealedFields,
} as const;
/** Positions in lists. */
export const FEATURE_CURSORS = [...feeds.cursors, ...undo.cursors, ...webhooks.cursors] as const;
/** Groups of routes in the API's document. */
export const FEATURE_TAGS = {
  ...approvals.tags,
  ...feeds.tags,
  ...securityEvents.tags,
  ...undo.tags,
  ...webhooks.tags,
} as const;
/** Claims about security. */
export const FEATURE_STATEMENTS = [...securityEvents.statements, ...undo.statements] as const;
