import { type FEATURE_KEY_LIMITS, FEATURES } from '../../features/index.ts';
import { type Amounts, areAmounts, type BudgetName } from '../core/budget.ts';
import { ownMember } from '../core/own-member.ts';

/** What a secret key is limited to; what is absent is not limited (LK-10). */
export interface KeyLimits extends FeatureLimits {
  /** `observe` lets calls through and counts those that `enforce` would refuse. */
  readonly mode: 'observe' | 'enforce';
  /** Methods, groups and sets of methods as they were named. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Methods, groups, sets and classes of changes whose calls wait for a person's approval, as they were named. */
  readonly approve?: readonly string[];
  /** Ids of the methods among them, worked out as `methods` are. */
  readonly approveMethods?: readonly string[];
  /**
   * Ids of the methods that are left of those named, worked out when they were: the methods of a later version are not among
   * them. Absent where no methods are named.
   */
  readonly methods?: readonly string[];
  readonly integrations?: readonly string[];
  readonly connections?: readonly string[];
  /** Tags that a connection must have, by their names. */
  readonly endUsers?: Readonly<Record<string, string>>;
  /** Addresses and networks (CIDR) that calls may come from. */
  readonly sources?: readonly string[];
  readonly minute?: Amounts;
  readonly day?: Amounts;
  /** `background`: its calls leave a part of the provider's quotas to others, whatever their headers say. */
  readonly priority?: 'background';
  /** ISO 8601, UTC. */
  readonly expiresAt?: string;
}

/** Limits that features act on. */
type FeatureLimits = {
  readonly [Name in keyof typeof FEATURE_KEY_LIMITS]?: (typeof FEATURE_KEY_LIMITS)[Name]['values'][number];
};

/** Limits as a key's item holds them; what they say, `readKeyLimits` knows. */
export type StoredLimits = Readonly<Record<string, unknown>>;

/** The form of limits that this version writes. */
export const LIMITS_VERSION = 1;

/** What refuses a call: a limit of its key, as an answer names it, or the budget of its integration or connection. */
export type LimitName =
  | 'limits'
  | 'expires_at'
  | 'sources'
  | 'integrations'
  | 'connections'
  | 'end_users'
  | 'methods'
  | 'priority'
  | 'approve'
  | BudgetName
  | `${'integration' | 'connection'}.${BudgetName}`;

/** Limits as an item holds them. */
export function storedLimits(limits: KeyLimits): StoredLimits {
  return { v: LIMITS_VERSION, ...limits };
}

/**
 * What stored limits say; undefined where they have a member or a form that this version does not know: such a key is closed,
 * because it is not known what its limits are (LK-17).
 */
export function readKeyLimits({ v, ...members }: StoredLimits): KeyLimits | undefined {
  return v === LIMITS_VERSION && areLimits(members) ? members : undefined;
}

function areLimits(members: object): members is KeyLimits {
  const isKnown = ([name, value]: readonly [string, unknown]) =>
    value === undefined || ownMember(READABLE, name)?.(value) === true;
  return 'mode' in members && members.mode !== undefined && Object.entries(members).every(isKnown);
}

const READABLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  mode: (value) => value === 'observe' || value === 'enforce',
  allow: areTexts,
  deny: areTexts,
  approve: areTexts,
  approveMethods: areTexts,
  methods: areTexts,
  integrations: areTexts,
  connections: areTexts,
  endUsers: (value) => isObject(value) && areTexts(Object.values(value)),
  sources: areTexts,
  minute: areAmounts,
  day: areAmounts,
  priority: (value) => value === 'background',
  expiresAt: (value) => typeof value === 'string' && Number.isFinite(Date.parse(value)),
  ...Object.fromEntries(
    FEATURES.flatMap(({ keyLimits }) => Object.entries(keyLimits)).map(([name, { values }]) => [
      name,
      (value: unknown) => values.some((known) => known === value),
    ]),
  ),
};

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
