import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SWEEPS } from '../core/contract.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { TICK_BOARD_KEY } from '../platform/dynamodb/keys.ts';
import type { SweepEnd, SweepName, TickBoard } from './ports.ts';

/**
 * One item with an attribute for each sweep, so that one write records and reads.
 *
 * @param without ids of features that the deployment leaves out: nobody waits for their sweeps
 */
export function tickBoard(table: Table, without: ReadonlySet<string>): TickBoard {
  const sweeps = Object.keys(SWEEPS)
    .filter(isSweep)
    .filter((sweep) => !without.has(SWEEPS[sweep]));
  return {
    async note(done, nowEpochSec) {
      const own = attributeOf(done);
      const slices = done.sweep === 'refresh' ? (done.slice?.count ?? 1) : undefined;
      const expected = [
        ...sweeps.map((sweep) => attributeOf({ sweep })),
        ...Array.from({ length: slices ?? 0 }, (_, index) =>
          attributeOf({ sweep: 'refresh', slice: { index, count: slices ?? 1 } }),
        ),
      ].filter((name, index, all) => name !== own && all.indexOf(name) === index);
      const sets = ['#type = :type', '#own = :now'];
      if (slices !== undefined) sets.push('slices = :slices');
      for (const i of expected.keys()) sets.push(`#s${i} = if_not_exists(#s${i}, :now)`);
      const { Attributes = {} } = await table.client.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key: TICK_BOARD_KEY,
          UpdateExpression: `SET ${sets.join(', ')}`,
          ExpressionAttributeNames: {
            '#type': 'type',
            '#own': own,
            ...Object.fromEntries(expected.map((name, i) => [`#s${i}`, name])),
          },
          ExpressionAttributeValues: {
            ':type': 'tick_board',
            ':now': nowEpochSec,
            ...(slices === undefined ? {} : { ':slices': slices }),
          },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return endsOf(Attributes, sweeps);
    },
  };
}

function isSweep(name: string): name is SweepName['sweep'] {
  return Object.hasOwn(SWEEPS, name);
}

function attributeOf({ sweep, slice }: SweepName): string {
  return `${sweep}#${slice?.index ?? 0}`;
}

/** Slices beyond the current number belong to an earlier setting and are no longer swept. */
function endsOf(attributes: Readonly<Record<string, unknown>>, sweeps: readonly SweepName['sweep'][]): SweepEnd[] {
  const slices = typeof attributes.slices === 'number' ? attributes.slices : Number.POSITIVE_INFINITY;
  return Object.entries(attributes).flatMap(([name, value]) => {
    const [first, index] = name.split('#');
    const sweep = sweeps.find((one) => one === first);
    if (sweep === undefined || typeof value !== 'number') return [];
    return sweep === 'refresh' && Number(index) >= slices ? [] : [{ sweep, endedAtEpochSec: value }];
  });
}
