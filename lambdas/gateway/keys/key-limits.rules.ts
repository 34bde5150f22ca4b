import { type FEATURE_KEY_LIMITS, FEATURES } from '../../features/index.ts';
import { type Amounts, areAmounts, type BudgetName } from '../core/budget.ts';
import { ASKERS } from '../core/limits.ts';
import { ownMember } from '../core/own-member.ts';

/** Who asks a person about calls to a provider's MCP server. */
export type Asker = (typeof ASKERS)[number];

/** Limits of a secret key; absent ones do not apply (LK-10). */
export interface KeyLimits extends FeatureLimits {
  /** `observe` lets calls through and counts those that `enforce` would refuse. */
  readonly mode: 'observe' | 'enforce';
  /** Allowed methods, groups and sets of methods, as named. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Methods, groups, sets and classes of changes whose calls need a person's approval, as named. */
  readonly approve?: readonly string[];
  /** Ids of the methods among them, fixed when the limits are saved, as `methods` are. */
  readonly approveMethods?: readonly string[];
  /**
   * Who asks a person about a call to the provider's MCP server that `approve` covers: the provider by forms of its own, the gateway, or
   * both, one after the other. Absent: the gateway (GA-24).
   */
  readonly approval?: Asker;
  /**
   * Ids of the allowed methods, fixed when the limits are saved: methods of a later version are not among them. Absent where no methods
   * are named.
   */
  readonly methods?: readonly string[];
  readonly integrations?: readonly string[];
  readonly connections?: readonly string[];
  /** Calendars, files and folders that requests may name, such as `calendar:team@example.com`. */
  readonly resources?: readonly string[];
  /** Tags that a connection must have, by name. */
  readonly endUsers?: Readonly<Record<string, string>>;
  /** Addresses and networks (CIDR) that calls may come from. */
  readonly sources?: readonly string[];
  readonly minute?: Amounts;
  readonly day?: Amounts;
  /** `background`: its calls leave a part of the provider's quotas to others, whatever their headers. */
  readonly priority?: 'background';
  /** ISO 8601, UTC. */
  readonly expiresAt?: string;
}

/** Limits that features act on. */
type FeatureLimits = {
  readonly [Name in keyof typeof FEATURE_KEY_LIMITS]?: (typeof FEATURE_KEY_LIMITS)[Name]['values'][number];
};

/** Limits as stored with a key; `readKeyLimits` parses them. */
export type StoredLimits = Readonly<Record<string, unknown>>;

/** The form of limits that this version writes. */
export const LIMITS_VERSION = 1;

/** The limit that refuses a call: one of its key, as named in the response, or the budget of its integration or connection. */
export type LimitName =
  | 'limits'
  | 'expires_at'
  | 'sources'
  | 'integrations'
  | 'connections'
  | 'end_users'
  | 'resources'
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
 * The stored limits; undefined where they have an unknown member or form: such a key is refused, because its limits are unknown
 * (LK-17).
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
  approval: (value) => ASKERS.some((known) => known === value),
  methods: areTexts,
  integrations: areTexts,
  connections: areTexts,
  resources: areTexts,
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

/**
 * Default limits of features for a key that is bound to one end user.
 *
 * @param given as the caller names them; `false` is off
 * @param without ids of features that the deployment leaves out
 */
export function limitsOfBoundKeys(given: object, without?: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const said = new Map(Object.entries(given));
  const unsaid = FEATURES.filter(({ id }) => without?.has(id) !== true)
    .flatMap(({ keyLimits }) => Object.entries(keyLimits))
    .filter(([name]) => said.get(name) === undefined);
  return Object.fromEntries(unsaid.map(([name, { ofBoundKeys }]) => [name, ofBoundKeys]));
}

/** Who asks a person about calls of a key to a provider's MCP server. */
export function askerOf({ limits }: { readonly limits?: StoredLimits | undefined }): Asker {
  return (limits && readKeyLimits(limits)?.approval) ?? 'gateway';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
