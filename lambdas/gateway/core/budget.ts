/** Budgets per minute or day of a key, an integration or a connection. */

/** Kinds of amounts: requests to the provider, units of its quotas, bytes of answers. */
export const AMOUNT_KINDS = ['calls', 'units', 'bytes'] as const;
export type AmountKind = (typeof AMOUNT_KINDS)[number];

/** Lengths of time that budgets are of, UTC. */
export const BUDGET_PERIODS = ['minute', 'day'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** A budget by what it is of. */
export type BudgetName = `${BudgetPeriod}.${AmountKind}`;

/** Holders of budgets. */
export const BUDGET_HOLDERS = ['key', 'integration', 'connection'] as const;
export type BudgetHolder = (typeof BUDGET_HOLDERS)[number];

/** Maximum amounts per minute or day, UTC; absent = no limit. */
export interface Amounts {
  /** Requests to the provider; each part of a batch is one. */
  readonly calls?: number | undefined;
  /** Units of the provider's quotas, as its table of methods has them. */
  readonly units?: number | undefined;
  /** Bytes of answers. */
  readonly bytes?: number | undefined;
}

/** The shared budget of an integration's or a connection's calls. */
export interface Budget {
  readonly minute?: Amounts | undefined;
  readonly day?: Amounts | undefined;
  /** Once a day's budget is used up: `warn` reports it and lets calls pass, `stop` refuses them. */
  readonly whenSpent: 'warn' | 'stop';
}

/** How full the provider's day is, as stored with a record; `readDayUse` parses it. */
export interface StoredDayUse {
  /** Until when calls of some Cloud project are refused, epoch milliseconds; 0: none are. */
  readonly stopsUntilMs: number;
  /** Share of the fullest day, as of the last count. */
  readonly fullest: number;
  /** JSON. */
  readonly use: string;
}

/** The same of an item; undefined for another form, which fails nothing. */
export function storedDayUseOf(item: Readonly<Record<string, unknown>> | undefined): StoredDayUse | undefined {
  const { stopsUntilMs, fullest, use } = item ?? {};
  if (typeof stopsUntilMs !== 'number' || typeof fullest !== 'number' || typeof use !== 'string') return undefined;
  return { stopsUntilMs, fullest, use };
}

/** Whether a stored value is amounts of a form that this version writes. */
export function areAmounts(value: unknown): boolean {
  const isMost = ([kind, most]: readonly [string, unknown]) =>
    AMOUNT_KINDS.some((one) => one === kind) &&
    (most === undefined || (Number.isSafeInteger(most) && Number(most) > 0));
  return isObject(value) && Object.entries(value).every(isMost);
}

/** A budget as stored with a record; `readBudget` parses it. */
export type StoredBudget = object;

/** A stored budget; undefined without one, and where a later version stored it in an unknown form. */
export function readBudget(stored: unknown): Budget | undefined {
  return isBudget(stored) ? stored : undefined;
}

function isBudget(value: unknown): value is Budget {
  if (!isObject(value) || !('whenSpent' in value)) return false;
  const { whenSpent, ...amounts } = value;
  const isPeriod = ([name, amount]: readonly [string, unknown]) =>
    BUDGET_PERIODS.some((period) => period === name) && areAmounts(amount);
  return (whenSpent === 'warn' || whenSpent === 'stop') && Object.entries(amounts).every(isPeriod);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
