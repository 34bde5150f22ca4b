import { number, optionalFields, optionalText, type Unread } from '../http/fields.ts';
import type * as wire from './wire.ts';

/** Google's quotas of a Cloud project for one API, where they differ from those of new projects. */
export interface OwnQuota {
  /** Older Cloud projects count requests of Drive, whatever their units. @default 'units' */
  readonly countedIn?: 'units' | 'requests';
  readonly perMinute?: number;
  readonly perMinuteAndUser?: number;
  /** The threshold of Google's day; null = none. */
  readonly perDay?: number | null;
  /** The same for bytes of answers; null = none. */
  readonly bytesOutPerDay?: number | null;
  /** Google's tier, as the Cloud console shows it; `internal` is the exception for internal use. @default 'standard' */
  readonly tier?: 'standard' | 'internal' | 'scaled';
  /** Billing account of a project in the tier `scaled`. */
  readonly billingAccount?: string;
  /** First day (UTC) on which these limits no longer count, such as `2027-04-01`. @default that day for higher limits in the tier `standard` */
  readonly until?: string;
  /** Requests a day to Google's MCP server of the API. @default 5000 */
  readonly toolRequestsPerDay?: number;
  /** Agent keys that share them: each may always use an even part of one half. @default 20 */
  readonly toolKeys?: number;
}

const TIERS = ['standard', 'internal', 'scaled'] as const;

/** The quota of an integration's Cloud project; undefined where it is that of new projects. @throws UnexpectedAnswerError */
export function readQuota(owner: Unread<{ readonly quota: wire.OwnQuota | null }>): OwnQuota | undefined {
  const fields = optionalFields(owner, 'quota');
  if (fields === undefined) return undefined;
  const tier = TIERS.find((one) => one === fields.tier);
  const billingAccount = optionalText(fields, 'billing_account');
  const until = optionalText(fields, 'until');
  const ofDay = (name: 'per_day' | 'bytes_out_per_day') => (fields[name] === null ? null : number(fields, name));
  return {
    ...(fields.counted_in === undefined ? {} : { countedIn: fields.counted_in === 'requests' ? 'requests' : 'units' }),
    ...(fields.per_minute === undefined ? {} : { perMinute: number(fields, 'per_minute') }),
    ...(fields.per_minute_and_user === undefined ? {} : { perMinuteAndUser: number(fields, 'per_minute_and_user') }),
    ...(fields.per_day === undefined ? {} : { perDay: ofDay('per_day') }),
    ...(fields.bytes_out_per_day === undefined ? {} : { bytesOutPerDay: ofDay('bytes_out_per_day') }),
    ...(tier === undefined ? {} : { tier }),
    ...(billingAccount === undefined ? {} : { billingAccount }),
    ...(until === undefined ? {} : { until }),
    ...(fields.tool_requests_per_day === undefined
      ? {}
      : { toolRequestsPerDay: number(fields, 'tool_requests_per_day') }),
    ...(fields.tool_keys === undefined ? {} : { toolKeys: number(fields, 'tool_keys') }),
  };
}

/** A quota in the API's spelling. */
export function quotaOnTheWire(quota: OwnQuota | null | undefined) {
  if (quota === undefined || quota === null) return quota;
  const { countedIn, perMinute, perMinuteAndUser, perDay, bytesOutPerDay, tier, billingAccount, until } = quota;
  const { toolRequestsPerDay, toolKeys } = quota;
  return {
    ...(countedIn === undefined ? {} : { counted_in: countedIn }),
    ...(perMinute === undefined ? {} : { per_minute: perMinute }),
    ...(perMinuteAndUser === undefined ? {} : { per_minute_and_user: perMinuteAndUser }),
    ...(perDay === undefined ? {} : { per_day: perDay }),
    ...(bytesOutPerDay === undefined ? {} : { bytes_out_per_day: bytesOutPerDay }),
    ...(tier === undefined ? {} : { tier }),
    ...(billingAccount === undefined ? {} : { billing_account: billingAccount }),
    ...(until === undefined ? {} : { until }),
    ...(toolRequestsPerDay === undefined ? {} : { tool_requests_per_day: toolRequestsPerDay }),
    ...(toolKeys === undefined ? {} : { tool_keys: toolKeys }),
  };
}
