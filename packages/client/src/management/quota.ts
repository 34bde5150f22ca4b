import {
  fieldsOf,
  number,
  optionalFields,
  optionalNumber,
  optionalText,
  recordList,
  text,
  textList,
  type Unread,
} from '../http/fields.ts';
import type { CallOptions, Manage } from './manage.ts';
import type * as wire from './wire.ts';

/** A day's use of one of Google's limits. */
export interface DayQuota {
  readonly used: number;
  /** Undefined where Google has none, and so are the shares. */
  readonly limit: number | undefined;
  /** Of the limit; 1 is all of it. */
  readonly share: number | undefined;
  /** Expected use at the end of the day. */
  readonly forecast: number;
  readonly forecastShare: number | undefined;
}

/** A number of today, and as expected at the end of the day. */
export interface ExpectedQuota {
  readonly used: number;
  readonly forecast: number;
}

/** Requests to Google's MCP server of one API by one Cloud project today. */
export interface ToolQuota {
  readonly provider: string;
  readonly cloudProject: string;
  readonly integrations: readonly string[];
  readonly used: number;
  readonly limit: number;
  /** Of the limit; 1 is all of it. */
  readonly share: number;
  /** Keys that one half is divided among. */
  readonly keys: number;
  /** What each of them may always use. */
  readonly perKey: number;
  /** The rest: first come, first served. */
  readonly common: { readonly used: number; readonly limit: number };
}

/** Calls of the projects that one billing account pays for, in Google's tier `scaled`. */
export interface BillingUse {
  readonly provider: string;
  /** Undefined where the quota of the project names none. */
  readonly billingAccount: string | undefined;
  readonly cloudProjects: readonly string[];
  /** Calls with a 2xx answer. */
  readonly answered: ExpectedQuota;
  /** Daily allowance of the billing account; undefined: not known. */
  readonly allowance: number | undefined;
  /** Calls that Google charges from `chargedFrom` on; undefined: not known. */
  readonly aboveAllowance: ExpectedQuota | undefined;
  /** Their price; undefined: not known. */
  readonly usd: ExpectedQuota | undefined;
  readonly chargedFrom: string;
  /** When allowance and price were last compared with Google's pages. */
  readonly pricesReadOn: string;
}

/** Use of one API by one Google Cloud project today. */
export interface ProjectQuota {
  readonly provider: string;
  /** Number of the Cloud project of the OAuth client. */
  readonly cloudProject: string;
  /** Integrations that use this project now. */
  readonly integrations: readonly string[];
  /** Older Cloud projects count requests of Drive: all units here are requests then. Undefined from a gateway that does not say. */
  readonly countedIn?: string | undefined;
  /** Units of Google's quota; for Calendar a call is one. */
  readonly units: DayQuota;
  /** Bytes of answers. */
  readonly bytesOut: DayQuota;
  /** Calls, a batch counted once; undefined from a gateway that does not count them, and so are the next three. */
  readonly calls?: ExpectedQuota | undefined;
  /** Calls that Google answered with a 2xx status. */
  readonly answered?: ExpectedQuota | undefined;
  /** Google's tier, as the quota of an integration states it. */
  readonly tier?: string | undefined;
  /** Day on which the limits of the quota end or ended; also undefined where they never do. */
  readonly limitsEnd?: string | undefined;
  /** Units of today that feeds and checks took, among the others; undefined from a gateway that does not count them. */
  readonly backgroundUnits?: number | undefined;
  /** The minute of the last hour that took most; undefined if nothing was called. */
  readonly busiestMinute:
    | {
        readonly at: string;
        readonly units: number;
        readonly limit: number | undefined;
        readonly share: number | undefined;
      }
    | undefined;
  /** Google's quota of one user per minute. */
  readonly unitsPerMinuteAndUser: number | undefined;
  /** Shares of the day that `QuotaReached` has reported, in order of time; undefined from a gateway that does not say. */
  readonly reached?:
    | readonly { readonly of: 'units' | 'bytes_out'; readonly percent: number; readonly at: string }[]
    | undefined;
}

/** Today's use of Google's quotas. */
export interface Quota {
  /** Calls that ended before are counted. ISO 8601; undefined before the first minute is counted. */
  readonly countedUntil: string | undefined;
  /** Google's day, such as `2026-03-01`: it begins at midnight Pacific Time. */
  readonly day: string;
  /** When Google's next day begins, ISO 8601. */
  readonly resetsAt: string;
  /** By API and Cloud project, the fullest first. */
  readonly projects: readonly ProjectQuota[];
  /** Projects in the tier `scaled` by who pays; undefined for a key that is limited to some integrations. */
  readonly billing?: readonly BillingUse[] | undefined;
  /** Requests to Google's MCP servers; undefined from a gateway that does not count them. */
  readonly tools?: readonly ToolQuota[] | undefined;
  /** Use of proxied calls today by integration, most first. */
  readonly integrations: readonly {
    readonly providerConfigKey: string;
    readonly units: number;
    readonly bytesOut: number;
  }[];
  /** The same by secret key; undefined for a key that is limited to some integrations. */
  readonly keys: readonly { readonly keyId: string; readonly units: number; readonly bytesOut: number }[] | undefined;
}

