import { readDeliveryConfig } from '../../../gateway/config.ts';
import { systemClock, systemRandom } from '../../../gateway/platform/clock.ts';
import { openTable } from '../../../gateway/platform/dynamodb/client.ts';
import { openEndpointEgress } from '../../../gateway/platform/egress/egress.ts';
import { kmsDataKeys, tokenCipher } from '../../../gateway/platform/kms/token-cipher.ts';
import { embeddedMetrics, jsonLogger } from '../../../gateway/platform/telemetry.ts';
import { dueIndex, sliceLeases } from '../../../gateway/ticks/slice.store.ts';
import { type SweepSliceDependencies, TickWatch } from '../../../gateway/ticks/sweep-run.ts';
import { tickBoard } from '../../../gateway/ticks/tick-board.store.ts';
import type { DeliverDependencies } from '../deliver.ts';
import { DELIVERY_SHARDS, deliveryStore } from '../delivery.store.ts';
import { webhookStore } from '../webhook.store.ts';

/** Opens everything once per cold start. @throws Error naming every missing setting */
export function openDelivery() {
  const config = readDeliveryConfig();
  const metrics = embeddedMetrics(config.metricNamespace);
  const logger = jsonLogger('deliver');
  const table = openTable(config.tableName, {
    onUnreadable: (_item, { attribute }) => {
      metrics.count('StoredValueUnreadable');
      logger.warn('a row that cannot be read was left out of a list', { cause: attribute });
    },
    onThrottled: () => metrics.count('TableThrottled'),
  });
  const deps: DeliverDependencies = {
    clock: systemClock,
    random: systemRandom,
    logger,
    metrics,
    cipher: tokenCipher(kmsDataKeys(table, config.tokenKeyArn, systemClock, metrics), systemRandom),
    endpointEgress: openEndpointEgress(config.endpointTargets.allowLoopback),
    endpointTargets: config.endpointTargets,
    webhooks: webhookStore(table),
    deliveries: deliveryStore(table),
  };
  const ticks = new TickWatch({ ...deps, board: tickBoard(table, config.without) });
  const slices: SweepSliceDependencies = {
    ...deps,
    leases: sliceLeases(table),
    dueIndex: dueIndex(table),
    sliceLeaseMs: config.sliceLeaseMs,
  };
  return { deps, slices, shards: DELIVERY_SHARDS, ticks };
}
