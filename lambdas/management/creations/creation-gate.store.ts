import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../gateway/core/contract.ts';
import { CREATION_GATE_SEC, CREATION_WAIT_MS, INDEX_LAG_SEC } from '../../gateway/core/limits.ts';
import { isDone, type Table } from '../../gateway/platform/dynamodb/client.ts';
import { creationGateItemKey } from '../../gateway/platform/dynamodb/keys.ts';
import type { CreationGate } from './ports.ts';

/** Waiting processes poll at random times, so that they do not all ask at once. */
const POLL_MS = 15;

/**
 * One item per gate, held by the process that creates something of its kind. A gate whose holder died is free after
 * `CREATION_GATE_SEC`, when the platform has ended its function.
 */
export function creationGate(table: Table): CreationGate {
  return {
    async enter(accountId, what) {
      const key = { TableName: table.tableName, Key: creationGateItemKey(accountId, what) };
      const holder = randomUUID();
      const giveUpAtMs = Date.now() + CREATION_WAIT_MS;
      let recent: readonly Recent[] = [];
      const take = async () => {
        const nowSec = Math.floor(Date.now() / 1000);
        const { Attributes } = await table.client.send(
          new UpdateCommand({
            ...key,
            UpdateExpression: `SET #type = :type, holder = :holder, heldUntilEpochSec = :until, ${TABLE.timeToLive} = :gone`,
            // After a lost reply the SDK repeats the write: a caller that already holds the gate has entered.
            ConditionExpression: 'attribute_not_exists(holder) OR heldUntilEpochSec <= :now OR holder = :holder',
            ExpressionAttributeNames: { '#type': 'type' },
            ExpressionAttributeValues: {
              ':type': 'creation_gate',
              ':holder': holder,
              ':until': nowSec + CREATION_GATE_SEC,
              ':now': nowSec,
              ':gone': nowSec + CREATION_GATE_SEC + INDEX_LAG_SEC,
            },
            ReturnValues: 'ALL_NEW',
          }),
        );
        recent = recentIn(Attributes?.recent).filter(({ atEpochSec }) => atEpochSec > nowSec - INDEX_LAG_SEC);
      };
      while (!(await isDone(take()))) {
        if (Date.now() > giveUpAtMs) return undefined;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS * (0.5 + Math.random())));
      }
      return {
        recent: recent.map(({ id }) => id),
        async leave(created) {
          const atEpochSec = Math.floor(Date.now() / 1000);
          const names = created === undefined ? recent : [...recent, { id: created, atEpochSec }];
          await isDone(
            table.client.send(
              new UpdateCommand({
                ...key,
                UpdateExpression: 'SET recent = :recent REMOVE holder, heldUntilEpochSec',
                ConditionExpression: 'holder = :holder',
                ExpressionAttributeValues: { ':holder': holder, ':recent': names },
              }),
            ),
          );
        },
      };
    },
  };
}

interface Recent {
  readonly id: string;
  readonly atEpochSec: number;
}

function recentIn(value: unknown): readonly Recent[] {
  return Array.isArray(value)
    ? value.flatMap(({ id, atEpochSec }) =>
        typeof id === 'string' && typeof atEpochSec === 'number' ? [{ id, atEpochSec }] : [],
      )
    : [];
}
