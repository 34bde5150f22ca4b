import type { ReachedShare } from '../../gateway/calls/ports.ts';
import { ownMember } from '../../gateway/core/own-member.ts';

/** A row about a budget or quota that needs attention. */
export interface BudgetRow {
  readonly kind: 'budget';
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly explanation: string;
  readonly who: 'developer';
  readonly steps: readonly string[];
  readonly sinceEpochSec: number;
  /** Connections, or 1. */
  readonly count: number;
  readonly integrationId: string | undefined;
  /** The budget's holder and name, such as `integration.day.units`, or `quota.units`. */
  readonly reason: string;
  /** Id of the key, the Cloud project, or a single connection. */
  readonly id: string | undefined;
}

/** Half of a daily budget needs no action yet. */
const SHOWN_FROM_PERCENT = 80;

/** Display names that the share itself lacks. */
interface Names {
  /** @param id of a key, its beginning */
  key(id: string): string | undefined;
  integration(id: string): string | undefined;
}

/** Rows for nearly or completely used budgets of current days; for connections one per integration and amount. */
export function budgetRows(shares: readonly ReachedShare[], names: Names, nowEpochSec: number): BudgetRow[] {
  const live = shares.filter(
    ({ says }) => Number(says.percent) >= SHOWN_FROM_PERCENT && Date.parse(says.resets_at ?? '') > nowEpochSec * 1000,
  );
  const latest = new Map<string, ReachedShare>();
  for (const one of live.toSorted((a, b) => Number(a.says.percent) - Number(b.says.percent))) {
    latest.set(JSON.stringify([holderOf(one), one.integrationId, one.connectionId, one.says.key_id]), one);
  }
  const groups = Map.groupBy(latest.values(), (one) =>
    JSON.stringify(
      one.connectionId === undefined
        ? [holderOf(one), one.integrationId, one.says.key_id]
        : [holderOf(one), one.integrationId, one.says.percent, one.says.when_spent],
    ),
  );
  return [...groups.values()].flatMap((group) => rowOf(group, names));
}

/** The share's holder and name, such as `integration.day.units`. */
function holderOf({ says }: ReachedShare): string {
  return says.budget ?? `${says.provider} ${says.cloud_project} ${says.quota}`;
}

const AMOUNTS: Readonly<Record<string, string>> = {
  calls: 'calls',
  units: 'units of Google’s quotas',
  bytes: 'bytes of answers',
  bytes_out: 'bytes of answers',
};

const WHEN_SPENT: Readonly<Record<string, string>> = {
  stop: 'Calls that no longer fit are refused until the day is over.',
  warn: 'Calls continue, and their responses say that the budget is used up.',
  observe: 'Calls continue: the limits of the key are only observed.',
};

function rowOf(group: readonly ReachedShare[], names: Names): BudgetRow[] {
  const [first] = group;
  if (first === undefined) return [];
  const { says, integrationId, connectionId } = first;
  const { percent = '', used = '', most = '', budget, when_spent: whenSpent = '' } = says;
  const amount = AMOUNTS[(budget ?? says.quota ?? '').split('.').at(-1) ?? ''] ?? 'calls';
  const isUsedUp = percent === '100';
  const share = isUsedUp ? 'all' : `${percent} %`;
  const common = {
    kind: 'budget',
    who: 'developer',
    count: group.length,
    sinceEpochSec: Math.min(...group.map(({ reportedAtEpochSec }) => reportedAtEpochSec)),
    integrationId,
    reason: budget ?? `quota.${says.quota}`,
  } as const;
  const usedOf = group.length === 1 ? `${thousands(used)} of ${thousands(most)} ${amount}. ` : '';
  if (budget === undefined) {
    return [
      {
        ...common,
        severity: isUsedUp ? 'error' : 'warning',
        title: `Cloud project ${says.cloud_project} has used ${share} of its daily threshold for ${says.provider}`,
        explanation: usedOf + whatGoogleDoes(isUsedUp, whenSpent),
        steps: [
          'Hold back what can wait until Google’s next day.',
          'If the Cloud console shows other quotas, set quota of its integrations.',
        ],
        reason: `quota.${says.quota}`,
        id: says.cloud_project,
      },
    ];
  }
  const integration = integrationId === undefined ? '' : (names.integration(integrationId) ?? integrationId);
  const holder =
    says.key_id !== undefined
      ? `The secret key ${names.key(says.key_id) ?? says.key_id}`
      : connectionId === undefined
        ? integration
        : `${group.length} connection${group.length === 1 ? '' : 's'} of ${integration}`;
  const isMany = connectionId !== undefined && group.length > 1;
  return [
    {
      ...common,
      severity: isUsedUp && whenSpent === 'stop' ? 'error' : 'warning',
      title: `${holder} ${isMany ? 'have' : 'has'} used ${share} of ${isMany ? 'their' : 'the'} budget of the day: ${amount}`,
      explanation:
        `${usedOf}${isUsedUp ? (ownMember(WHEN_SPENT, whenSpent) ?? '') : 'It is free again when the day is over, at midnight UTC.'}`.trim(),
      steps: ['Hold back what can wait until tomorrow (UTC), or raise the budget.'],
      id: says.key_id ?? (group.length === 1 ? connectionId : undefined),
    },
  ];
}

/** What happens to calls once the daily threshold is used. */
function whatGoogleDoes(isUsedUp: boolean, whenSpent: string): string {
  if (whenSpent !== 'stop') {
    return 'What Google does with calls above it depends on the project’s tier, which only the Cloud console shows.';
  }
  return isUsedUp
    ? 'The gateway refuses its calls until Google’s next day (option dayLimit).'
    : 'Once all of it is used, the gateway refuses calls until Google’s next day (option dayLimit).';
}

function thousands(number: string): string {
  return Number(number).toLocaleString('en');
}
