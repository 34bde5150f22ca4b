import { type Command, Option } from 'commander';
import type { BillingUse, DayQuota } from '../../client/src/index.ts';
import { openContext } from '../command-context.ts';
import { note, printAnswer, printTable, shortTime } from '../output.ts';

function percent(share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** The used and the forecast share of a limit. */
function day({ used, share, forecast, forecastShare }: DayQuota): (string | number | undefined)[] {
  return [used, percent(share), forecast, percent(forecastShare)];
}

/** What a billing account may have to pay for, without a price where none is known. */
function billingInWords({ provider, billingAccount, cloudProjects, answered, ...of }: BillingUse): string {
  const who =
    billingAccount === undefined ? `project ${cloudProjects.join(', ')}` : `billing account ${billingAccount}`;
  const above =
    of.aboveAllowance === undefined
      ? 'Google’s allowance is not known'
      : `${of.aboveAllowance.forecast} expected above the allowance of ${of.allowance}`;
  const price = of.usd === undefined ? 'their price is not known' : `$${of.usd.forecast.toFixed(2)}`;
  return `${provider}, ${who}: ${answered.used} calls with a 2xx answer, ${answered.forecast} expected; ${above}; ${price} (as of ${of.pricesReadOn}, charged from ${of.chargedFrom}).`;
}

/** `quota`: what today's calls took of Google's quotas. */
export function addQuota(program: Command): void {
  program
    .command('quota')
    .description('what today’s calls took of Google’s quotas by Cloud project and API, and what the day will come to')
    .addOption(new Option('--by <what>', 'instead: what each took').choices(['integration', 'key']))
    .action(async ({ by }: { readonly by?: 'integration' | 'key' }, command: Command) => {
      const context = await openContext(command);
      const quota = await context.gateway.quota();
      if (context.json) return printAnswer(context);
      if (by !== undefined) {
        const rows =
          by === 'integration'
            ? quota.integrations.map((one) => [one.providerConfigKey, one.units, one.bytesOut])
            : (quota.keys ?? []).map((one) => [one.keyId, one.units, one.bytesOut]);
        return printTable(['Of', 'Units', 'Bytes out'], rows, 'Nothing was called today.');
      }
      printTable(
        [
          'Provider',
          'Cloud project',
          'Units',
          'Of limit',
          'Forecast',
          'Of limit',
          'Calls',
          '2xx',
          'Bytes out',
          'Of limit',
          'Busiest minute',
        ],
        quota.projects.map(({ provider, cloudProject, units, calls, answered, bytesOut, busiestMinute }) => [
          provider,
          cloudProject,
          ...day(units),
          calls?.used,
          answered?.used,
          ...day(bytesOut).slice(0, 2),
          percent(busiestMinute?.share) ?? busiestMinute?.units,
        ]),
        'No integration has an OAuth client of a Cloud project yet.',
      );
      for (const one of quota.tools ?? []) {
        note(
          `${one.provider}, project ${one.cloudProject}: ${one.used} of ${one.limit} requests to Google’s MCP server; each of ${one.keys} keys may use ${one.perKey}, all keys ${one.common.limit} more, of which ${one.common.used} are used.`,
        );
      }
      for (const one of quota.billing ?? []) note(billingInWords(one));
      const counted =
        quota.countedUntil === undefined ? 'nothing is counted yet' : `counted until ${shortTime(quota.countedUntil)}`;
      note(`Google’s day ${quota.day}, which ends ${shortTime(quota.resetsAt)}; ${counted}.`);
    });
}
