import type { DayQuota, ProjectQuota } from '../gateway/library.ts';

/** One of Google's limits of a day, as a bar. */
export interface QuotaBar {
  readonly id: string;
  readonly label: string;
  /** Of the limit, from 0; 1 is all of it. */
  readonly share: number;
  /** The used and the expected share, as a sentence. */
  readonly says: string;
  /** The background's part and the times at which shares were passed; empty without any. */
  readonly besides: string;
  /** `over`: used up, or will be before the day ends; `near`: four fifths will be. */
  readonly state: 'fine' | 'near' | 'over';
}

const NEAR = 0.8;

/**
 * Every limit that Google has for the day, the fullest first; what has none is left out.
 *
 * @param timeOf a moment, ISO 8601, as people read it
 */
export function quotaBars(projects: readonly ProjectQuota[], timeOf: (at: string) => string): QuotaBar[] {
  return projects
    .flatMap((project) => [
      barOf(project, project.units, unitsOf(project), compact, [background(project), passed(project, 'units', timeOf)]),
      barOf(project, project.bytesOut, 'bytes out', bytes, [passed(project, 'bytes_out', timeOf)]),
    ])
    .flatMap((bar) => bar ?? [])
    .sort((a, b) => b.share - a.share || a.id.localeCompare(b.id));
}

function barOf(
  { provider, cloudProject }: ProjectQuota,
  day: DayQuota,
  of: string,
  shown: (value: number) => string,
  besides: readonly string[],
): QuotaBar | undefined {
  const { used, limit, share, forecast, forecastShare } = day;
  if (limit === undefined || share === undefined || forecastShare === undefined) return undefined;
  const api = provider === 'google-calendar' ? 'Calendar' : provider === 'google-drive' ? 'Drive' : provider;
  return {
    id: `${provider} ${cloudProject} ${of}`,
    label: `${api} ${of}, project ${cloudProject}`,
    share,
    says: `${percent(share)} of today’s ${shown(limit)} used (${shown(used)}); ${percent(forecastShare).toLowerCase()} expected by the end of the day (${shown(forecast)}).`,
    besides: besides.filter((one) => one !== '').join(' '),
    state: Math.max(share, forecastShare) >= 1 ? 'over' : Math.max(share, forecastShare) >= NEAR ? 'near' : 'fine',
  };
}

function unitsOf({ provider, countedIn }: ProjectQuota): string {
  return provider === 'google-calendar' || countedIn === 'requests' ? 'requests' : 'units';
}

/** The part used by the gateway itself. */
function background({ backgroundUnits = 0 }: ProjectQuota): string {
  return backgroundUnits === 0 ? '' : `${compact(backgroundUnits)} of it by feeds and checks.`;
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
