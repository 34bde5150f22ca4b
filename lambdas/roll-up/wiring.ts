import { setTimeout as wait } from 'node:timers/promises';
import { dayUseWriter } from '../gateway/calls/day-use.store.ts';
import { pageReader, pageStore } from '../gateway/calls/page.store.ts';
import { thresholdReporter } from '../gateway/calls/report-threshold.ts';
import { readRollUpConfig } from '../gateway/config.ts';
import { QUERY_ANSWER_MAX_BYTES } from '../gateway/core/limits.ts';
import type { Clock } from '../gateway/core/ports.ts';
import { newItemWriter } from '../gateway/events/event.store.ts';
import { listIntegrations } from '../gateway/integrations/integration-settings.store.ts';
import { openAwsService } from '../gateway/platform/aws-service.ts';
import { systemClock, systemRandom } from '../gateway/platform/clock.ts';
import { openTable } from '../gateway/platform/dynamodb/client.ts';
import { embeddedMetrics, jsonLogger } from '../gateway/platform/telemetry.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { endingLimits, namedProjects, quotaOfProject } from '../gateway/providers/project-quota.rules.ts';
import { isProviderId } from '../gateway/providers/provider.rules.ts';
import { TickWatch } from '../gateway/ticks/sweep-run.ts';
import { tickBoard } from '../gateway/ticks/tick-board.store.ts';
import { callLogOf, invocationCount } from './call-log.store.ts';
import { progressStore } from './progress.store.ts';
import { QuotaReporter } from './report-quotas.ts';
import { RollUp } from './roll-up.ts';

const DAY_MS = 86_400_000;

/** An answer may have several megabytes and take long. */
const LOG_LIMITS = { call: 30_000, answerBytes: QUERY_ANSWER_MAX_BYTES };

/** Opens everything once per cold start. @throws Error naming every missing setting */
export function openRollUp(): { readonly rollUp: RollUp; readonly ticks: TickWatch; readonly clock: Clock } {
  const config = readRollUpConfig();
  const logger = jsonLogger('roll-up');
  const metrics = embeddedMetrics(config.metricNamespace);
  const table = openTable(config.tableName, {
    onUnreadable: (_, error) => {
      metrics.count('StoredValueUnreadable');
      logger.error('a row cannot be read', {}, error);
    },
    onThrottled: () => metrics.count('TableThrottled'),
  });
  const logs = openAwsService('logs', config.logsEndpoint, 'Logs_20140328', '1.1', process.env, LOG_LIMITS);
  const cloudWatch = openAwsService('monitoring', config.metricsEndpoint, 'GraniteServiceVersion20100801', '1.0');
  const pause = async (ms: number): Promise<void> => {
    await wait(ms);
  };
  const newItems = newItemWriter(table);
  const rollUp = new RollUp({
    log: callLogOf(logs, config.proxyLogGroup, config.otherLogGroups),
    invocations: invocationCount(cloudWatch, config.proxyFunctionName),
    pages: pageStore(table, pause),
    progress: progressStore(table),
    quotas: new QuotaReporter({
      pages: pageReader(table, true),
      thresholds: thresholdReporter(newItems),
      newItems,
      dayUse: dayUseWriter(table),
      dayLimit: config.dayLimit,
      quotasOf: async (accountId) => {
        const named = namedProjects(await listIntegrations(table, accountId, undefined));
        const standardOf = (provider: string) => (isProviderId(provider) ? PROVIDERS[provider].quota : undefined);
        const nowMs = systemClock.nowMs();
        return {
          quotaOf: (provider, cloudProject) =>
            quotaOfProject(named, { provider, cloudProject }, standardOf(provider), nowMs),
          ending: endingLimits(named, standardOf),
        };
      },
      clock: systemClock,
      random: systemRandom,
    }),
    logRetentionMs: config.proxyLogRetentionDays * DAY_MS,
    clock: systemClock,
    metrics,
    logger,
  });
  const ticks = new TickWatch({ board: tickBoard(table, config.without), clock: systemClock, metrics, logger });
  return { rollUp, ticks, clock: systemClock };
}
