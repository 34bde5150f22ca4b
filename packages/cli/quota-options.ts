import { type Command, Option } from 'commander';
import type { OwnQuota } from '../client/src/management/own-quota.ts';
import { given, wholeNumber } from './options.ts';
import { CommandProblem } from './problems.ts';

/** Options of `integrations quota`. */
export interface QuotaOptions {
  readonly requests?: boolean;
  readonly perMinute?: number;
  readonly perMinuteAndUser?: number;
  readonly perDay?: number | null;
  readonly tier?: 'standard' | 'internal' | 'scaled';
  readonly billingAccount?: string;
  readonly until?: string;
  readonly toolRequestsPerDay?: number;
  readonly toolKeys?: number;
  readonly default?: boolean;
}

/** The options that set Google's quotas of an integration's Cloud project. */
export function quotaOptions(command: Command): Command {
  return command
    .option('--per-minute <number>', 'units a minute of the project', wholeNumber)
    .option('--per-minute-and-user <number>', 'units a minute of one user', wholeNumber)
    .option('--per-day <number>', 'threshold of units in Google’s day, or none', (text) =>
      text === 'none' ? null : wholeNumber(text),
    )
    .option('--requests', 'the project is an older one that counts requests, not units')
    .addOption(
      new Option('--tier <tier>', 'tier that the Cloud console shows').choices(['standard', 'internal', 'scaled']),
    )
    .option('--billing-account <id>', 'billing account of a project in the tier scaled')
    .option('--until <date>', 'first day on which these limits no longer count, such as 2027-04-01')
    .option('--tool-requests-per-day <number>', 'requests a day to Google’s MCP server (5000)', wholeNumber)
    .option('--tool-keys <number>', 'agent keys that share them (20)', wholeNumber)
    .option('--default', 'the quotas of new projects');
}

/** The quota that options name; null for that of new projects. @throws CommandProblem */
export function quotaOf(options: QuotaOptions): OwnQuota | null {
  const { requests, default: isDefault, ...amounts } = options;
  const named = given({ ...amounts, countedIn: requests === true ? ('requests' as const) : undefined });
  if (isDefault === true && Object.keys(named).length > 0) {
    throw new CommandProblem('Name what differs, or --default, not both.');
  }
  return isDefault === true ? null : named;
}

/** A quota for people. */
export function quotaInWords(quota: OwnQuota | undefined): string {
  if (quota === undefined) return 'that of new Cloud projects';
  const { countedIn, perMinute, perMinuteAndUser, perDay, tier, billingAccount, until } = quota;
  const unit = countedIn ?? 'units';
  const said = [
    ...(perMinute === undefined ? [] : [`${perMinute} ${unit} a minute`]),
    ...(perMinuteAndUser === undefined ? [] : [`${perMinuteAndUser} ${unit} a minute and user`]),
    ...(perDay === undefined ? [] : [perDay === null ? 'no limit of a day' : `${perDay} ${unit} a day`]),
  ];
  const more = [
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    ...(billingAccount === undefined ? [] : [`billing account ${billingAccount}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(quota.toolRequestsPerDay === undefined ? [] : [`${quota.toolRequestsPerDay} tool requests a day`]),
    ...(quota.toolKeys === undefined ? [] : [`shared by ${quota.toolKeys} keys`]),
  ];
  return [...(said.length === 0 ? [`counted in ${unit}`] : said), ...more].join(', ');
}
