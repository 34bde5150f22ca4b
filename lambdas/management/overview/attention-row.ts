import { FEATURE_ATTENTION } from '../../features/index.ts';
import type { Incident } from '../../gateway/connections/incidents.rules.ts';
import type { ResponsibleParty } from '../../gateway/core/grant-death.ts';
import type { Caller } from '../route.ts';
import type { Services } from '../services.ts';
import type { OverviewFacts } from './read-facts.ts';

/** Kinds of problems for operators, in the order in which rows of equal severity are shown. */
export const ATTENTION_KINDS = [
  'client',
  'delegation',
  'incident',
  ...FEATURE_ATTENTION,
  'server_tools',
  'budget',
  'account',
  'key',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Something that does not work or soon will not, with the responsible party and the fix. */
export interface Attention {
  readonly kind: AttentionKind;
  /** `error`: something does not work. `warning`: it will fail soon, or is unused. */
  readonly severity: 'error' | 'warning';
  /** The problem, in a sentence. */
  readonly title: string;
  readonly explanation: string;
  readonly who: ResponsibleParty;
  /** The fix, in steps. */
  readonly steps: readonly string[];
  /** The danger of a fix while its first step is not done. */
  readonly warning?: string | undefined;
  readonly sinceEpochSec?: number | undefined;
  readonly untilEpochSec?: number | undefined;
  /** The number of affected connections or other things. */
  readonly count: number;
  /** For an incident: all connections of its integration, state and reason, including those of other incidents. */
  readonly total?: number | undefined;
  readonly integrationId?: string | undefined;
  /** Of an incident. */
  readonly state?: Incident['state'] | undefined;
  /** Cause, reason or error code. */
  readonly reason?: string | undefined;
  /** The affected thing, where it is one connection, key or thing of a feature. */
  readonly id?: string | undefined;
}

/** What rows are read from. */
export type Reads = Pick<
  Services,
  | 'clock'
  | 'delegatedDomains'
  | 'endpointsOf'
  | 'providers'
  | 'pinnedLists'
  | 'serverTools'
  | 'reachedShares'
  | 'secretKeys'
  | 'forFeatures'
  | 'usage'
  | 'without'
>;

/** Data for rows of every kind. */
export interface Looked {
  readonly reads: Reads;
  readonly caller: Caller;
  readonly facts: OverviewFacts;
  readonly nowEpochSec: number;
}

/** Keys, and whatever else belongs to the whole account, are for callers that may change all of it, as in their own routes. */
export function hasWholeAccount({ key, integrationIds }: Caller): boolean {
  return integrationIds === undefined && (key === undefined || key.right === 'full');
}

/** `1 connection`, `12 connections`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
