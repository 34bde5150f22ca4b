import type { DayQuota, Overview, ProjectQuota, Quota } from '../gateway/library.ts';
import { listed } from './features.ts';

/** One of Google's limits of a day, as a bar. */
export interface QuotaBar {
  readonly id: string;
  /** Number of the Cloud project. */
  readonly cloudProject: string;
  /** Which limit, as the rows of the overview name it. */
  readonly of: 'units' | 'bytes_out';
  /** Display names of the integrations that use the project. */
  readonly names: readonly string[];
  readonly label: string;
  /** Of the limit, from 0; 1 is all of it. */
  readonly share: number;
  /** The used and the expected share, as a sentence. */
  readonly says: string;
  /** The background's part and the times at which shares were passed; empty without any. */
  readonly details: string;
  /** `over`: used up, or will be before the day ends; `near`: 80 % will be. */
  readonly state: 'fine' | 'near' | 'over';
}

const NEAR = 0.8;
/** Below it a limit is not worth a bar. */
const SHOWN_FROM = 0.01;

/**
 * Every limit that Google has for the day, the fullest first; what has none is left out.
 *
 * @param timeOf a moment, ISO 8601, as people read it
 * @param nameOf an integration by its id
 * @param own uses of the quotas by the gateway itself
 */
export function quotaBars(
  projects: readonly ProjectQuota[],
  timeOf: (at: string) => string,
  nameOf: (uniqueKey: string) => string = (uniqueKey) => uniqueKey,
  own: readonly string[] = ['checks'],
): QuotaBar[] {
  return projects
    .flatMap((project) => [
      barOf(project, 'units', compact, [
        answeredOf(project),
        background(project, own),
        passed(project, 'units', timeOf),
      ]),
      barOf(project, 'bytes_out', bytes, [passed(project, 'bytes_out', timeOf)]),
    ])
    .flatMap((bar) => bar ?? [])
    .map((bar) => ({ ...bar, names: [...new Set(bar.names.map(nameOf))] }))
    .sort((a, b) => b.share - a.share || a.id.localeCompare(b.id));
}

/** The bars that are worth one, and how many are not: all that are below 1 % and will not run out. */
export function partQuotaBars(bars: readonly QuotaBar[]): {
  readonly shown: readonly QuotaBar[];
  readonly well: number;
} {
  const shown = bars.filter(({ share, state }) => share >= SHOWN_FROM || state !== 'fine');
  return { shown, well: bars.length - shown.length };
}

/** Limits that are used up, or will be before the day ends, and that no row of the overview reports. */
export function quotasRunningOut(bars: readonly QuotaBar[], attention: Overview['attention']): QuotaBar[] {
  return bars.filter(
    ({ state, cloudProject, of }) =>
      state === 'over' && !attention.some(({ reason, id }) => reason === `quota.${of}` && id === cloudProject),
  );
}

function barOf(
  project: ProjectQuota,
  of: QuotaBar['of'],
  shown: (value: number) => string,
  details: readonly string[],
): QuotaBar | undefined {
  const { provider, cloudProject, integrations } = project;
  const { used, limit, share, forecast, forecastShare }: DayQuota = of === 'units' ? project.units : project.bytesOut;
  const what = of === 'units' ? unitsOf(project) : 'bytes out';
  if (limit === undefined || share === undefined || forecastShare === undefined) return undefined;
  return {
    id: `${provider} ${cloudProject} ${of}`,
    cloudProject,
    of,
    names: integrations,
    label: `${apiOf(provider)} ${what}, project ${cloudProject}`,
    share,
    says: `${percent(share)} of today’s ${shown(limit)} used (${shown(used)}); ${percent(forecastShare).toLowerCase()} expected by the end of the day (${shown(forecast)}).`,
    details: details.filter((one) => one !== '').join(' '),
    state: Math.max(share, forecastShare) >= 1 ? 'over' : Math.max(share, forecastShare) >= NEAR ? 'near' : 'fine',
  };
}

function unitsOf({ provider, countedIn }: ProjectQuota): string {
  return provider === 'google-calendar' || countedIn === 'requests' ? 'requests' : 'units';
}

/** Calls, and those that Google counts for billing. */
function answeredOf({ calls, answered }: ProjectQuota): string {
  if (calls === undefined || answered === undefined || calls.used === 0) return '';
  return `${compact(answered.used)} of ${compact(calls.used)} calls had a 2xx answer.`;
}

/** How full the days at Google's MCP servers are, as sentences. */
export function toolSentences(tools: Quota['tools'] = []): string[] {
  return tools.map(({ provider, cloudProject, used, limit, keys, perKey, common }) => {
    const left = Math.max(0, Math.min(limit - used, common.limit - common.used));
    return `${apiOf(provider)} MCP server, project ${cloudProject}: ${used} of today’s ${limit} requests used. Each of ${keys} keys may use ${perKey}; ${left} more are left, first come, first served.`;
  });
}

/** What the projects in the tier Scaled come to today, as sentences; no price where none is known. */
export function billingSentences(billing: Quota['billing'] = []): string[] {
  return billing.map(
    ({ provider, billingAccount, cloudProjects, answered, allowance, aboveAllowance, usd, pricesReadOn }) => {
      const who =
        billingAccount === undefined ? `Project ${cloudProjects.join(', ')}` : `Billing account ${billingAccount}`;
      const above =
        aboveAllowance === undefined || allowance === undefined
          ? 'Google’s daily allowance is not known.'
          : `${compact(aboveAllowance.forecast)} of them above the allowance of ${compact(allowance)}.`;
      const price = usd === undefined ? 'Their price is not known' : `Price: $${usd.forecast.toFixed(2)}`;
      return `${who}, ${apiOf(provider)}: ${compact(answered.forecast)} calls with a 2xx answer expected today. ${above} ${price} (as of ${pricesReadOn}).`;
    },
  );
}

function apiOf(provider: string): string {
  return provider === 'google-calendar' ? 'Calendar' : provider === 'google-drive' ? 'Drive' : provider;
}

/** The part used by the gateway itself. */
function background({ backgroundUnits = 0 }: ProjectQuota, own: readonly string[]): string {
  return backgroundUnits === 0 ? '' : `${compact(backgroundUnits)} of it by ${listed(own)}.`;
}

/** When shares of the day were passed. */
function passed({ reached = [] }: ProjectQuota, of: 'units' | 'bytes_out', timeOf: (at: string) => string): string {
  const reported = reached.filter((one) => one.of === of).map(({ percent, at }) => `${percent} % at ${timeOf(at)}`);
  return reported.length === 0 ? '' : `Passed ${reported.join(', ')}.`;
}

/** Whole percent, and below one as such. */
function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'Less than 1 %' : `${Math.floor(share * 100)} %`;
}

function compact(value: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** In the powers of ten that Google's limit is in. */
function bytes(value: number): string {
  const power = value < 1e3 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  return `${(value / 1000 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${['bytes', 'KB', 'MB', 'GB', 'TB'][power]}`;
}
