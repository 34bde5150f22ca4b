import type { OwnQuota } from '../gateway/library.ts';

/** Amounts of a quota, in the order of a form. */
export const QUOTA_AMOUNTS = [
  'perMinute',
  'perMinuteAndUser',
  'perDay',
  'bytesOutPerDay',
  'toolRequestsPerDay',
  'toolKeys',
] as const;
export type QuotaAmount = (typeof QUOTA_AMOUNTS)[number];

/** Google's quotas of a Cloud project in a form: amounts as typed; empty = as new projects, `none` = no threshold. */
export interface QuotaDraft extends Readonly<Record<QuotaAmount, string>> {
  readonly countedIn: 'units' | 'requests';
  readonly tier: QuotaTier;
  readonly billingAccount: string;
  readonly until: string;
}

/** Google's tiers of a Cloud project. */
export const QUOTA_TIERS = ['standard', 'internal', 'scaled'] as const;
export type QuotaTier = (typeof QUOTA_TIERS)[number];

/** The form of a quota. */
export function draftOfQuota(quota: OwnQuota | undefined): QuotaDraft {
  const shown = (amount: number | null | undefined) =>
    amount === undefined ? '' : amount === null ? 'none' : String(amount);
  return {
    countedIn: quota?.countedIn ?? 'units',
    perMinute: shown(quota?.perMinute),
    perMinuteAndUser: shown(quota?.perMinuteAndUser),
    perDay: shown(quota?.perDay),
    bytesOutPerDay: shown(quota?.bytesOutPerDay),
    toolRequestsPerDay: shown(quota?.toolRequestsPerDay),
    toolKeys: shown(quota?.toolKeys),
    tier: quota?.tier ?? 'standard',
    billingAccount: quota?.billingAccount ?? '',
    until: quota?.until ?? '',
  };
}

/** The problem of a form's field; undefined for a valid one. */
export function quotaProblem(of: QuotaAmount, typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || amountOf(text) !== undefined) return undefined;
  const canBeNone = of === 'perDay' || of === 'bytesOutPerDay';
  if (text.toLowerCase() === 'none') return canBeNone ? undefined : 'Enter a number: this always has a limit.';
  return `Enter a whole number${canBeNone ? ', or none' : ''}.`;
}

/** The problem of a day in a form; undefined for a valid one or none. */
export function untilProblem(typed: string): string | undefined {
  const text = typed.trim();
  return text === '' || isDay(text) ? undefined : 'Enter a day such as 2027-04-01.';
}

/** Whether a text is a day of the calendar: `Date.parse` takes 31 February for 3 March. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** The quota that a form asks for; null = that of new projects. */
export function quotaOfDraft(draft: QuotaDraft): OwnQuota | null {
  const amounts = QUOTA_AMOUNTS.flatMap((name) => {
    const text = draft[name].trim();
    return text === '' ? [] : [[name, amountOf(text) ?? null] as const];
  });
  const quota: OwnQuota = {
    ...(draft.countedIn === 'requests' ? { countedIn: draft.countedIn } : {}),
    ...Object.fromEntries(amounts),
    ...(draft.tier === 'standard' ? {} : { tier: draft.tier }),
    ...(draft.tier === 'scaled' && draft.billingAccount.trim() !== ''
      ? { billingAccount: draft.billingAccount.trim() }
      : {}),
    ...(draft.until.trim() === '' ? {} : { until: draft.until.trim() }),
  };
  return Object.keys(quota).length === 0 ? null : quota;
}

/** Also with the commas and spaces that Google's console writes. */
function amountOf(text: string): number | undefined {
  const amount = Number(text.replaceAll(/[,\s\u202f]/g, ''));
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined;
}