/** Reads today's use of Google's quotas. */
export type ReadQuota = (options?: CallOptions) => Promise<Quota>;

/**
 * The function behind `GatewayClient.quota`.
 *
 * @throws (the returned function) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function quotaReader(manage: Manage): ReadQuota {
  return async (options) => {
    const { data } = await manage('readQuota', { options });
    const fields = fieldsOf(data, 'data');
    return {
      countedUntil: optionalText(fields, 'counted_until'),
      day: text(fields, 'day'),
      resetsAt: text(fields, 'resets_at'),
      projects: recordList(fields, 'projects').map(readProject),
      billing:
        fields.billing === undefined || fields.billing === null
          ? undefined
          : recordList(fields, 'billing').map(readBilling),
      tools: fields.tools === undefined ? undefined : recordList(fields, 'tools').map(readTools),
      integrations: recordList(fields, 'integrations').map((one) => ({
        providerConfigKey: text(one, 'provider_config_key'),
        units: number(one, 'units'),
        bytesOut: number(one, 'bytes_out'),
      })),
      keys:
        fields.keys === null
          ? undefined
          : recordList(fields, 'keys').map((one) => ({
              keyId: text(one, 'key_id'),
              units: number(one, 'units'),
              bytesOut: number(one, 'bytes_out'),
            })),
    };
  };
}

function readProject(fields: Unread<wire.ProjectQuota>): ProjectQuota {
  const busiest = optionalFields(fields, 'busiest_minute');
  return {
    provider: text(fields, 'provider'),
    cloudProject: text(fields, 'cloud_project'),
    integrations: textList(fields, 'integrations'),
    countedIn: optionalText(fields, 'counted_in'),
    units: readDay(fieldsOf(fields.units, 'units')),
    bytesOut: readDay(fieldsOf(fields.bytes_out, 'bytes_out')),
    calls: readExpected(optionalFields(fields, 'calls')),
    answered: readExpected(optionalFields(fields, 'answered')),
    tier: optionalText(fields, 'tier'),
    limitsEnd: optionalText(fields, 'limits_end'),
    backgroundUnits: optionalNumber(fields, 'background_units'),
    busiestMinute:
      busiest === undefined
        ? undefined
        : {
            at: text(busiest, 'at'),
            units: number(busiest, 'units'),
            limit: optionalNumber(busiest, 'limit'),
            share: optionalNumber(busiest, 'share'),
          },
    unitsPerMinuteAndUser: optionalNumber(fields, 'units_per_minute_and_user'),
    ...(fields.reached === undefined
      ? {}
      : {
          reached: recordList(fields, 'reached').map((one) => ({
            of: text(one, 'of') === 'bytes_out' ? ('bytes_out' as const) : ('units' as const),
            percent: number(one, 'percent'),
            at: text(one, 'at'),
          })),
        }),
  };
}

function readTools(fields: Unread<wire.Quota['data']['tools'][number]>): ToolQuota {
  const common = fieldsOf(fields.common, 'common');
  return {
    provider: text(fields, 'provider'),
    cloudProject: text(fields, 'cloud_project'),
    integrations: textList(fields, 'integrations'),
    used: number(fields, 'used'),
    limit: number(fields, 'limit'),
    share: number(fields, 'share'),
    keys: number(fields, 'keys'),
    perKey: number(fields, 'per_key'),
    common: { used: number(common, 'used'), limit: number(common, 'limit') },
  };
}

function readBilling(fields: Unread<NonNullable<wire.Quota['data']['billing']>[number]>): BillingUse {
  const answered = fieldsOf(fields.answered, 'answered');
  return {
    provider: text(fields, 'provider'),
    billingAccount: optionalText(fields, 'billing_account'),
    cloudProjects: textList(fields, 'cloud_projects'),
    answered: { used: number(answered, 'used'), forecast: number(answered, 'forecast') },
    allowance: optionalNumber(fields, 'allowance'),
    aboveAllowance: readExpected(optionalFields(fields, 'above_allowance')),
    usd: readExpected(optionalFields(fields, 'usd')),
    chargedFrom: text(fields, 'charged_from'),
    pricesReadOn: text(fields, 'prices_read_on'),
  };
}

function readExpected(fields: Unread<wire.ProjectQuota['calls']> | undefined): ExpectedQuota | undefined {
  return fields === undefined ? undefined : { used: number(fields, 'used'), forecast: number(fields, 'forecast') };
}

function readDay(fields: Unread<wire.ProjectQuota['units']>): DayQuota {
  return {
    used: number(fields, 'used'),
    limit: optionalNumber(fields, 'limit'),
    share: optionalNumber(fields, 'share'),
    forecast: number(fields, 'forecast'),
    forecastShare: optionalNumber(fields, 'forecast_share'),
  };
}
