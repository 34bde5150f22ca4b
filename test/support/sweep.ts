import { DUE_SHARDS } from '../../lambdas/gateway/core/contract.ts';
import { dueShardOf } from '../../lambdas/gateway/core/identifiers.ts';
import type { TestGateway } from './gateway.ts';

/** Which connection of the first account. */
export interface SweptConnection {
  readonly integrationId: string;
  readonly connectionId: string;
}

/**
 * Runs the schedule over the slices of the due index that hold these connections, one after the other. A tick asks the index
 * 192 questions; a slice of one shard asks three.
 *
 * @returns the counts of the reports, added up
 */
export async function sweep(
  test: Pick<TestGateway, 'gateway'>,
  ...connections: readonly SweptConnection[]
): Promise<Record<string, number>> {
  const shards = new Set(connections.map((one) => dueShardOf({ accountId: 'default', ...one }, DUE_SHARDS)));
  const sum: Record<string, number> = {};
  for (const index of shards) {
    const report = await test.gateway.tick('refresh', { slice: { index, count: DUE_SHARDS } });
    for (const [name, count] of Object.entries(Object(report))) {
      if (typeof count === 'number') sum[name] = (sum[name] ?? 0) + count;
    }
  }
  return sum;
}
